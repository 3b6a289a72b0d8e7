#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <err.h>

#include "base/size.h"
#include "cmd.h"
#include "job.h"

static int
set_batch(void *to, int letter, const char *arg, struct hp_err *e)
{
	uint64_t n = 0;

	(void)letter;
	if (int_parse(unsigned_part(arg), 2, INT32_MAX, &n, "number", e) == -1)
		return -1;
	*(size_t *)to = (size_t)n;
	return 0;
}

static int
set_codec(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return codec_parse(arg == NULL ? "zstd" : arg, to, e);
}

/* Like sort(1), accepts a repeated option only with the same argument. */
static int
set_once(const char **to, const char *arg, const char *what, struct hp_err *e)
{
	if (*to != NULL && strcmp(*to, arg) != 0)
		return hp_fail(e, HP_USAGE, "multiple %s specified", what);
	*to = arg;
	return 0;
}

int
set_output(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return set_once(to, arg, "output files", e);
}

static int
set_program(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return set_once(to, arg, "compress programs", e);
}

/* clang-format off */
#define TO(member) offsetof(struct sort_job, member)
const struct cmd_option job_options[] = {
	{ 'S', "buffer-size", "SIZE", "use at most SIZE of memory, as 1G or 50%",
	    set_size, TO(memory) },
	{ 0, "batch-size", "N", "merge at most N files at once",
	    set_batch, TO(batch) },
	{ 0, "compress", "[=zstd|lz4]", "compress temporary files",
	    set_codec, TO(codec) },
	{ 0, "compress-program", "PROG", "compress temporary files with PROG",
	    set_program, TO(program), .alone = true },
	{ 0, "header", "N", "begin each file with a header of N records",
	    set_count, TO(header) },
	{ 0, "parallel", "N", "use N threads", set_threads, TO(threads) },
	/*
	 * sort(1) accepts these abbreviations.  With the options that sort(1)
	 * lacks, they would be ambiguous.
	 */
	{ 0, "co", "PROG", NULL, set_program, TO(program), .alone = true },
	{ 0, "com", "PROG", NULL, set_program, TO(program), .alone = true },
	{ 0, "comp", "PROG", NULL, set_program, TO(program), .alone = true },
	{ 0, "compr", "PROG", NULL, set_program, TO(program), .alone = true },
	{ 0, "compre", "PROG", NULL, set_program, TO(program), .alone = true },
	{ 0, "compres", "PROG", NULL, set_program, TO(program), .alone = true },
	{ 0, "p", "N", NULL, set_threads, TO(threads) },
	{ 0 },
};
/* clang-format on */

void
cmd_dropped_check(
    const struct cmd_dropped *d, const char *output, const struct sort_job *job)
{
	if (d->path != NULL && output == NULL && outfile_same("-", d->path))
		errx(EXIT_TROUBLE,
		    "--dropped: standard output contains the records: use -o");
	cmd_outputs_differ("-o", output, "--dropped", d->path);
	cmd_spares_inputs("--dropped", d->path, job->file, job->nfiles);
}

int
cmd_dropped_open(struct cmd_dropped *d, struct order *order,
    struct outfile *out, const char *output, const uint64_t *at,
    struct hp_err *e)
{
	d->file.fd = -1;
	if ((at == NULL ? outfile_open(out, output, e)
			: outfile_open_at(out, output, *at, e)) == -1)
		return -1;
	if (d->path == NULL)
		return 0;
	order->sum_dropped = true;
	return outfile_open(&d->file, d->path, e);
}

int
cmd_dropped_commit(struct cmd_dropped *d, struct outfile *out,
    const struct sort_stats *s, struct hp_err *e)
{
	/*
	 * The summary gets its name first, so that it exists whenever the
	 * output exists.
	 */
	struct outfile *const both[] = { &d->file, out };
	char sum[SUM_HEX];

	if (d->path == NULL)
		return outfile_commit(out, e);
	sum_format(&s->dropped.checksum, sum);
	if (dprintf(d->file.fd,
		"{\"type\":\"dropped\",\"records\":%" PRIu64
		",\"bytes\":%" PRIu64 ",\"checksum\":\"%s\"}\n",
		s->dropped.records, s->dropped.bytes, sum) < 0)
		return hp_fail_errno(e, HP_IO, "%s", d->file.name);
	return outfile_commit_all(both, 2, e);
}
