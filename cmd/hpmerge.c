/* hpmerge(1): merges sorted inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "base/array.h"
#include "base/io.h"
#include "base/outfile.h"
#include "base/size.h"
#include "cmd.h"
#include "job.h"
#include "ordering.h"
#include "progress.h"

struct opts {
	struct order order;
	struct sort_job job;
	struct {
		struct sort_extent *v;
		size_t n, cap;
	} extents;
	const char *output;
	uint64_t at; /* offset in the output */
	bool placed; /* --at is given */
	struct cmd_dropped dropped;
	/*
	 * -c of sort(1) has no effect: hpmerge always checks the order of its
	 * inputs.
	 */
	bool check, progress;
};

static int
set_at(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	o->placed = true;
	return offset_parse(arg, &o->at, e);
}

static int
add_extent(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;
	struct sort_extent *v;

	(void)letter;
	if (ARRAY_ROOM(o->extents.v, o->extents.n, o->extents.cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "extents");
	v = &o->extents.v[o->extents.n++];
	return extent_parse(arg, &v->off, &v->bytes, e);
}

/* clang-format off */
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'c', "check", NULL, "no effect; the order is always checked",
	    set_flag, TO(check) },
	{ 'o', "output", "FILE", "write to FILE, which may also be an input",
	    set_output, TO(output), .alone = true },
	{ 0, "at", "OFFSET", "write into FILE of -o from this byte on",
	    set_at, 0 },
	{ 0, "dropped", "FILE", "write a summary of dropped records",
	    set_text, TO(dropped.path) },
	{ 0, "extent", "OFFSET:BYTES", "merge only this part of the next file",
	    add_extent, .many = true },
	{ 0, "progress", NULL, "show how much is read and written",
	    set_flag, TO(progress) },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = {
	{ ordering_options, TO(order) },
	{ job_options, TO(job) },
	{ own },
	{ 0 },
};
static const struct cmd_form forms[] = { { NULL, "[FILE...]" }, { 0 } };
static const struct cmd_syntax syntax = { forms, parts, "" };

static void
parse(struct opts *o, int argc, char *argv[])
{
	int first;

	*o = (struct opts){ .job = { .memory = UINT64_MAX,
				.threads = cpu_count() },
		.dropped.file.fd = -1 };
	order_init(&o->order);
	first = cmd_parse(&syntax, o, argc, argv);
	ordering_done(&o->order);
	o->job.order = &o->order;
	o->job.file = (const char *const *)(argv + first);
	o->job.nfiles = (size_t)(argc - first);
	o->job.tmp.output = o->output;
	o->job.part = o->extents.v;
	cmd_dropped_check(&o->dropped, o->output, &o->job);
	if (o->extents.n > 0 && o->extents.n != o->job.nfiles)
		errx(EXIT_TROUBLE, "%zu --extent options for %zu files",
		    o->extents.n, o->job.nfiles);
	if (o->extents.n > 0 && o->job.header > 0)
		errx(EXIT_TROUBLE, "--extent and --header cannot be combined");
	if (o->placed && o->output == NULL)
		errx(EXIT_TROUBLE, "--at needs -o");
	if (o->job.nfiles == 0)
		cmd_reads_terminal();
}

/*
 * Fails if an input is the output of --at, which is written while the inputs
 * are read.
 */
static int
check_inputs(
    const struct sort_job *j, const struct outfile *out, struct hp_err *e)
{
	for (size_t i = 0; i == 0 || i < j->nfiles; i++)
		if (io_overwrites(out->fd, j->nfiles == 0 ? "-" : j->file[i]))
			return hp_fail(e, HP_USAGE,
			    "%s: is an input, so --at cannot write to it",
			    out->name);
	return 0;
}

int
main(int argc, char *argv[])
{
	struct progress progress = { 0 };
	struct progress_line *line = NULL;
	struct outfile out = { .fd = -1 };
	struct sort_stats stats;
	struct hp_err e = { 0 };
	struct opts o;
	int rc = -1;

	io_open_many();
	parse(&o, argc, argv);
	if (o.progress) {
		o.job.progress = &progress;
		line = progress_start(&progress);
	}
	if (cmd_dropped_open(&o.dropped, &o.order, &out, o.output,
		o.placed ? &o.at : NULL, &e) == 0 &&
	    (!o.placed || check_inputs(&o.job, &out, &e) == 0))
		rc = sort_merge(&o.job, out.fd, out.name, &stats, &e);
	progress_stop(line);
	if (rc == 0)
		cmd_header_warn(&stats.header);
	if (rc == 0)
		rc = cmd_dropped_commit(&o.dropped, &out, &stats, &e);
	outfile_abort(&o.dropped.file);
	outfile_abort(&out);
	order_fini(&o.order);
	free(o.extents.v);
	return cmd_finish(rc, &e);
}
