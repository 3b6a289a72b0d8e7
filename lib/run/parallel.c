#include <sys/stat.h>
#include <sys/uio.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/team.h"
#include "run/divide.h"
#include "run/merge.h"
#include "run/parallel.h"

enum {
	/*
	 * Minimum size in bytes of the buffer that each thread has for each
	 * run.
	 */
	BUFFER_THREAD = 1 << 14,
	/*
	 * The merge is divided among threads only if this many sampled records
	 * fit into memory. The samples show where to cut the runs.
	 */
	CUTS = 1024
};

/*
 * Returns whether the run seems to be in the page cache, judged by its middle.
 */
static bool
is_cached(const struct extent_run *x)
{
	unsigned char byte;
	struct iovec v = { .iov_base = &byte, .iov_len = 1 };
	off_t middle = (off_t)(x->off + x->bytes / 2);

	/* A file system that has all data in memory may not know the flag. */
	return preadv2(x->fd, &v, 1, middle, RWF_NOWAIT) != -1 ||
	    errno == EOPNOTSUPP;
}

/*
 * Finds the bytes of the file that hold the run's records, without the header.
 * Returns 1 and fills x. Returns 0 if several threads cannot read the file at
 * different offsets, or if its size is wrong; then one thread must merge.
 * Returns -1 on an error.
 */
static int
file_extent(const struct runs *r, const struct run *run, struct extent_run *x,
    struct hp_err *e)
{
	size_t size = r->view->order->format.size;
	off_t begin = 0;
	struct stat st;

	if ((x->fd = io_open(run->path, e)) == -1)
		return -1;
	if (fstat(x->fd, &st) == -1 || !S_ISREG(st.st_mode) ||
	    (size != 0 && !run->part && (uint64_t)st.st_size % size != 0))
		return 0;
	x->name = run->path;
	if (run->part) {
		/*
		 * If the part ends beyond the end of the file, return 0: the
		 * merge by one thread then reports the error.
		 */
		x->off = run->off;
		x->bytes = run->bytes;
		return x->off + x->bytes <= (uint64_t)st.st_size &&
		    (size == 0 || x->bytes % size == 0);
	}
	if (run->header && header_skip(r->header, x->fd, run->path, e) == -1)
		return -1;
	if (run->header && (begin = lseek(x->fd, 0, SEEK_CUR)) == -1)
		return 0;
	x->off = (uint64_t)begin;
	x->bytes = begin < st.st_size ? (uint64_t)(st.st_size - begin) : 0;
	return 1;
}

/*
 * Stores in x[n] which bytes of a file or tape hold each run. Opens the files;
 * the caller closes the descriptors. Returns 1, 0 if the merge must use one
 * thread, or -1 on an error.
 */
static int
as_extents(struct runs *r, const struct run *run, size_t n,
    struct extent_run *x, struct hp_err *e)
{
	int rc;

	for (size_t i = 0; i < n; i++)
		x[i].fd = -1;
	for (size_t i = 0; i < n; i++) {
		if (run[i].tape.by_program || run[i].suspended != NULL ||
		    run[i].feed != NULL)
			return 0;
		if (run[i].path == NULL) {
			x[i] = (struct extent_run){ .tape = &run[i].tape,
				.fd = -1,
				.bytes = run[i].tape.bytes,
				.name = run[i].tape.file->name };
			continue;
		}
		if (strcmp(run[i].path, "-") == 0 || run[i].fd != -1)
			return 0;
		if ((rc = file_extent(r, &run[i], &x[i], e)) != 1)
			return rc;
		x[i].cached = is_cached(&x[i]);
	}
	return 1;
}

/* Returns the number of threads whose buffers fit into memory; may be 0. */
static unsigned
threads_for(const struct runs *r, size_t n)
{
	uint64_t most = r->memory / BUFFER_THREAD / (n + 2);

	most = most > TEAM_SPARE ? most - TEAM_SPARE : 0;
	return most < r->threads ? (unsigned)most : r->threads;
}

/*
 * Returns true if all runs are parts of files and too small for several
 * threads.
 */
static bool
small_parts(const struct run *run, size_t n)
{
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++) {
		if (!run[i].part)
			return false;
		total += run[i].bytes;
	}
	return total < DIVIDE_LEAST;
}

int
parallel_merge(struct runs *r, const struct run *run, size_t n,
    struct output *out, struct merged *count, struct hp_err *e)
{
	struct extent_run *x;
	unsigned threads = threads_for(r, n);
	uint64_t each = r->memory / (threads + TEAM_SPARE) / (n + 2);
	uint64_t total = 0;
	off_t start = out->at;
	int rc, divided = 0;

	if (n < 2 || small_parts(run, n) ||
	    threads < (run[0].path != NULL && !out->seekable ? 2 : 1) ||
	    runs_two_records(r) > r->memory / CUTS ||
	    (r->store.packers.codec != CODEC_NONE &&
		each < 2 * r->store.packers.block))
		return 0;
	if ((x = calloc(n, sizeof *x)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", n);
	rc = as_extents(r, run, n, x, e);
	for (size_t i = 0; i < n; i++)
		total += x[i].bytes;
	if (rc == 1 && total < DIVIDE_LEAST)
		rc = 0;
	if (rc == 1)
		divided = merge_divided(r->view, &r->store, x, n, threads,
		    r->memory, out, count, e);
	for (size_t i = 0; i < n; i++)
		io_close(x[i].fd);
	free(x);
	/*
	 * If the input is invalid, for example not sorted, the caller merges it
	 * again with one thread, which names the first wrong record.
	 */
	if (divided == -1 && e->kind != HP_INPUT)
		return -1;
	if (divided != 0) {
		*e = (struct hp_err){ 0 };
		output_again(out, start, divided == MERGE_FULL);
		return 0;
	}
	return rc;
}
