#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/size.h"
#include "names.h"
#include "operands.h"
#include "opts.h"

static int
set_dir(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct tmpdirs *t = to;
	const char **grown = reallocarray(t->dir, t->n + 1, sizeof *grown);

	(void)letter;
	if (grown == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", arg);
	t->dir = grown;
	t->dir[t->n++] = arg;
	return 0;
}

static bool
begins(const char *word, const char *with)
{
	return *with != '\0' && strncmp(word, with, strlen(with)) == 0;
}

static int
check_as(struct opts *o, int kind, struct hp_err *e)
{
	if (o->check != 0 && o->check != kind)
		return hp_fail(e, HP_USAGE, "options '-cC' are incompatible");
	o->check = kind;
	return 0;
}

/*
 * Handles --check.  --check=quiet and --check=silent, which may be abbreviated,
 * mean -C.
 */
static int
set_check(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (letter == 'c' && (arg == NULL || begins("diagnose-first", arg)))
		return check_as(to, 'c', e);
	if (letter == 'C' || begins("quiet", arg) || begins("silent", arg))
		return check_as(to, 'C', e);
	return hp_fail(e, HP_USAGE,
	    "--check=%s: not quiet, silent or diagnose-first", arg);
}

/*
 * --merge alone is sort(1)'s -m.  If the next argument is the word kway or
 * polyphase, it chooses how runs are merged instead.  Returns that word, or
 * NULL.
 */
static const char *
merge_word(char *argv[])
{
	const char *next = argv[optind];

	if (next == NULL ||
	    (strcmp(next, "kway") != 0 && strcmp(next, "polyphase") != 0))
		return NULL;
	optind++;
	return next;
}

static int
set_merge(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;
	const char *word = arg != NULL ? arg : merge_word(o->argv);

	(void)letter;
	if (word == NULL)
		o->merge = true;
	else if (strcmp(word, "kway") == 0)
		o->job.way = MERGE_KWAY;
	else if (strcmp(word, "polyphase") == 0)
		o->job.way = MERGE_POLYPHASE;
	else
		return hp_fail(
		    e, HP_USAGE, "'%s': not kway or polyphase", word);
	return 0;
}

static int
set_extent(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct sort_job *j = to;

	(void)letter;
	return extent_parse(arg, &j->extent_off, &j->extent_bytes, e);
}

static int
ignore_y(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter, (void)arg, (void)e;
	opts_ignore_y(o->argv);
	return 0;
}

/* clang-format off */
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'C', NULL, NULL, "like -c, but without a message", set_check,
	    .alone = true },
	{ 'c', "check", "[=quiet]", "exit with 1 if the file is not sorted",
	    set_check, .alone = true },
	{ 'm', NULL, NULL, "merge files that are already sorted",
	    set_flag, TO(merge) },
	{ 'o', "output", "FILE", "write to FILE, which may also be an input",
	    set_output, TO(output), .alone = true },
	{ 'T', "temporary-directory", "DIR", "put temporary files into DIR",
	    set_dir, TO(job.tmp), .many = true },
	{ 'y', NULL, "N", NULL, ignore_y },
	{ 0, "debug", NULL, "mark the keys in each line",
	    set_flag, TO(debug) },
	{ 0, "dropped", "FILE", "write a summary of dropped records",
	    set_text, TO(dropped.path) },
	{ 0, "extent", "OFFSET:BYTES", "sort only this part of the file",
	    set_extent, TO(job) },
	{ 0, "files0-from", "FILE", "read the names of the inputs from FILE",
	    set_text, TO(files0) },
	{ 0, "merge", "[=kway|polyphase]", "how to merge runs; without word: -m",
	    set_merge },
	{ 0, "progress", NULL, "show how much is read and written",
	    set_flag, TO(progress) },
	{ 0, "stats", NULL, "print statistics on standard error",
	    set_flag, TO(stats) },
	/*
	 * sort(1) accepts these abbreviations.  With the options that sort(1)
	 * lacks, they would be ambiguous.
	 */
	{ CMD_HELP, "he" },
	{ 0, "st", NULL, NULL, set_flag, TO(order.stable) },
	{ 0, "sta", NULL, NULL, set_flag, TO(order.stable) },
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
static const struct cmd_syntax syntax = { forms, parts, "-" };

void
opts_fini(struct opts *o)
{
	while (o->nnames > 0)
		free(o->names[--o->nnames]);
	free(o->names);
	free(o->job.tmp.dir);
	order_fini(&o->order);
}

/*
 * Parses options and operands in their order, because an obsolete key may
 * consist of an operand and an option.
 */
static void
arguments(struct opts *o, int argc, char *argv[])
{
	bool posix = getenv("POSIXLY_CORRECT") != NULL;
	struct cmd_parser p;
	int c = 0;

	/*
	 * The operands are moved to the start of argv.  They overwrite only
	 * arguments that were parsed before.
	 */
	o->operand = argv + 1;
	o->old_usage = opts_old_usage();
	cmd_parser_init(&p, &syntax, o);
	while (c != -1 || optind < argc) {
		if (c == -1 ||
		    (posix && o->noperands > 0 &&
			!opts_late_output(o, argc, argv))) {
			if (optind == argc)
				return;
			o->operand[o->noperands++] = argv[optind++];
			continue;
		}
		c = cmd_next(&p, argc, argv);
		if (c == 1)
			opts_operand(o, argc, argv);
	}
}

/*
 * Checks that all input files are readable before it reads any.  A missing file
 * is then found at once, not after a long sort.
 */
static void
check_files(const struct sort_job *j)
{
	struct hp_err e = { 0 };

	for (size_t i = 0; i < j->nfiles; i++)
		if (strcmp(j->file[i], "-") != 0 &&
		    faccessat(AT_FDCWD, j->file[i], R_OK, AT_EACCESS) == -1) {
			hp_fail_errno(&e, HP_IO, "%s", j->file[i]);
			cmd_bad(&e);
		}
}

/* Rejects options that contradict each other. */
static void
check_options(const struct opts *o)
{
	if (o->check != 0 && o->job.nfiles > 1)
		errx(EXIT_TROUBLE, "extra operand '%s' not allowed with -%c",
		    o->job.file[1], o->check);
	if (o->check != 0 && o->output != NULL)
		errx(EXIT_TROUBLE, "options '-%co' are incompatible", o->check);
	if (o->check != 0 && o->dropped.path != NULL)
		errx(EXIT_TROUBLE, "options '-%c --dropped' are incompatible",
		    o->check);
	if (o->check != 0 && o->progress)
		errx(EXIT_TROUBLE, "options '-%c --progress' are incompatible",
		    o->check);
	if (o->check != 0 && o->stats)
		errx(EXIT_TROUBLE, "options '-%c --stats' are incompatible",
		    o->check);
	if (o->debug && (o->check != 0 || o->output != NULL))
		errx(EXIT_TROUBLE, "options '-%c --debug' are incompatible",
		    o->check != 0 ? o->check : 'o');
	if (o->debug && o->order.format.kind != FORMAT_LINE)
		errx(EXIT_TROUBLE, "--debug needs lines");
	if (o->job.extent_bytes == UINT64_MAX)
		return;
	if (o->check != 0 || o->merge)
		errx(EXIT_TROUBLE, "options '-%c --extent' are incompatible",
		    o->check != 0 ? o->check : 'm');
	if (o->job.header > 0)
		errx(EXIT_TROUBLE,
		    "options '--extent --header' are incompatible");
	if (o->job.nfiles > 1)
		errx(EXIT_TROUBLE,
		    "extra operand '%s' not allowed with --extent",
		    o->job.file[1]);
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	*o = (struct opts){ .argv = argv,
		.job = { .extent_bytes = UINT64_MAX,
		    .memory = UINT64_MAX,
		    .threads = cpu_count() },
		.dropped.file.fd = -1 };
	order_init(&o->order);
	arguments(o, argc, argv);
	ordering_done(&o->order);
	o->job.order = &o->order;
	o->job.file = (const char *const *)o->operand;
	o->job.nfiles = o->noperands;
	o->job.tmp.output = o->output;
	if (o->files0 != NULL && o->job.nfiles > 0)
		errx(EXIT_TROUBLE,
		    "file operands cannot be combined with --files0-from");
	if (o->files0 != NULL)
		opts_read_names(o);
	else if (o->job.nfiles == 0)
		cmd_reads_terminal();
	check_options(o);
	check_files(&o->job);
	cmd_dropped_check(&o->dropped, o->output, &o->job);
}
