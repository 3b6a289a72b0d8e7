/* hpsort(1): sorts on this machine, in memory or with temporary files. */
#include <sys/resource.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/size.h"
#include "cmd.h"
#include "progress.h"
#include "record/explain.h"
#include "sort/sort.h"

static const char usage[] =
    "hpsort [-bCcdfghiMmnRrsuVz] [-F FORMAT] [-k POS1[,POS2]]... [-o FILE]\n"
    "              [-S SIZE] [-T DIR]... [-t C] [--batch-size N]\n"
    "              [--compress[=zstd|lz4]] [--compress-program PROG]\n"
    "              [--debug] [--extent OFFSET:BYTES] [--files0-from FILE]\n"
    "              [--header N] [--merge kway|polyphase] [--parallel N]\n"
    "              [--progress] [--random-source FILE] [--sort WORD]\n"
    "              [--stats] [FILE...]";

enum {
	BATCH_SIZE = CMD_OWN,
	COMPRESS,
	COMPRESS_PROGRAM,
	DEBUG,
	EXTENT,
	FILES0_FROM,
	HEADER,
	MERGE,
	PARALLEL,
	PROGRESS,
	STATS
};

static const struct option longopts[] = {
	CMD_ORDER_LONG,
	CMD_COMMON_LONG,
	{ "batch-size", required_argument, NULL, BATCH_SIZE },
	{ "buffer-size", required_argument, NULL, 'S' },
	{ "check", optional_argument, NULL, 'c' },
	{ "compress", optional_argument, NULL, COMPRESS },
	{ "compress-program", required_argument, NULL, COMPRESS_PROGRAM },
	{ "debug", no_argument, NULL, DEBUG },
	{ "extent", required_argument, NULL, EXTENT },
	{ "files0-from", required_argument, NULL, FILES0_FROM },
	{ "header", required_argument, NULL, HEADER },
	{ "merge", optional_argument, NULL, MERGE },
	{ "output", required_argument, NULL, 'o' },
	{ "parallel", required_argument, NULL, PARALLEL },
	{ "progress", no_argument, NULL, PROGRESS },
	{ "stats", no_argument, NULL, STATS },
	{ "temporary-directory", required_argument, NULL, 'T' },
	/* What sort(1) allows to be written for --parallel and --stable, which
	 * our own options would make ambiguous. */
	{ "p", required_argument, NULL, PARALLEL },
	{ "st", no_argument, NULL, 's' },
	{ "sta", no_argument, NULL, 's' },
	{ NULL, 0, NULL, 0 },
};

struct opts {
	struct order order;
	struct sort_job job;
	const char *output, *files0;
	char **operand; /* in front of argv, noperands of them */
	size_t noperands;
	char **names; /* what --files0-from read, nnames of them */
	size_t nnames;
	int check;   /* 'c' or 'C', or 0 */
	bool memory; /* -S */
	bool debug, merge, progress, stats;
};

/* Takes the uint64_t that a library's parser wrote, or exits. */
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

/*
 * sort(1) ignores -y, and the word behind it if that is digits or empty:
 * another one is an option or a file.
 */
static void
ignore_y(char *argv[])
{
	if (optarg == argv[optind - 1] &&
	    optarg[strspn(optarg, "0123456789")] != '\0')
		optind--;
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
	uint64_t n;

	switch (c) {
	case 'C':
	case 'c':
		n = (uint64_t)check_kind(c, arg);
		if (o->check != 0 && o->check != (int)n)
			errx(EXIT_TROUBLE, "options '-cC' are incompatible");
		o->check = (int)n;
		break;
	case 'm':
		o->merge = true;
		break;
	case 'o':
		if (o->output != NULL && strcmp(o->output, arg) != 0)
			errx(EXIT_TROUBLE, "multiple output files specified");
		o->output = arg;
		break;
	case 'S':
		need(size_parse(arg, &o->job.memory, &e), &e);
		o->memory = true;
		break;
	case 'T':
		add_dir(&o->job.tmp, arg);
		break;
	case BATCH_SIZE:
		need(int_parse(arg, 2, INT32_MAX, &n, "batch size", &e), &e);
		o->job.batch = (size_t)n;
		break;
	case DEBUG:
		o->debug = true;
		break;
	case COMPRESS:
		need(codec_parse(arg == NULL ? "zstd" : arg, &o->job.codec, &e),
		    &e);
		break;
	case COMPRESS_PROGRAM:
		o->job.program = arg;
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
	case PARALLEL:
		need(threads_parse(arg, &o->job.threads, &e), &e);
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

/* The names in the file, each ended by a NUL. */
static void
read_names(struct opts *o)
{
	const char *from = o->files0;
	FILE *f = strcmp(from, "-") == 0 ? stdin : fopen(from, "re");
	size_t cap = 0, line = 0;
	char *name = NULL;

	if (f == NULL)
		err(EXIT_TROUBLE, "%s", from);
	while (getdelim(&name, &cap, '\0', f) != -1) {
		line++;
		if (*name == '\0')
			errx(EXIT_TROUBLE,
			    "%s:%zu: invalid zero-length file name", from,
			    line);
		if (f == stdin && strcmp(name, "-") == 0)
			errx(EXIT_TROUBLE,
			    "when reading file names from standard input, no "
			    "file name of '-' allowed");
		o->names = reallocarray(
		    o->names, o->nnames + 1, sizeof *o->names);
		if (o->names == NULL)
			err(EXIT_TROUBLE, "%s", from);
		o->names[o->nnames++] = name;
		name = NULL;
		cap = 0;
	}
	if (ferror(f))
		err(EXIT_TROUBLE, "%s", from);
	if (o->nnames == 0)
		errx(EXIT_TROUBLE, "no input from '%s'", from);
	if (f != stdin)
		fclose(f);
	free(name);
	o->job.file = (const char *const *)o->names;
	o->job.nfiles = o->nnames;
}

static void
opts_fini(struct opts *o)
{
	while (o->nnames > 0)
		free(o->names[--o->nnames]);
	free(o->names);
	free(o->job.tmp.dir);
	order_fini(&o->order);
}

/*
 * Are keys read in their old form, +POS1 [-POS2]?  POSIX of 1992 and of 2008
 * allow it, that of 2001 takes +POS1 for a file.
 */
static bool
old_keys(void)
{
	const char *s = getenv("_POSIX2_VERSION");
	char *end;
	long version;

	if (s == NULL || *s == '\0')
		return true;
	version = strtol(s, &end, 10);
	return *end != '\0' || version < 200112 || version >= 200809;
}

/* An operand: a key in its old form, which -POS2 may follow, or a file. */
static void
operand(struct opts *o, int argc, char *argv[])
{
	const char *next = optind < argc ? argv[optind] : "";
	bool pair = next[0] == '-' && next[1] >= '0' && next[1] <= '9';
	struct hp_err e = { 0 };
	int rc = 0;

	if (optarg[0] == '+' &&
	    (old_keys() || (pair && getenv("POSIXLY_CORRECT") == NULL)))
		rc = order_old_key(&o->order, optarg, pair ? next : NULL, &e);
	if (rc == -1)
		cmd_bad(&e);
	if (rc == 0)
		o->operand[o->noperands++] = optarg;
	else if (pair)
		optind++;
}

/* Options and operands in their order, as old keys need it. */
static void
arguments(struct opts *o, int argc, char *argv[])
{
	bool posix = getenv("POSIXLY_CORRECT") != NULL;
	int c = 0;

	/* No operand is moved to where one is still to be read. */
	o->operand = argv + 1;
	while (!(posix && o->noperands > 0) &&
	    (c = getopt_long(argc, argv,
		 "-Cc" CMD_ORDER_SHORT "mo:S:T:y:", longopts, NULL)) != -1)
		if (c == 1)
			operand(o, argc, argv);
		else if (c == 'y')
			ignore_y(argv);
		else if (!cmd_order_option(&o->order, c, optarg))
			option(o, c, c == MERGE ? merge_word(argv) : optarg);
	while (optind < argc)
		o->operand[o->noperands++] = argv[optind++];
}

static void
parse(struct opts *o, int argc, char *argv[])
{
	*o = (struct opts){ .job = { .extent_bytes = UINT64_MAX,
				.threads = cpu_count() } };
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
		read_names(o);
	if (!o->memory)
		o->job.memory = sort_memory(&o->job, o->merge);
	if (o->check != 0 && o->job.nfiles > 1)
		errx(EXIT_TROUBLE, "extra operand '%s' not allowed with -%c",
		    o->job.file[1], o->check);
	if (o->check != 0 && o->output != NULL)
		errx(EXIT_TROUBLE, "options '-%co' are incompatible", o->check);
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

/* One line of figures, JSON, on standard error. */
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

/* --debug: what was sorted, with marks below each line. */
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

/* Sorted into a temporary file first, then shown. */
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
	return explain(&o->order, o->job.header, fd, e);
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
	parse(&o, argc, argv);
	if (o.check != 0) {
		rc = sort_check(&o.job, &e);
		if (o.check == 'C' && e.kind == HP_NO)
			e.text[0] = '\0';
		goto out;
	}
	if (outfile_open(&out, o.output, &e) == -1)
		goto out;
	if (o.progress) {
		o.job.progress = &progress;
		line = progress_start(&progress);
	}
	rc = o.debug ? debug(&o, &stats, &e)
		     : sort(&o, out.fd, out.name, &stats, &e);
	progress_stop(line);
	if (rc == 0)
		rc = outfile_commit(&out, &e);
	if (rc == 0 && o.stats)
		print_stats(&o.job, &stats);
out:
	outfile_abort(&out);
	opts_fini(&o);
	return cmd_finish(rc, &e);
}
