#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <err.h>

#include "base/size.h"
#include "job.h"

bool
cmd_job_option(struct sort_job *j, int letter, const char *arg)
{
	struct hp_err e = { 0 };
	uint64_t n = 0;
	int rc = 0;

	switch (letter) {
	case 'S':
		rc = size_parse(arg, &j->memory, &e);
		break;
	case CMD_BATCH_SIZE:
		rc = int_parse(
		    unsigned_part(arg), 2, INT32_MAX, &n, "batch size", &e);
		j->batch = (size_t)n;
		break;
	case CMD_COMPRESS:
		rc = codec_parse(arg == NULL ? "zstd" : arg, &j->codec, &e);
		break;
	case CMD_COMPRESS_PROGRAM:
		if (j->program != NULL && strcmp(j->program, arg) != 0)
			rc = hp_fail(&e, HP_USAGE,
			    "multiple compress programs specified");
		j->program = arg;
		break;
	case CMD_PARALLEL:
		rc = threads_parse(arg, &j->threads, &e);
		break;
	default:
		return false;
	}
	if (rc == -1)
		cmd_bad(&e);
	return true;
}

int
cmd_dropped_open(struct cmd_dropped *d, struct order *order,
    struct outfile *out, const char *output, struct hp_err *e)
{
	d->file.fd = -1;
	if (outfile_open(out, output, e) == -1)
		return -1;
	if (d->path == NULL)
		return 0;
	order->sum_dropped = true;
	if (outfile_open(&d->file, d->path, e) == -1)
		return -1;
	if (d->file.fd == out->fd)
		errx(EXIT_TROUBLE,
		    "--dropped: standard output is for the records: use -o");
	return 0;
}

int
cmd_dropped_commit(struct cmd_dropped *d, struct outfile *out,
    const struct sort_stats *s, struct hp_err *e)
{
	/* Where there is an output, there is its summary. */
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
