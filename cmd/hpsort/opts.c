#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/size.h"
#include "opts.h"

static const char usage[] =
    "hpsort [-bCcdfghiMmnRrsuVz] [-F FORMAT] [-k POS1[,POS2]]... [-o FILE]\n"
    "              [-S SIZE] [-T DIR]... [-t C] [--batch-size N]\n"
    "              [--compress[=zstd|lz4]] [--compress-program PROG]\n"
    "              [--debug] [--dropped FILE] [--extent OFFSET:BYTES]\n"
    "              [--files0-from FILE] [--header N]\n"
    "              [--merge kway|polyphase] [--parallel N] [--progress]\n"
    "              [--random-source FILE] [--sort WORD] [--stats] [FILE...]";

enum {
	DEBUG = CMD_JOB_OWN,
	EXTENT,
	FILES0_FROM,
	HEADER,
	MERGE,
	PROGRESS,
	STATS
};

static const struct option longopts[] = {
	CMD_ORDER_LONG,
	CMD_COMMON_LONG,
	CMD_JOB_LONG,
	{ "check", optional_argument, NULL, 'c' },
	{ "debug", no_argument, NULL, DEBUG },
	{ "extent", required_argument, NULL, EXTENT },
	{ "files0-from", required_argument, NULL, FILES0_FROM },
	{ "header", required_argument, NULL, HEADER },
	{ "merge", optional_argument, NULL, MERGE },
	{ "output", required_argument, NULL, 'o' },
	{ "progress", no_argument, NULL, PROGRESS },
	{ "stats", no_argument, NULL, STATS },
	{ "temporary-directory", required_argument, NULL, 'T' },
	/* What sort(1) allows to be written for --compress-program, --help,
	 * --parallel and --stable, which our own options would make ambiguous.
	 */
	{ "co", required_argument, NULL, CMD_COMPRESS_PROGRAM },
	{ "com", required_argument, NULL, CMD_COMPRESS_PROGRAM },
	{ "comp", required_argument, NULL, CMD_COMPRESS_PROGRAM },
	{ "compr", required_argument, NULL, CMD_COMPRESS_PROGRAM },
	{ "compre", required_argument, NULL, CMD_COMPRESS_PROGRAM },
	{ "compres", required_argument, NULL, CMD_COMPRESS_PROGRAM },
	{ "he", no_argument, NULL, CMD_HELP },
	{ "p", required_argument, NULL, CMD_PARALLEL },
	{ "st", no_argument, NULL, 's' },
	{ "sta", no_argument, NULL, 's' },
	{ NULL, 0, NULL, 0 },
};

/* Exits with what a library's parser says of an argument. */
static void
need(int rc, struct hp_err *e)
{
	if (rc == -1)
		cmd_bad(e);
}

static void
add_dir(struct tmpdirs *t, const char *dir)
{
	const char **grown = reallocarray(t->dir, t->n + 1, sizeof *grown);

	if (grown == NULL)
		err(EXIT_TROUBLE, "-T");
	t->dir = grown;
	t->dir[t->n++] = dir;
}

static bool
begins(const char *word, const char *with)
{
	return *with != '\0' && strncmp(word, with, strlen(with)) == 0;
}

/* --check=quiet and --check=silent, abbreviated or not, are -C. */
static int
check_kind(int letter, const char *arg)
{
	if (letter == 'C')
		return 'C';
	if (arg == NULL || begins("diagnose-first", arg))
		return 'c';
	if (begins("quiet", arg) || begins("silent", arg))
		return 'C';
	errx(EXIT_TROUBLE, "--check=%s: not quiet, silent or diagnose-first",
	    arg);
}

static void
set_check(struct opts *o, int letter, const char *arg)
{
	int kind = check_kind(letter, arg);

	if (o->check != 0 && o->check != kind)
		errx(EXIT_TROUBLE, "options '-cC' are incompatible");
	o->check = kind;
}

static void
set_output(struct opts *o, const char *path)
{
	if (o->output != NULL && strcmp(o->output, path) != 0)
		errx(EXIT_TROUBLE, "multiple output files specified");
	o->output = path;
}

/*
 * --merge is sort's -m, unless it says how to merge what was sorted: the word
 * may also follow by itself.  Returns it, or NULL.
 */
static const char *
merge_word(char *argv[])
{
	const char *next = argv[optind];

	if (optarg != NULL || next == NULL ||
	    (strcmp(next, "kway") != 0 && strcmp(next, "polyphase") != 0))
		return optarg;
	optind++;
	return next;
}

static enum merge_way
merge_way(const char *word)
{
	if (strcmp(word, "kway") == 0)
		return MERGE_KWAY;
	if (strcmp(word, "polyphase") == 0)
		return MERGE_POLYPHASE;
	errx(EXIT_TROUBLE, "--merge=%s: not kway or polyphase", word);
}

static void
option(struct opts *o, int c, const char *arg)
{
	struct hp_err e = { 0 };

	switch (c) {
	case 'C':
	case 'c':
		set_check(o, c, arg);
		break;
	case 'm':
		o->merge = true;
		break;
	case 'o':
		set_output(o, arg);
		break;
	case 'T':
		add_dir(&o->job.tmp, arg);
		break;
	case CMD_DROPPED:
		o->dropped.path = arg;
		break;
	case DEBUG:
		o->debug = true;
		break;
	case EXTENT:
		need(extent_parse(
			 arg, &o->job.extent_off, &o->job.extent_bytes, &e),
		    &e);
		break;
	case FILES0_FROM:
		o->files0 = arg;
		break;
	case HEADER:
		need(count_parse(arg, &o->job.header, &e), &e);
		break;
	case MERGE:
		if (arg == NULL)
			o->merge = true;
		else
			o->job.way = merge_way(arg);
		break;
	case PROGRESS:
		o->progress = true;
		break;
	case STATS:
		o->stats = true;
		break;
	default:
		cmd_other_option(c, usage);
	}
}

void
opts_fini(struct opts *o)
{
	while (o->nnames > 0)
		free(o->names[--o->nnames]);
	free(o->names);
	free(o->job.tmp.dir);
	order_fini(&o->order);
}

static void
argument(struct opts *o, int c, int argc, char *argv[])
{
	if (c == 1)
		opts_operand(o, argc, argv);
	else if (c == 'y')
		opts_ignore_y(argv);
	else if (!cmd_order_option(&o->order, c, optarg) &&
	    !cmd_job_option(&o->job, c, optarg))
		option(o, c, c == MERGE ? merge_word(argv) : optarg);
}

/* Options and operands in their order, as old keys need it. */
static void
arguments(struct opts *o, int argc, char *argv[])
{
	bool posix = getenv("POSIXLY_CORRECT") != NULL;
	int c = 0;

	/* No operand is moved to where one is still to be read. */
	o->operand = argv + 1;
	o->old_usage = opts_old_usage();
	while (c != -1 || optind < argc) {
		if (c == -1 ||
		    (posix && o->noperands > 0 &&
			!opts_late_output(o, argc, argv))) {
			if (optind == argc)
				return;
			o->operand[o->noperands++] = argv[optind++];
			continue;
		}
		c = getopt_long(argc, argv,
		    "-Cc" CMD_ORDER_SHORT "mo:S:T:y:", longopts, NULL);
		if (c != -1)
			argument(o, c, argc, argv);
	}
}

/* What cannot be read is told before a byte is: that may take long. */
static void
check_files(const struct sort_job *j)
{
	struct hp_err e = { 0 };

	for (size_t i = 0; i < j->nfiles; i++)
		if (strcmp(j->file[i], "-") != 0 &&
		    faccessat(AT_FDCWD, j->file[i], R_OK, AT_EACCESS) == -1)
			need(hp_fail_errno(&e, HP_IO, "%s", j->file[i]), &e);
}

/* What goes together. */
static void
settle(const struct opts *o)
{
	if (o->check != 0 && o->job.nfiles > 1)
		errx(EXIT_TROUBLE, "extra operand '%s' not allowed with -%c",
		    o->job.file[1], o->check);
	if (o->check != 0 && o->output != NULL)
		errx(EXIT_TROUBLE, "options '-%co' are incompatible", o->check);
	if (o->check != 0 && o->dropped.path != NULL)
		errx(EXIT_TROUBLE, "options '-%c --dropped' are incompatible",
		    o->check);
	if (o->debug && (o->check != 0 || o->output != NULL))
		errx(EXIT_TROUBLE, "options '-%c --debug' are incompatible",
		    o->check != 0 ? o->check : 'o');
	if (o->debug && o->order.format.kind != FORMAT_LINE)
		errx(EXIT_TROUBLE, "--debug goes with lines");
	if (o->job.extent_bytes != UINT64_MAX &&
	    (o->check != 0 || o->merge || o->job.nfiles != 1 ||
		o->job.header > 0))
		errx(EXIT_TROUBLE,
		    "--extent goes with sorting one file, without --header");
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	*o = (struct opts){ .job = { .extent_bytes = UINT64_MAX,
				.memory = UINT64_MAX,
				.threads = cpu_count() },
		.dropped.file.fd = -1 };
	order_init(&o->order);
	arguments(o, argc, argv);
	cmd_order_done(&o->order);
	o->job.order = &o->order;
	o->job.file = (const char *const *)o->operand;
	o->job.nfiles = o->noperands;
	o->job.tmp.output = o->output;
	if (o->files0 != NULL && o->job.nfiles > 0)
		errx(EXIT_TROUBLE,
		    "file operands cannot be combined with --files0-from");
	if (o->files0 != NULL)
		opts_read_names(o);
	settle(o);
	check_files(&o->job);
}
