#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "sort/divide.h"
#include "sort/runs.h"

enum {
	BUFFER_LEAST = 1 << 16,
	BUFFER_MOST = 1 << 22,
	BUFFER_GOOD = 1 << 19, /* less makes a disk seek too often */
	DESCRIPTORS_KEPT = 16
};

void
runs_init(struct runs *r, const struct view *v, const struct tmpdirs *t,
    uint64_t memory, unsigned threads, size_t batch)
{
	*r = (struct runs){ .view = v,
		.tmp = *t,
		.memory = memory,
		.threads = threads,
		.batch = batch };
}

void
runs_fini(struct runs *r)
{
	for (size_t i = 0; i < r->nfiles; i++) {
		close(r->file[i].fd);
		free(r->file[i].name);
	}
	free(r->file);
	free(r->run);
	*r = (struct runs){ 0 };
}

static int
add(struct runs *r, const struct run *run, struct hp_err *e)
{
	struct run *grown;
	size_t cap = r->cap < 16 ? 16 : 2 * r->cap;

	if (r->n == r->cap) {
		grown = reallocarray(r->run, cap, sizeof *grown);
		if (grown == NULL)
			return hp_fail_errno(e, HP_NOMEM, "runs");
		r->run = grown;
		r->cap = cap;
	}
	r->run[r->n++] = *run;
	return 0;
}

int
runs_add_file(struct runs *r, const char *path, int fd, struct hp_err *e)
{
	struct run run = { .path = path, .fd = fd };

	return add(r, &run, e);
}

/* "temporary file in DIR (N bytes needed in all)" */
static char *
describe(int fd, uint64_t need)
{
	char link[64], path[4096], *slash, *name;
	ssize_t n;
	int rc;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if ((slash = strrchr(path, '/')) != NULL)
		*slash = '\0';
	if (need > 0)
		rc = asprintf(&name,
		    "temporary file in %s, %" PRIu64 " bytes needed", path,
		    need);
	else
		rc = asprintf(&name, "temporary file in %s", path);
	return rc == -1 ? NULL : name;
}

/* Every directory of -T gets a file before any gets a second run. */
static struct tmpfile *
new_file(struct runs *r, struct hp_err *e)
{
	size_t dirs = r->tmp.n > 1 ? r->tmp.n : 1;
	struct tmpfile f = { 0 }, *grown;

	if ((f.fd = tmp_open(&r->tmp, r->nfiles, r->need / dirs, e)) == -1)
		return NULL;
	f.name = describe(f.fd, r->need);
	grown = reallocarray(r->file, r->nfiles + 1, sizeof *grown);
	if (f.name == NULL || grown == NULL) {
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		free(f.name);
		close(f.fd);
		return NULL;
	}
	r->file = grown;
	r->file[r->nfiles++] = f;
	return &r->file[r->nfiles - 1];
}

struct tmpfile *
runs_begin(struct runs *r, struct hp_err *e)
{
	size_t dirs = r->tmp.n > 1 ? r->tmp.n : 1;
	struct tmpfile *f;

	f = r->nfiles < dirs ? new_file(r, e) : &r->file[r->turn++ % dirs];
	if (f != NULL && lseek(f->fd, f->end, SEEK_SET) == -1) {
		hp_fail_errno(e, HP_IO, "%s", f->name);
		return NULL;
	}
	return f;
}

int
runs_end(struct runs *r, struct tmpfile *f, uint64_t bytes, struct hp_err *e)
{
	struct run run = {
		.file = (size_t)(f - r->file), .at = f->end, .bytes = bytes
	};

	f->end += (off_t)bytes;
	r->spilled += bytes;
	return add(r, &run, e);
}

/* How many to merge at once. */
static size_t
width(const struct runs *r)
{
	uint64_t w = r->memory / BUFFER_GOOD, fds = 1024;
	struct rlimit l;

	w = w < 16 ? r->memory / BUFFER_LEAST : w;
	if (getrlimit(RLIMIT_NOFILE, &l) == 0)
		fds = l.rlim_cur;
	fds = fds > DESCRIPTORS_KEPT + 2 ? fds - DESCRIPTORS_KEPT : 2;
	w = w < fds ? w : fds;
	if (r->batch != 0)
		w = w < r->batch ? w : r->batch;
	return w < 2 ? 2 : (size_t)w;
}

static int
open_sources(struct runs *r, const struct run *run, size_t n, struct source *s,
    struct hp_err *e)
{
	uint64_t buffer = r->memory / (n + 4);
	size_t size = buffer < BUFFER_MOST ? (size_t)buffer : BUFFER_MOST;

	for (size_t i = 0; i < n; i++) {
		const struct tmpfile *f = &r->file[run[i].file];

		if ((run[i].path != NULL
			    ? source_open(&s[i], r->view, run[i].path,
				  run[i].fd, size, e)
			    : source_run(&s[i], r->view, f->fd, run[i].at,
				  run[i].bytes, f->name, size, e)) == -1)
			return -1;
	}
	return 0;
}

/* Give the disk back; where this is not supported, at the end. */
static void
release(struct runs *r, const struct run *run, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (run[i].path == NULL && run[i].bytes > 0)
			fallocate(r->file[run[i].file].fd,
			    FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			    run[i].at, (off_t)run[i].bytes);
}

/* The runs as extents; 0 if one cannot be sought in, and what is to be closed
 * is always set. */
static int
as_extents(struct runs *r, const struct run *run, size_t n,
    struct extent_run *x, struct hp_err *e)
{
	struct stat st;
	size_t size;

	for (size_t i = 0; i < n; i++)
		x[i].fd = -1;
	for (size_t i = 0; i < n; i++) {
		if (run[i].path == NULL) {
			const struct tmpfile *f = &r->file[run[i].file];

			x[i] = (struct extent_run){ f->fd, run[i].at,
				run[i].bytes, f->name };
			continue;
		}
		/* A FIFO would be waited for here. */
		if (strcmp(run[i].path, "-") == 0 || run[i].fd != -1 ||
		    (stat(run[i].path, &st) == 0 && !S_ISREG(st.st_mode)))
			return 0;
		if ((x[i].fd = io_open(run[i].path, e)) == -1)
			return -1;
		size = r->view->order->format.size;
		if (fstat(x[i].fd, &st) == -1 || !S_ISREG(st.st_mode) ||
		    (size != 0 && (uint64_t)st.st_size % size != 0))
			return 0;
		x[i].bytes = (uint64_t)st.st_size;
		x[i].name = run[i].path;
	}
	return 1;
}

/*
 * With several threads, where all is of a size that is known and can be sought
 * in: 1 done, 0 it takes one thread.
 */
static int
merge_many(struct runs *r, const struct run *run, size_t n, struct sink *k,
    struct hp_err *e)
{
	struct sink to = *k;
	struct extent_run *x;
	struct stat st;
	int flags = fcntl(k->fd, F_GETFL), rc;

	if (k->at == -1)
		to.at = lseek(k->fd, 0, SEEK_CUR);
	if (r->threads < 2 || n < 2 || r->view->order->unique ||
	    r->memory / r->threads / (n + 2) < BUFFER_LEAST ||
	    fstat(k->fd, &st) == -1 || !S_ISREG(st.st_mode) || flags == -1 ||
	    (flags & O_APPEND) != 0 || to.at == -1)
		return 0;
	if ((x = calloc(n, sizeof *x)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu", n);
	rc = as_extents(r, run, n, x, e);
	if (rc == 1 &&
	    merge_divided(r->view, x, n, r->threads, r->memory, &to, e) == -1)
		rc = -1;
	for (size_t i = 0; i < n; i++)
		if (run[i].path != NULL)
			io_close(x[i].fd);
	free(x);
	/* One thread after the other will say where it is not sorted. */
	if (rc == -1 && e->kind == HP_INPUT) {
		*e = (struct hp_err){ 0 };
		return 0;
	}
	if (rc != 1)
		return rc;
	k->records = to.records;
	k->bytes = to.bytes;
	if (k->at == -1 &&
	    lseek(k->fd, to.at + (off_t)to.bytes, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "%s", k->name);
	return 1;
}

static int
merge_some(struct runs *r, const struct run *run, size_t n, int fd, off_t at,
    const char *name, struct sink *k, struct hp_err *e)
{
	struct source *s = calloc(n + 1, sizeof *s);
	uint64_t buffer = r->memory / (n + 4);
	int rc = -1;

	buffer = buffer < BUFFER_MOST / 4 ? buffer : BUFFER_MOST / 4;
	if (s == NULL || sink_init(k, fd, at, name, (size_t)buffer, e) == -1) {
		free(s);
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu", n);
	}
	k->progress = r->progress;
	if ((rc = merge_many(r, run, n, k, e)) != 0)
		goto out;
	rc = open_sources(r, run, n, s, e);
	if (rc == 0)
		rc = merge(r->view, s, n, k, e);
out:
	for (size_t i = 0; i < n; i++)
		source_close(&s[i]);
	sink_fini(k);
	free(s);
	if (rc == -1)
		return -1;
	release(r, run, n);
	return 0;
}

/* Merge the n runs from `first` on into one that takes their place. */
static int
merge_group(struct runs *r, size_t first, size_t n, struct hp_err *e)
{
	struct tmpfile *f = runs_begin(r, e);
	struct run merged;
	struct sink k;

	if (f == NULL ||
	    merge_some(r, r->run + first, n, f->fd, f->end, f->name, &k, e) ==
		-1 ||
	    runs_end(r, f, k.bytes, e) == -1)
		return -1;
	merged = r->run[--r->n];
	memmove(r->run + first + 1, r->run + first + n,
	    (r->n - first - n) * sizeof *r->run);
	r->run[first] = merged;
	r->n -= n - 1;
	return 0;
}

int
runs_merge(struct runs *r, int fd, const char *name, uint64_t *records,
    struct hp_err *e)
{
	size_t w = width(r), first = 0, n;
	struct sink k;

	while (r->n > w) {
		/* No more than it takes to merge w in the end. */
		n = r->n - w + 1 < w ? r->n - w + 1 : w;
		if (first + 2 > r->n)
			first = 0;
		if (first == 0)
			r->passes++;
		n = n < r->n - first ? n : r->n - first;
		if (merge_group(r, first++, n, e) == -1)
			return -1;
	}
	r->passes++;
	if (merge_some(r, r->run, r->n, fd, -1, name, &k, e) == -1)
		return -1;
	*records = k.records;
	return 0;
}
