#include <string.h>

#include "base/clock.h"
#include "base/io.h"
#include "run/feed.h"
#include "sort/batches.h"
#include "sort/sort.h"

/*
 * Adds file number i to the runs to merge. The first file is already open, with
 * its file offset after the header. This descriptor is used if the file cannot
 * be opened again.
 */
static int
add_file(struct runs *r, const struct sort_job *j, size_t i, struct hp_err *e)
{
	const char *file = j->nfiles == 0 ? "-" : j->file[i];
	int fd = -1;

	if (j->part != NULL)
		return runs_add_extent(
		    r, file, j->part[i].off, j->part[i].bytes, e);
	if (i == 0 && r->header != NULL &&
	    (strcmp(file, "-") == 0 || feed_is(file, -1)))
		fd = r->header->fd;
	return runs_add_file(r, file, fd, fd == -1, e);
}

/*
 * Returns whether file number i is "-" (standard input), and an earlier file is
 * "-", too.  Two readers of one pipe would each get a part of its data.  As
 * with sort(1), the first one gets all of it.
 */
static bool
is_read_already(const struct sort_job *j, size_t i)
{
	if (j->part != NULL || i >= j->nfiles || strcmp(j->file[i], "-") != 0)
		return false;
	for (size_t k = 0; k < i; k++)
		if (strcmp(j->file[k], "-") == 0)
			return true;
	return false;
}

static int
merge_below(const struct sort_job *j, struct header *header, int fd,
    const char *name, struct sort_stats *s, struct hp_err *e)
{
	struct budget g;
	double start = clock_now_s();
	struct merged count = { 0 };
	struct runs r;
	struct view v;
	int rc = 0;

	view_init(&v, j->order);
	job_runs(j, &v, &r, &g);
	r.header = header;
	for (size_t i = 0; rc == 0 && (i == 0 || i < j->nfiles); i++)
		if (!is_read_already(j, i))
			rc = add_file(&r, j, i, e);
	if (rc == 0)
		rc = runs_merge(&r, fd, name, &count, e);
	s->records = count.records;
	s->bytes = count.bytes;
	s->written = count.records - count.repeats;
	s->merge_s = clock_now_s() - start;
	job_tell(s, &r, &count);
	runs_fini(&r);
	return rc;
}

/*
 * Fails if an input is also the output: the header would be written into the
 * input before the rest of the input is read.
 */
static int
check_inputs(const struct sort_job *j, int fd, struct hp_err *e)
{
	const char *file;

	for (size_t i = 0; i == 0 || i < j->nfiles; i++) {
		file = j->nfiles == 0 ? "-" : j->file[i];
		if (io_overwrites(fd, file))
			return hp_fail(e, HP_USAGE,
			    "%s: with --header, standard output must not be an "
			    "input: use -o",
			    strcmp(file, "-") == 0 ? "standard input" : file);
	}
	return 0;
}

typedef int way(const struct sort_job *, struct header *, int fd,
    const char *name, struct sort_stats *, struct hp_err *);

/*
 * Writes the header of the first file that is not empty. Removes the files
 * before it, which are empty, from the job: some of them could be FIFOs, which
 * cannot be opened again.
 */
static int
write_header(struct sort_job *j, struct header *h, int fd, const char *name,
    struct hp_err *e)
{
	const char *file = j->nfiles > 0 ? j->file[0] : "-";

	while (header_take(h, file, fd, name, e) == 0) {
		if (h->first.bytes > 0 || j->nfiles < 2)
			return 0;
		io_close(h->fd);
		h->fd = -1;
		j->nfiles--;
		file = *++j->file;
	}
	return -1;
}

static int
below_header(way *rest, const struct sort_job *job, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	struct sort_job j = *job;
	struct header h = {
		.format = &j.order->format, .n = j.header, .fd = -1
	};
	int rc;

	*s = (struct sort_stats){ 0 };
	if (j.header == 0)
		return rest(&j, NULL, fd, name, s, e);
	if (check_inputs(&j, fd, e) == -1 ||
	    write_header(&j, &h, fd, name, e) == -1)
		return -1;
	rc = rest(&j, &h, fd, name, s, e);
	io_close(h.fd);
	h.fd = -1;
	s->header = h;
	return rc;
}

int
sort_files(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	return below_header(batches_sort, j, fd, name, s, e);
}

int
sort_merge(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	return below_header(merge_below, j, fd, name, s, e);
}
