/* hpmerge(1): merges sorted inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "base/outfile.h"
#include "base/size.h"
#include "job.h"
#include "progress.h"

static const char usage[] =
    "hpmerge [-bcdfghiMnRrsuVz] [-F FORMAT] [-k POS1[,POS2]]... [-o FILE]\n"
    "               [-S SIZE] [-t C] [--batch-size N]\n"
    "               [--compress[=zstd|lz4]] [--compress-program PROG]\n"
    "               [--dropped FILE] [--parallel N] [--progress]\n"
    "               [--random-source FILE] [--sort WORD] [FILE...]";

enum {
	PROGRESS = CMD_JOB_OWN
};

static const struct option longopts[] = {
	CMD_ORDER_LONG,
	CMD_COMMON_LONG,
	CMD_JOB_LONG,
	{ "check", no_argument, NULL, 'c' },
	{ "output", required_argument, NULL, 'o' },
	{ "progress", no_argument, NULL, PROGRESS },
	{ NULL, 0, NULL, 0 },
};

static void
parse(struct order *order, struct sort_job *j, struct progress *progress,
    const char **output, struct cmd_dropped *dropped, int argc, char *argv[])
{
	int c;

	while ((c = getopt_long(argc, argv,
		    "c" CMD_ORDER_SHORT "o:S:", longopts, NULL)) != -1) {
		if (cmd_order_option(order, c, optarg) ||
		    cmd_job_option(j, c, optarg))
			continue;
		switch (c) {
		case 'c': /* as it does anyway */
			break;
		case 'o':
			if (*output != NULL && strcmp(*output, optarg) != 0)
				errx(EXIT_TROUBLE,
				    "multiple output files specified");
			*output = optarg;
			break;
		case CMD_DROPPED:
			dropped->path = optarg;
			break;
		case PROGRESS:
			j->progress = progress;
			break;
		default:
			cmd_other_option(c, usage);
		}
	}
	cmd_order_done(order);
	j->order = order;
	j->file = (const char *const *)(argv + optind);
	j->nfiles = (size_t)(argc - optind);
	j->tmp.output = *output;
}

int
main(int argc, char *argv[])
{
	struct sort_job job = { .memory = UINT64_MAX, .threads = cpu_count() };
	struct progress progress = { 0 };
	struct progress_line *line = NULL;
	struct outfile out = { .fd = -1 };
	struct cmd_dropped dropped = { .file.fd = -1 };
	struct sort_stats stats;
	struct hp_err e = { 0 };
	const char *output = NULL;
	struct order order;
	int rc = -1;

	cmd_maps_files();
	cmd_opens_many();
	order_init(&order);
	parse(&order, &job, &progress, &output, &dropped, argc, argv);
	if (job.progress != NULL)
		line = progress_start(&progress);
	if (cmd_dropped_open(&dropped, &order, &out, output, &e) == 0)
		rc = sort_merge(&job, out.fd, out.name, &stats, &e);
	progress_stop(line);
	if (rc == 0)
		rc = cmd_dropped_commit(&dropped, &out, &stats, &e);
	outfile_abort(&dropped.file);
	outfile_abort(&out);
	order_fini(&order);
	return cmd_finish(rc, &e);
}
