/* hpmerge(1): merges sorted inputs. */
#include <stdio.h>
#include <stdlib.h>

#include "base/outfile.h"
#include "base/size.h"
#include "cmd.h"
#include "progress.h"
#include "sort/sort.h"

static const char usage[] =
    "hpmerge [-bdfghiMnRrsuVz] [-F FORMAT] [-k POS1[,POS2]]... [-o FILE]\n"
    "               [-S SIZE] [-t C] [--batch-size N]\n"
    "               [--compress[=zstd|lz4]] [--compress-program PROG]\n"
    "               [--parallel N] [--progress] [--random-source FILE]\n"
    "               [--sort WORD] [FILE...]";

enum {
	BATCH_SIZE = CMD_OWN,
	COMPRESS,
	COMPRESS_PROGRAM,
	PARALLEL,
	PROGRESS
};

static const struct option longopts[] = {
	CMD_ORDER_LONG,
	CMD_COMMON_LONG,
	{ "batch-size", required_argument, NULL, BATCH_SIZE },
	{ "buffer-size", required_argument, NULL, 'S' },
	{ "compress", optional_argument, NULL, COMPRESS },
	{ "compress-program", required_argument, NULL, COMPRESS_PROGRAM },
	{ "output", required_argument, NULL, 'o' },
	{ "parallel", required_argument, NULL, PARALLEL },
	{ "progress", no_argument, NULL, PROGRESS },
	{ NULL, 0, NULL, 0 },
};

static void
parse(struct order *order, struct sort_job *j, struct progress *progress,
    const char **output, int argc, char *argv[])
{
	struct hp_err e = { 0 };
	uint64_t n;
	int c;

	while ((c = getopt_long(argc, argv, CMD_ORDER_SHORT "o:S:", longopts,
		    NULL)) != -1) {
		if (cmd_order_option(order, c, optarg))
			continue;
		switch (c) {
		case 'o':
			*output = optarg;
			break;
		case 'S':
			if (size_parse(optarg, &j->memory, &e) == -1)
				cmd_bad(&e);
			break;
		case BATCH_SIZE:
			if (int_parse(optarg, 2, INT32_MAX, &n, "batch size",
				&e) == -1)
				cmd_bad(&e);
			j->batch = (size_t)n;
			break;
		case COMPRESS:
			if (codec_parse(optarg == NULL ? "zstd" : optarg,
				&j->codec, &e) == -1)
				cmd_bad(&e);
			break;
		case COMPRESS_PROGRAM:
			j->program = optarg;
			break;
		case PARALLEL:
			if (threads_parse(optarg, &j->threads, &e) == -1)
				cmd_bad(&e);
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
	struct sort_job job = { .memory = mem_limit() / 2,
		.threads = cpu_count() };
	struct progress progress = { 0 };
	struct progress_line *line = NULL;
	struct outfile out = { .fd = -1 };
	struct sort_stats stats;
	struct hp_err e = { 0 };
	const char *output = NULL;
	struct order order;
	int rc = -1;

	cmd_maps_files();
	order_init(&order);
	parse(&order, &job, &progress, &output, argc, argv);
	if (job.progress != NULL)
		line = progress_start(&progress);
	if (outfile_open(&out, output, &e) == 0)
		rc = sort_merge(&job, out.fd, out.name, &stats, &e);
	progress_stop(line);
	if (rc == 0)
		rc = outfile_commit(&out, &e);
	outfile_abort(&out);
	order_fini(&order);
	return cmd_finish(rc, &e);
}
