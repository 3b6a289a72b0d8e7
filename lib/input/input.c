#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "base/space.h"
#include "input/mapped.h"

enum {
	BLOCK = 1 << 20
};

static const char *const standard_input[] = { "-" };

const char *
input_name(const char *file)
{
	return strcmp(file, "-") == 0 ? "standard input" : file;
}

int
input_reserve(struct input *in, size_t want, size_t least, struct hp_err *e)
{
	void *p = in->present ? space_take(want) : space_reserve(&want, least);

	if (p == NULL)
		return hp_fail_errno(e, HP_NOMEM, "memory for the input");
	in->base = in->pos = in->end = in->from = p;
	in->reserved = want;
	return 0;
}

int
input_open_file(const struct input *in, size_t i, struct hp_err *e)
{
	int fd;

	if (i > 0 || in->header == NULL)
		return io_open(in->file[i], e);
	if ((fd = fcntl(in->header->fd, F_DUPFD_CLOEXEC, 0)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", input_name(in->file[i]));
	return fd;
}

int
input_skip_header(const struct input *in, size_t i, int fd, struct hp_err *e)
{
	if (i == 0 || in->header == NULL)
		return 0;
	return header_skip(in->header, fd, in->file[i], e);
}

int
input_check_whole(
    const struct input *in, const char *name, uint64_t bytes, struct hp_err *e)
{
	uint64_t above = in->header == NULL ? 0 : in->header->n;
	size_t size = in->format->size;

	if (size == 0 || bytes % size == 0)
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: record %" PRIu64 ": %" PRIu64 " bytes where %zu are a record",
	    name, above + bytes / size + 1, bytes % size, size);
}

int
input_open(struct input *in, const struct format *format,
    const char *const *file, size_t n, struct header *header,
    const struct extent *extent, uint64_t map_most, int not_fd,
    struct hp_err *e)
{
	int rc;

	*in = (struct input){ .format = format,
		.file = n > 0 ? file : standard_input,
		.nfiles = n > 0 ? n : 1,
		.header = header,
		.extent = *extent,
		.block = BLOCK,
		.cap = SIZE_MAX,
		.fd = -1 };
	pthread_mutex_init(&in->lock, NULL);
	pthread_cond_init(&in->due, NULL);
	if ((rc = input_map(in, map_most, not_fd, e)) != 0)
		return rc == 1 ? 0 : -1;
	return input_reserve(in, mem_most(), 1 << 24, e);
}

void
input_close(struct input *in)
{
	if (in->fd != -1)
		io_close(in->fd);
	space_give(in->base, in->reserved);
	for (size_t i = 0; i < in->npieces; i++)
		io_close(in->piece[i].fd);
	in->npieces = 0;
	free(in->piece);
	in->piece = NULL;
	in->base = NULL;
	in->fd = -1;
}

/* Open the next file to be read; 0 when there is none. */
static int
next_file(struct input *in, struct hp_err *e)
{
	if (in->next == in->nfiles)
		return 0;
	in->name = input_name(in->file[in->next]);
	if ((in->fd = input_open_file(in, in->next, e)) == -1 ||
	    input_skip_header(in, in->next, in->fd, e) == -1)
		return -1;
	in->next++;
	in->left = in->extent.bytes;
	in->taken = 0;
	if (in->left != UINT64_MAX &&
	    lseek(in->fd, (off_t)in->extent.off, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "%s: seek to byte %" PRIu64,
		    in->name, in->extent.off);
	return 1;
}

/* The end of a file: its last record must end too. */
static int
end_file(struct input *in, struct hp_err *e)
{
	size_t size = in->format->size;

	io_close(in->fd);
	in->fd = -1;
	/* Until they hear of it other threads take blocks, of whole records. */
	if (size != 0)
		in->end -= in->taken % size;
	if (in->left != UINT64_MAX && in->left > 0)
		return hp_fail(e, HP_INPUT,
		    "%s: the extent ends at byte %" PRIu64
		    ", behind the end of the file",
		    in->name, in->extent.off + in->extent.bytes);
	if (size != 0)
		return input_check_whole(in, in->name, in->taken, e);
	if (in->end > in->pos && in->end[-1] != in->format->delim)
		*in->end++ = in->format->delim;
	return 0;
}

/* One byte stays for the delimiter that may lack. */
static size_t
free_room(const struct input *in)
{
	return in->reserved - (size_t)(in->end - in->base) - 1;
}

int
input_fill(struct input *in, size_t want, struct hp_err *e)
{
	size_t room, n;
	ssize_t got;
	int rc;

	while (!in->eof && (size_t)(in->end - in->pos) < want) {
		if (in->fd == -1) {
			if ((rc = next_file(in, e)) == -1)
				return -1;
			in->eof = rc == 0;
			continue;
		}
		n = want - (size_t)(in->end - in->pos);
		if ((room = free_room(in)) == 0)
			return 0;
		n = n < room ? n : room;
		n = n < in->left ? n : (size_t)in->left;
		got = io_read(in->fd, in->end, n);
		if (got == -1)
			return hp_fail_errno(e, HP_IO, "%s", in->name);
		in->end += got;
		in->taken += (uint64_t)got;
		if (in->left != UINT64_MAX)
			in->left -= (uint64_t)got;
		if ((size_t)got < n || in->left == 0)
			if (end_file(in, e) == -1)
				return -1;
	}
	return 0;
}

unsigned char *
input_whole(const struct input *in, size_t want)
{
	size_t size = in->format->size, have = (size_t)(in->end - in->pos);
	bool last = in->mapped || in->eof;
	unsigned char *p;

	if (have <= want && last)
		return in->end;
	want = want < have ? want : have;
	if (size != 0)
		return want < size ? NULL : in->pos + want - want % size;
	p = memrchr(in->pos, in->format->delim, want);
	if (p != NULL)
		return p + 1;
	if (!in->mapped)
		return NULL;
	p = memchr(in->pos + want, in->format->delim, have - want);
	return p != NULL ? p + 1 : in->end;
}

static int
no_room(const struct input *in, struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM,
	    "%s: a record of more than %zu bytes does not fit into memory",
	    in->name, (size_t)(in->end - in->pos));
}

int
input_find(struct input *in, size_t want, unsigned char **end, struct hp_err *e)
{
	while (in->mapped && in->pos == in->end) {
		if (in->at + 1 >= in->npieces) {
			*end = NULL;
			return 0;
		}
		in->at++;
		in->pos = in->piece[in->at].start;
		in->end = in->piece[in->at].end;
	}
	for (;;) {
		if (!in->mapped && input_fill(in, want, e) == -1)
			return -1;
		*end = NULL;
		if (in->pos == in->end)
			return 0;
		if ((*end = input_whole(in, want)) != NULL)
			return 0;
		if (!in->mapped && free_room(in) == 0)
			return in->given > 0 ? INPUT_FULL : no_room(in, e);
		want *= 2; /* one long record */
	}
}

void
input_drop(const struct input *in)
{
	if (in->mapped && !in->present)
		madvise(in->base, in->reserved, MADV_DONTNEED);
}

void
input_again(struct input *in, bool passing)
{
	if (passing) {
		in->present = false;
		input_drop(in);
	}
	in->present = !passing && !in->passing;
	in->passing = passing;
	in->again = true;
	in->text = in->promised = 0;
	in->at = 0;
	in->pos = in->from = in->piece[0].start;
	in->end = in->piece[0].end;
}

int
input_ahead(struct input *in, size_t most, struct piece *p, struct hp_err *e)
{
	*p = (struct piece){ .start = in->pos, .name = in->name, .fd = -1 };
	if (input_find(in, most, &p->end, e) == -1)
		return -1;
	p->start = in->pos;
	if (p->end == NULL)
		p->end = p->start;
	return 0;
}

void
input_skip(struct input *in, unsigned char *end)
{
	in->given += (uint64_t)(end - in->pos);
	if (in->progress != NULL)
		in->progress->read += (uint64_t)(end - in->pos);
	in->pos = end;
	input_forget(in);
}

void
input_trim(struct input *in)
{
	uintptr_t from = page_up((uintptr_t)in->end);

	madvise((void *)from, (uintptr_t)in->base + in->reserved - from,
	    MADV_DONTNEED);
}

int
input_peek(struct input *in, struct block *b, struct hp_err *e)
{
	unsigned char *end;

	*b = (struct block){ 0 };
	if (input_find(in, in->block, &end, e) == -1)
		return -1;
	if (end != NULL) {
		b->start = in->pos;
		b->end = end;
	}
	return 0;
}

/* The one that s lies in. */
static const struct piece *
piece_of(const struct input *in, const unsigned char *s)
{
	size_t low = 0, high = in->npieces, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (in->piece[mid].start <= s)
			low = mid;
		else
			high = mid;
	}
	return &in->piece[low];
}

void
input_copy(
    const struct input *in, unsigned char *to, const unsigned char *s, size_t n)
{
	const struct piece *p = piece_of(in, s);
	uint64_t at = p->off + (uint64_t)(s - p->start);

	if (p->fd == -1 || io_pread(p->fd, to, n, (off_t)at) != (ssize_t)n)
		memcpy(to, s, n);
}

struct span
input_record(const struct input *in, const unsigned char *s)
{
	const unsigned char *end, *p;

	if (in->format->size != 0)
		return (struct span){ s, in->format->size };
	end = in->mapped ? piece_of(in, s)->end : in->end;
	p = memchr(s, in->format->delim, (size_t)(end - s));
	return (struct span){ s, (size_t)((p == NULL ? end : p) - s) };
}

void
input_forget(struct input *in)
{
	uintptr_t page = page_up(1), from = (uintptr_t)in->from;
	size_t carry = (size_t)(in->end - in->pos);

	in->given = 0;
	in->text = 0;
	in->promised = 0;
	if (in->present)
		return;
	if (!in->mapped) {
		memmove(in->base, in->pos, carry);
		in->pos = in->base;
		in->end = in->base + carry;
		return;
	}
	from &= ~(page - 1);
	if (((uintptr_t)in->pos & ~(page - 1)) > from)
		madvise((void *)from, ((uintptr_t)in->pos & ~(page - 1)) - from,
		    MADV_DONTNEED);
	in->from = in->pos;
}
