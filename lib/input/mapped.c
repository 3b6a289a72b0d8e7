#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/space.h"
#include "input/file.h"
#include "input/mapped.h"

enum {
	/*
	 * minimum size in bytes of a file that is mapped; for smaller files,
	 * read(2) is faster
	 */
	FEW = 1 << 16,
	OPEN_MOST = 16, /* files kept open for input_copy */
	/* descriptors for the output, temporary files and the like */
	OPEN_BESIDE = 32
};

struct opened {
	int fd;
	uint64_t off, bytes;
};

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

/*
 * Finds out whether file number i, which is open, can be mapped. If so, stores
 * the part to sort and returns 1. Returns 0 if the file cannot be mapped, and
 * -1 on error.
 */
static int
mappable(const struct input *in, size_t i, struct opened *o,
    const struct stat *output, struct hp_err *e)
{
	struct stat st;
	off_t at;
	char c;

	if (fstat(o->fd, &st) == -1 || !S_ISREG(st.st_mode) ||
	    (output != NULL && st.st_dev == output->st_dev &&
		st.st_ino == output->st_ino))
		return 0;
	/*
	 * A file that has data although its size is 0, such as a file of /proc,
	 * cannot be mapped.
	 */
	if (st.st_size == 0 && pread(o->fd, &c, 1, 0) != 0)
		return 0;
	if (in->extent.bytes != UINT64_MAX) {
		o->off = in->extent.off;
		o->bytes = in->extent.bytes;
		/*
		 * A file that ends before the requested extent is not mapped.
		 * Reading it reports the error.
		 */
		return o->off <= (uint64_t)st.st_size &&
		    o->bytes <= (uint64_t)st.st_size - o->off;
	}
	if (input_skip_header(in, i, o->fd, e) == -1)
		return -1;
	if ((at = lseek(o->fd, 0, SEEK_CUR)) == -1)
		return 0;
	o->off = (uint64_t)at;
	o->bytes = at < st.st_size ? (uint64_t)(st.st_size - at) : 0;
	return 1;
}

/*
 * Returns the address at which to map a file. A large file is aligned to huge
 * pages in memory in the same way as on disk. Otherwise the kernel could map
 * again pages that the program has already dropped (madvise).
 */
static unsigned char *
place(const struct input *in, size_t used, const struct opened *o, size_t skip)
{
	unsigned char *at = in->base + used;

	if (o->bytes < HUGE_PAGE)
		return at;
	return at + (o->off - skip - (uintptr_t)at) % HUGE_PAGE;
}

/*
 * Returns whether the files may stay open for input_copy. With a low limit on
 * open files, the temporary files need the descriptors.
 */
static bool
stay_open(const struct input *in)
{
	struct rlimit l;

	return in->nfiles <= OPEN_MOST && getrlimit(RLIMIT_NOFILE, &l) == 0 &&
	    l.rlim_cur >= in->nfiles + OPEN_BESIDE;
}

static int
map_piece(struct input *in, struct opened *o, size_t *used, const char *name,
    struct hp_err *e)
{
	size_t skip = in->present ? 0 : o->off % page_up(1);
	unsigned char *at = place(in, *used, o, skip);
	ssize_t n = (ssize_t)o->bytes;

	if (n == 0)
		return 0;
	if (in->present)
		n = io_pread(o->fd, at, o->bytes, (off_t)o->off);
	else if (mmap(at, o->bytes + skip, PROT_READ, MAP_PRIVATE | MAP_FIXED,
		     o->fd, (off_t)(o->off - skip)) == MAP_FAILED)
		n = -1;
	else
		madvise(at, o->bytes + skip, MADV_SEQUENTIAL);
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", name);
	if (input_check_whole(in, name, (uint64_t)n, e) == -1)
		return -1;
	/* A file in /sys can have fewer bytes than its size says. */
	in->total -= o->bytes - (uint64_t)n;
	if (n > 0)
		in->piece[in->npieces++] = (struct text_piece){ at + skip,
			at + skip + n, name, -1, o->off };
	if (!in->present && stay_open(in)) {
		in->piece[in->npieces - 1].fd = o->fd;
		o->fd = -1;
	}
	*used = (size_t)(at - in->base) + page_up((size_t)n + skip);
	return 0;
}

/*
 * Returns whether the file is a FIFO. A FIFO must be opened only once: its
 * writer fails when the reader closes it.
 */
static bool
is_fifo(const char *file)
{
	struct stat st;

	return strcmp(file, "-") != 0 && stat(file, &st) == 0 &&
	    S_ISFIFO(st.st_mode);
}

/* The files while they are being mapped. */
struct opening {
	struct opened *file;
	size_t n;
	uint64_t bytes;
	/*
	 * file offset of standard input before its data was mapped; -1:
	 * standard input is not mapped
	 */
	off_t begin;
};

/*
 * Opens the next input file. Returns 1, or 0 if the file cannot be mapped, or
 * -1 on error.
 */
static int
open_next(struct input *in, struct opening *all, const struct stat *output,
    struct hp_err *e)
{
	const char *name = in->file[all->n];
	struct opened *o = &all->file[all->n];
	off_t at;
	int rc;

	if (is_fifo(name))
		return 0;
	if ((o->fd = input_open_file(in, all->n, e)) == -1)
		return e->errnum == EMFILE ? 0 : -1;
	at = lseek(o->fd, 0, SEEK_CUR);
	if ((rc = mappable(in, all->n++, o, output, e)) != 1)
		return rc;
	all->bytes += o->bytes;
	/*
	 * Standard input may be named twice, or another process may read it
	 * later. Move the file offset past the data that is mapped here, so
	 * that no one reads this data a second time.
	 */
	if (strcmp(name, "-") == 0) {
		if (all->begin == -1)
			all->begin = at;
		lseek(o->fd, (off_t)(o->off + o->bytes), SEEK_SET);
	}
	return 1;
}

/* Maps all open files at consecutive addresses. Returns 1 or -1. */
static int
map_all(struct input *in, const struct opening *all, struct hp_err *e)
{
	struct opened *o = all->file;
	size_t room = 0, used = 0;

	for (size_t i = 0; i < all->n; i++)
		room += page_up(o[i].bytes) + page_up(1) +
		    (o[i].bytes < HUGE_PAGE ? 0 : HUGE_PAGE);
	in->present = all->bytes <= FEW;
	if (input_reserve(in, room, room, e) == -1)
		return -1;
	for (size_t i = 0; i < all->n; i++)
		if (map_piece(in, &o[i], &used, input_name(in->file[i]), e) ==
		    -1)
			return -1;
	in->mapped = true;
	if (in->npieces > 0) {
		in->pos = in->from = in->piece[0].start;
		in->end = in->piece[0].end;
	}
	return 1;
}

int
input_map(struct input *in, uint64_t most, int not_fd, struct hp_err *e)
{
	struct opening all = { .begin = -1 };
	struct stat output;
	bool has_output = not_fd != -1 && fstat(not_fd, &output) == 0;
	int rc = 1;

	all.file = calloc(in->nfiles, sizeof *all.file);
	in->piece = calloc(in->nfiles, sizeof *in->piece);
	if (all.file == NULL || in->piece == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "input");
	while (rc == 1 && all.n < in->nfiles)
		rc = open_next(in, &all, has_output ? &output : NULL, e);
	if (rc == 1) {
		in->total = all.bytes;
		rc = all.bytes > most ? 0 : map_all(in, &all, e);
	}
	if (rc != 1 && all.begin != -1)
		lseek(STDIN_FILENO, all.begin, SEEK_SET);
	for (size_t i = 0; i < all.n; i++)
		io_close(all.file[i].fd);
	free(all.file);
	return rc;
}

void
input_populate(
    const struct input *in, const unsigned char *s, const unsigned char *end)
{
#ifdef MADV_POPULATE_READ
	uintptr_t start = (uintptr_t)s & ~(page_up(1) - 1);

	if (in->mapped && !in->present)
		madvise(
		    (void *)start, (uintptr_t)end - start, MADV_POPULATE_READ);
#else
	(void)in;
	(void)s;
	(void)end;
#endif
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

const struct text_piece *
input_piece(const struct input *in, const unsigned char *s)
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
