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
#include "sort/input.h"

enum {
	BLOCK = 1 << 20,
	BLOCK_LEAST = 1 << 14
};

static const char *const standard_input[] = { "-" };

static const char *
name_of(const char *file)
{
	return strcmp(file, "-") == 0 ? "standard input" : file;
}

static size_t
page_up(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page;
}

/* Addresses without memory: as many as there are, for input of any size. */
static int
reserve(struct input *in, size_t want, size_t least, struct hp_err *e)
{
	void *p = MAP_FAILED;

	for (; want >= least; want /= 2) {
		p = mmap(NULL, want, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p != MAP_FAILED || want == least)
			break;
	}
	if (p == MAP_FAILED)
		return hp_fail_errno(e, HP_NOMEM, "memory for the input");
	in->base = in->pos = in->end = in->from = p;
	in->reserved = want;
	return 0;
}

static int
open_file(const struct input *in, size_t i, struct hp_err *e)
{
	int fd;

	if (i > 0 || in->first == -1)
		return io_open(in->file[i], e);
	if ((fd = fcntl(in->first, F_DUPFD_CLOEXEC, 0)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", name_of(in->file[i]));
	return fd;
}

struct opened {
	int fd;
	uint64_t off, bytes;
};

/* Can the open file be mapped, and what of it? */
static bool
mappable(const struct input *in, struct opened *o, const struct stat * not )
{
	struct stat st;
	off_t at;
	char c;

	if (fstat(o->fd, &st) == -1 || !S_ISREG(st.st_mode) ||
	    (not != NULL && st.st_dev == not ->st_dev &&
		st.st_ino == not ->st_ino))
		return false;
	/* Files of /proc say that they are empty. */
	if (st.st_size == 0)
		return pread(o->fd, &c, 1, 0) == 0;
	if ((at = lseek(o->fd, 0, SEEK_CUR)) == -1)
		return false;
	o->off = (uint64_t)at;
	if (in->extent.bytes != UINT64_MAX || in->extent.off != 0)
		o->off = in->extent.off;
	o->bytes = o->off < (uint64_t)st.st_size ? (uint64_t)st.st_size - o->off
						 : 0;
	if (o->bytes > in->extent.bytes)
		o->bytes = in->extent.bytes;
	return true;
}

static int
check_whole(
    const struct input *in, const char *name, uint64_t bytes, struct hp_err *e)
{
	size_t size = in->format->size;

	if (size == 0 || bytes % size == 0)
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: record %" PRIu64 ": %" PRIu64 " bytes where %zu are a record",
	    name, bytes / size + 1, bytes % size, size);
}

static int
map_piece(struct input *in, struct opened *o, size_t *used, const char *name,
    struct hp_err *e)
{
	size_t page = page_up(1), skip = o->off % page;
	unsigned char *at = in->base + *used;

	if (o->bytes == 0)
		return 0;
	if (check_whole(in, name, o->bytes, e) == -1)
		return -1;
	if (mmap(at, o->bytes + skip, PROT_READ, MAP_PRIVATE | MAP_FIXED, o->fd,
		(off_t)(o->off - skip)) == MAP_FAILED)
		return hp_fail_errno(e, HP_IO, "%s", name);
	madvise(at, o->bytes + skip, MADV_SEQUENTIAL);
	in->piece[in->npieces++] = (struct piece){ at + skip,
		at + skip + o->bytes, name };
	*used += page_up(o->bytes + skip);
	return 0;
}

/* A FIFO must be opened once: its writer takes a close for the end. */
static bool
is_fifo(const char *file)
{
	struct stat st;

	return strcmp(file, "-") != 0 && stat(file, &st) == 0 &&
	    S_ISFIFO(st.st_mode);
}

/* Map all files; 0 if they cannot be or are too large, 1 when done. */
static int
map_all(struct input *in, uint64_t most, int not_fd, struct hp_err *e)
{
	struct opened *o = calloc(in->nfiles, sizeof *o);
	struct stat not ;
	bool has_not = not_fd != -1 && fstat(not_fd, &not ) == 0;
	size_t used = 0, n = 0;
	uint64_t total = 0;
	off_t begin = -1; /* of standard input */
	int rc = -1;

	in->piece = calloc(in->nfiles, sizeof *in->piece);
	if (o == NULL || in->piece == NULL) {
		hp_fail_errno(e, HP_NOMEM, "input");
		goto out;
	}
	for (; n < in->nfiles; n++) {
		if (is_fifo(in->file[n])) {
			rc = 0;
			goto out;
		}
		if ((o[n].fd = open_file(in, n, e)) == -1) {
			rc = e->errnum == EMFILE ? 0 : -1;
			goto out;
		}
		if (!mappable(in, &o[n], has_not ? &not : NULL)) {
			n++;
			rc = 0;
			goto out;
		}
		/* Standard input is read once, by whoever shares it. */
		if (strcmp(in->file[n], "-") == 0) {
			if (begin == -1)
				begin = (off_t)o[n].off;
			lseek(
			    o[n].fd, (off_t)(o[n].off + o[n].bytes), SEEK_SET);
		}
		used += page_up(o[n].bytes) + page_up(1);
		total += o[n].bytes;
	}
	in->total = total;
	if (total > most) {
		rc = 0;
		goto out;
	}
	if (reserve(in, used, used, e) == -1)
		goto out;
	used = 0;
	for (size_t i = 0; i < n; i++)
		if (map_piece(in, &o[i], &used, name_of(in->file[i]), e) == -1)
			goto out;
	in->mapped = true;
	if (in->npieces > 0) {
		in->pos = in->from = in->piece[0].start;
		in->end = in->piece[0].end;
	}
	rc = 1;
out:
	if (rc != 1 && begin != -1)
		lseek(STDIN_FILENO, begin, SEEK_SET);
	for (size_t i = 0; o != NULL && i < n; i++)
		io_close(o[i].fd);
	free(o);
	return rc;
}

int
input_open(struct input *in, const struct format *format,
    const char *const *file, size_t n, int first, const struct extent *extent,
    uint64_t map_most, int not_fd, struct hp_err *e)
{
	int rc;

	*in = (struct input){ .format = format,
		.file = n > 0 ? file : standard_input,
		.nfiles = n > 0 ? n : 1,
		.first = first,
		.extent = *extent,
		.block = BLOCK,
		.cap = SIZE_MAX,
		.fd = -1 };
	pthread_mutex_init(&in->lock, NULL);
	if ((rc = map_all(in, map_most, not_fd, e)) != 0)
		return rc == 1 ? 0 : -1;
	return reserve(in, mem_limit() * 2, 1 << 24, e);
}

void
input_close(struct input *in)
{
	if (in->fd != -1)
		io_close(in->fd);
	if (in->base != NULL)
		munmap(in->base, in->reserved);
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
	in->name = name_of(in->file[in->next]);
	if ((in->fd = open_file(in, in->next, e)) == -1)
		return -1;
	in->next++;
	in->left = in->extent.bytes;
	if ((in->extent.off != 0 || in->left != UINT64_MAX) &&
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
	if (size != 0)
		return check_whole(
		    in, in->name, (uint64_t)(in->end - in->pos) % size, e);
	if (in->end > in->pos && in->end[-1] != in->format->delim)
		*in->end++ = in->format->delim;
	return 0;
}

/* Read until there are `want` bytes at pos, or no more at all. */
static int
fill(struct input *in, size_t want, struct hp_err *e)
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
		/* One byte stays for the delimiter that may lack. */
		room = in->reserved - (size_t)(in->end - in->base) - 1;
		if (room == 0)
			return hp_fail(e, HP_NOMEM,
			    "%s: a record does not fit into memory", in->name);
		n = n < room ? n : room;
		n = n < in->left ? n : (size_t)in->left;
		got = io_read(in->fd, in->end, n);
		if (got == -1)
			return hp_fail_errno(e, HP_IO, "%s", in->name);
		in->end += got;
		if (in->left != UINT64_MAX)
			in->left -= (uint64_t)got;
		if ((size_t)got < n || in->left == 0)
			if (end_file(in, e) == -1)
				return -1;
	}
	return 0;
}

/* Where the whole records among the first `want` bytes at pos end: NULL when
 * there is none. */
static unsigned char *
whole_records(const struct input *in, size_t want)
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

/* Text up to the next block's end; NULL and eof at the end of all. */
static int
find_block(struct input *in, size_t want, unsigned char **end, struct hp_err *e)
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
		if (!in->mapped && fill(in, want, e) == -1)
			return -1;
		*end = NULL;
		if (in->pos == in->end)
			return 0;
		if ((*end = whole_records(in, want)) != NULL)
			return 0;
		want *= 2; /* one long record */
	}
}

static size_t
count_records(
    const struct input *in, const unsigned char *s, const unsigned char *end)
{
	unsigned char delim = in->format->delim;
	size_t n = 0;

	if (in->format->size != 0)
		return (size_t)(end - s) / in->format->size;
	for (; s < end; s++)
		n += *s == delim;
	return n + 1;
}

/* Bytes still free for this run. */
static size_t
free_bytes(const struct input *in, const struct arena *a)
{
	size_t used = a->used + in->text + in->promised;

	return used < in->cap ? in->cap - used : 0;
}

/* Of mapped text, all may be resident at any time. */
static bool
counted(const struct input *in)
{
	return !in->mapped || in->passing;
}

static int
locked_block(
    struct input *in, const struct arena *a, struct block *b, struct hp_err *e)
{
	bool first = in->given == 0;
	size_t want = in->block, have, bytes, text, cost;
	unsigned char *end;

	in->promised -= b->promised;
	if (in->passing)
		in->text -= (size_t)(b->end - b->start);
	else if (in->mapped)
		in->text = in->total;
	b->promised = 0;
	have = free_bytes(in, a);
	/* Half for the text, half for its entries. */
	while (want > BLOCK_LEAST && want > have / 2)
		want /= 2;
	if (!first && want > have / 2 && (in->pos < in->end || !in->eof))
		return INPUT_FULL;
	if (find_block(in, want, &end, e) == -1)
		return -1;
	if (end == NULL)
		return INPUT_END;
	bytes = (size_t)(end - in->pos);
	cost = in->format->size != 0 ? bytes / in->format->size * in->per_record
				     : (bytes + 1) * in->per_record;
	text = counted(in) ? bytes : 0;
	if (cost > SIZE_MAX / 2 || text + cost > have)
		cost = count_records(in, in->pos, end) * in->per_record;
	/* The lists' chunks are not quite full. */
	if (in->copied)
		cost += bytes + bytes / 8;
	if (!first && text + cost > have)
		return INPUT_FULL;
	b->start = in->pos;
	b->end = in->pos = end;
	b->promised = cost;
	in->promised += cost;
	in->text += text;
	in->given += bytes;
	if (in->progress != NULL)
		in->progress->read += bytes;
	return INPUT_BLOCK;
}

/* The memory of a block that is done with; its first and last pages may be
 * its neighbours' too. */
static void
drop(const struct block *b)
{
	uintptr_t start = page_up((uintptr_t)b->start);
	uintptr_t end = (uintptr_t)b->end & ~(page_up(1) - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

void
input_keep(struct input *in, struct block *b, const unsigned char *s,
    const unsigned char *end)
{
	struct block done = { b->start, s, 0 };

	drop(&done);
	pthread_mutex_lock(&in->lock);
	in->text -= (size_t)(s - b->start);
	pthread_mutex_unlock(&in->lock);
	b->start = end;
}

int
input_block(
    struct input *in, const struct arena *a, struct block *b, struct hp_err *e)
{
	int rc;

	if (in->passing && b->end != NULL)
		drop(b);
	pthread_mutex_lock(&in->lock);
	rc = locked_block(in, a, b, e);
	pthread_mutex_unlock(&in->lock);
	/* Many pages at once cost a tenth of a fault for each. */
	if (rc == INPUT_BLOCK && in->mapped) {
		uintptr_t start = (uintptr_t)b->start & ~(page_up(1) - 1);
		madvise((void *)start, (uintptr_t)b->end - start,
		    MADV_POPULATE_READ);
	}
	return rc;
}

int
input_peek(struct input *in, struct block *b, struct hp_err *e)
{
	unsigned char *end;

	*b = (struct block){ 0 };
	if (find_block(in, in->block, &end, e) == -1)
		return -1;
	if (end != NULL) {
		b->start = in->pos;
		b->end = end;
	}
	return 0;
}

static bool
resident(const unsigned char *p)
{
	uintptr_t page = (uintptr_t)p & ~(page_up(1) - 1);
	unsigned char in_core = 0;

	return mincore((void *)page, 1, &in_core) == 0 && (in_core & 1);
}

/* From the start of the first record at or behind s in its page; false when
 * none starts there. */
static bool
stretch(const struct input *in, const struct piece *p, const unsigned char *s,
    struct block *b)
{
	size_t size = in->format->size, off = (size_t)(s - p->start);
	const unsigned char *end;

	if (!resident(s))
		return false;
	end = s + (page_up((uintptr_t)s + 1) - (uintptr_t)s);
	end = end < p->end ? end : p->end;
	if (size != 0) {
		b->start = p->start + off / size * size;
		b->end = (size_t)(end - b->start) < size ? b->start + size
							 : end;
		return true;
	}
	s = memchr(s, in->format->delim, (size_t)(end - s));
	if (s == NULL || s + 1 == end)
		return false;
	b->start = s + 1;
	b->end = end;
	return true;
}

size_t
input_sample(const struct input *in, struct block *b, size_t n)
{
	uint64_t step = in->total / (n + 1) + 1, at = 0, skip;
	size_t found = 0;

	if (!in->mapped)
		return 0;
	for (size_t i = 0; i < in->npieces; i++) {
		const struct piece *p = &in->piece[i];
		uint64_t len = (uint64_t)(p->end - p->start);

		for (skip = (step - at % step) % step; skip < len; skip += step)
			if (found < n &&
			    stretch(in, p, p->start + skip, &b[found]))
				found++;
		at += len;
	}
	return found;
}

/* Where the text ends that s lies in. */
static const unsigned char *
text_end(const struct input *in, const unsigned char *s)
{
	size_t low = 0, high = in->npieces, mid;

	if (!in->mapped)
		return in->end;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (in->piece[mid].start <= s)
			low = mid;
		else
			high = mid;
	}
	return in->piece[low].end;
}

struct span
input_record(const struct input *in, const unsigned char *s)
{
	const unsigned char *end, *p;

	if (in->format->size != 0)
		return (struct span){ s, in->format->size };
	end = text_end(in, s);
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
