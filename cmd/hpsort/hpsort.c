/* hpsort(1): sorts on this machine, in memory or with temporary files. */
#include <sys/resource.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <err.h>
#include <unistd.h>

#include "base/io.h"
#include "base/outfile.h"
#include "opts.h"
#include "progress.h"
#include "record/explain.h"
#include "sort/check.h"

/* Prints the figures of --stats as one line of JSON on standard error. */
static void
print_stats(const struct sort_job *j, const struct sort_stats *s)
{
	struct rusage u = { 0 };

	getrusage(RUSAGE_SELF, &u);
	fprintf(stderr,
	    "{\"records\": %" PRIu64 ", \"bytes\": %" PRIu64
	    ", \"written\": %" PRIu64 ", \"runs\": %" PRIu64
	    ", \"merge\": \"%s\""
	    ", \"passes\": %" PRIu64 ", \"moved_bytes\": %" PRIu64
	    ", \"spilled_bytes\": %" PRIu64 ", \"stored_bytes\": %" PRIu64
	    ", \"read_s\": %.3f, \"sort_s\": %.3f, \"merge_s\": %.3f"
	    ", \"user_s\": %.3f, \"system_s\": %.3f, \"peak_bytes\": %ju}\n",
	    s->records, s->bytes, s->written, s->runs,
	    j->way == MERGE_POLYPHASE ? "polyphase" : "kway", s->passes,
	    s->moved, s->spilled, s->stored, s->read_s, s->sort_s, s->merge_s,
	    (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6,
	    (double)u.ru_stime.tv_sec + (double)u.ru_stime.tv_usec / 1e6,
	    (uintmax_t)u.ru_maxrss * 1024);
}

/* Implements --debug: prints the sorted lines with marks below each. */
static int
explain(const struct order *o, uint64_t header, int fd, struct hp_err *e)
{
	int delim = o->format.delim;
	size_t cap = 0;
	char *line = NULL;
	ssize_t n;
	FILE *f;
	int rc = 0;

	if (lseek(fd, 0, SEEK_SET) == -1 || (f = fdopen(fd, "r")) == NULL)
		return hp_fail_errno(e, HP_IO, "temporary file");
	for (; (n = getdelim(&line, &cap, delim, f)) > 0; header -= header > 0)
		if (header > 0)
			fwrite(line, 1, (size_t)n, stdout);
		else
			explain_line(o, (const unsigned char *)line,
			    (size_t)n - 1, stdout);
	if (ferror(f))
		rc = hp_fail_errno(e, HP_IO, "temporary file");
	free(line);
	fclose(f);
	return rc;
}

static int
sort(struct opts *o, int fd, const char *name, struct sort_stats *s,
    struct hp_err *e)
{
	return (o->merge ? sort_merge : sort_files)(&o->job, fd, name, s, e);
}

/*
 * Sorts into a temporary file first, then prints the lines with marks below
 * their keys.
 */
static int
debug(struct opts *o, struct sort_stats *s, struct hp_err *e)
{
	int fd;

	explain_options(&o->order, warnx);
	if ((fd = tmp_open(&o->job.tmp, 0, 0, e)) == -1)
		return -1;
	if (sort(o, fd, "temporary file", s, e) == -1) {
		close(fd);
		return -1;
	}
	return explain(&o->order, s->header.first.records, fd, e);
}

int
main(int argc, char *argv[])
{
	struct progress progress = { 0 };
	struct progress_line *line = NULL;
	struct sort_stats stats = { 0 };
	struct outfile out = { .fd = -1 };
	struct hp_err e = { 0 };
	struct opts o;
	int rc = -1;

	cmd_maps_files();
	io_open_many();
	opts_parse(&o, argc, argv);
	if (o.check != 0) {
		rc = sort_check(&o.job, &e);
		if (o.check == 'C' && e.kind == HP_NO)
			e.text[0] = '\0';
		goto out;
	}
	if (cmd_dropped_open(&o.dropped, &o.order, &out, o.output, NULL, &e) ==
	    -1)
		goto out;
	if (o.progress) {
		o.job.progress = &progress;
		line = progress_start(&progress);
	}
	rc = o.debug ? debug(&o, &stats, &e)
		     : sort(&o, out.fd, out.name, &stats, &e);
	progress_stop(line);
	if (rc == 0)
		cmd_header_warn(&stats.header);
	if (rc == 0)
		rc = cmd_dropped_commit(&o.dropped, &out, &stats, &e);
	if (rc == 0 && o.stats) {
		print_stats(&o.job, &stats);
		rc = cmd_told(&e);
	}
out:
	outfile_abort(&o.dropped.file);
	outfile_abort(&out);
	opts_fini(&o);
	return cmd_finish(rc, &e);
}
