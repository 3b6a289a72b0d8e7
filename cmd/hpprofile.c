#include <err.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "cmd.h"
#include "doc/learn.h"
#include "doc/profile.h"
#include "ordering.h"
#include "record/words.h"

enum {
	PARAMS = 16,
	SECONDS = 60,
	SIZES = 1000,
	TOLD = 5 /* sizes that missed the precision */
};

struct opts {
	struct order order;
	char **command; /* NULL: hpsort with the ordering options */
	const char *name;
	struct param param[PARAMS];
	size_t nparams;
	uint64_t size[SIZES];
	struct profile_opts profile;
	bool progress;
	const char *step; /* --step of learn */
	bool whole;
};

static char *
checked(char *s)
{
	struct hp_err e = { 0 };

	if (s == NULL) {
		hp_fail(&e, HP_NOMEM, "options");
		cmd_bad(&e);
	}
	return s;
}

/* Finds a program of hptools: beside this one, or else in PATH. */
static char *
own_program(const char *name)
{
	char self[PATH_MAX], *slash, *path;
	ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);

	self[len > 0 ? len : 0] = '\0';
	if ((slash = strrchr(self, '/')) == NULL)
		return checked(strdup(name));
	if (asprintf(&path, "%.*s/%s", (int)(slash - self), self, name) == -1)
		path = NULL;
	if (access(checked(path), X_OK) == 0)
		return path;
	free(path);
	return checked(strdup(name));
}

/* Builds the sort command: words with a NULL at the end, in one block. */
static char **
make_sort(const struct order *o)
{
	struct hp_err e = { 0 };
	size_t n;
	char **option = order_words(o, &n, &e), **word;

	if (option == NULL)
		cmd_bad(&e);
	word = reallocarray(NULL, n + 3, sizeof *word);
	if (word == NULL)
		err(EXIT_TROUBLE, "options");
	word[0] = own_program("hpsort");
	for (size_t i = 0; i < n; i++)
		word[i + 1] = checked(strdup(option[i]));
	word[n + 1] = checked(strdup("{in}"));
	word[n + 2] = NULL;
	free(option);
	return word;
}

static int
set_param(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;
	const char *equals = strchr(arg, '=');
	struct param *p = &o->param[o->nparams];
	char *name, *end;

	(void)letter;
	if (o->nparams == PARAMS || equals == NULL || equals == arg)
		return hp_fail(e, HP_USAGE,
		    "'%.64s': must be NAME=VALUE, at most %d times", arg,
		    PARAMS);
	name = checked(strndup(arg, (size_t)(equals - arg)));
	p->name = name;
	if (strcmp(name, "n") == 0 || strcmp(name, "in") == 0)
		return hp_fail(e, HP_USAGE, "{%s} is reserved", name);
	for (size_t i = 0; i < o->nparams; i++)
		if (strcmp(name, o->param[i].name) == 0)
			return hp_fail(
			    e, HP_USAGE, "%.64s: more than once", name);
	p->value = strtod(equals + 1, &end);
	if (end == equals + 1 || *end != '\0' || p->value - p->value != 0)
		return hp_fail(e, HP_USAGE, "%.64s: '%.64s' is not a number",
		    name, equals + 1);
	o->nparams++;
	return 0;
}

static int
set_precision(void *to, int letter, const char *arg, struct hp_err *e)
{
	double *fraction = to;
	size_t len = strlen(arg);
	bool percent = len > 0 && arg[len - 1] == '%';
	char *copy = checked(strndup(arg, percent ? len - 1 : len));
	int rc = set_positive(fraction, letter, copy, e);

	free(copy);
	if (percent)
		*fraction /= 100;
	/* Reject 1 and more: the user probably means percent. */
	if (rc == 0 && *fraction >= 1)
		return hp_fail(e, HP_USAGE,
		    "'%.64s': must be below 100%%; write 5%% for 5 percent",
		    arg);
	return rc;
}

static int
set_runs(void *to, int letter, const char *arg, struct hp_err *e)
{
	uint64_t n;

	(void)letter;
	if (int_parse(arg, 1, PROFILE_RUNS, &n, "number", e) == -1)
		return -1;
	*(unsigned *)to = (unsigned)n;
	return 0;
}

static int
set_sizes(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;
	struct profile_opts *p = &o->profile;
	char *list = checked(strdup(arg)), *rest = list, *item;
	int rc = 0;

	(void)letter;
	p->size = o->size;
	while (rc == 0 && (item = strsep(&rest, ",")) != NULL) {
		uint64_t *n = &o->size[p->nsizes];

		rc = count_parse(item, n, e);
		if (rc == 0 &&
		    (*n == 0 || (p->nsizes > 0 && *n <= n[-1]) ||
			++p->nsizes == SIZES))
			rc = hp_fail(e, HP_USAGE,
			    "must be above 0 and increase, fewer than %d",
			    SIZES);
	}
	free(list);
	return rc;
}

/* clang-format off */
enum {
	MEASURE = 1 << 0, /* the forms of the synopsis */
	LEARN = 1 << 1
};
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'N', NULL, "NAME", "the name of the node; by default the host's",
	    set_text, TO(name), .forms = MEASURE },
	{ 0, "from", "N", "begin with the size N",
	    set_above_0, TO(profile.from), .forms = MEASURE },
	{ 0, "param", "NAME=VALUE", "another number that the work depends on",
	    set_param, .many = true, .forms = MEASURE },
	{ 0, "precision", "P%", "precision of each mean; 5% by default",
	    set_precision, TO(profile.precision), .forms = MEASURE },
	{ 0, "progress", NULL, "show what is running",
	    set_flag, TO(progress), .forms = MEASURE },
	{ 0, "runs", "N", "run each size at most N times",
	    set_runs, TO(profile.runs), .forms = MEASURE },
	{ 0, "seconds", "S", "measure for about S seconds; 60 by default",
	    set_positive, TO(profile.seconds), .forms = MEASURE },
	{ 0, "sizes", "N[,N]...", "measure exactly these sizes",
	    set_sizes, .forms = MEASURE },
	{ 0, "step", "NAME", "learn from this step of the traces",
	    set_text, TO(step), .forms = LEARN },
	{ 0, "to", "N", "end with the size N",
	    set_above_0, TO(profile.to), .forms = MEASURE },
	{ 0, "whole", NULL, "also learn the time outside the step",
	    set_flag, TO(whole), .forms = LEARN },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = {
	{ ordering_options, TO(order), MEASURE },
	{ own },
	{ 0 },
};
static const struct cmd_form forms[] = {
	{ NULL, "[--sizes N[,N]... | --to N] [-- COMMAND [ARG]...]" },
	{ "learn", "CLUSTER TRACE..." },
	{ 0 },
};
/* A command has options of its own, so parsing stops where it starts. */
static const struct cmd_syntax syntax = { forms, parts, "+", MEASURE };
static const struct cmd_syntax learn_syntax = { forms, parts, "", LEARN };

static void
parse(struct opts *o, int argc, char *argv[])
{
	int first;

	order_init(&o->order);
	o->profile.precision = 0.05;
	o->profile.points = 25;
	first = cmd_parse(&syntax, o, argc, argv);
	ordering_done(&o->order);
	o->profile.whole = o->profile.to > 0 && o->profile.seconds == 0;
	if (o->profile.seconds == 0)
		o->profile.seconds = SECONDS;
	if (o->profile.to > 0 && o->profile.to < o->profile.from)
		cmd_misuse(&syntax, "--to is below --from");
	if (o->profile.nsizes > 0 && (o->profile.from > 0 || o->profile.to > 0))
		cmd_misuse(&syntax, "--sizes excludes --from and --to");
	if (first < argc && (first == 0 || strcmp(argv[first - 1], "--") != 0))
		cmd_misuse(
		    &syntax, "'%s': write -- before the command", argv[first]);
	if (first < argc)
		o->command = argv + first;
}

/* Describes the work by its command, as a user would type it. */
static char *
workload(const char *name, char *const argv[])
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (f != NULL)
		fputs(name, f);
	for (size_t i = 1; f != NULL && argv[i] != NULL; i++)
		fprintf(f, " %s", argv[i]);
	if (f == NULL || fclose(f) == EOF)
		return checked(NULL);
	return text;
}

static void
show_progress(void *context, uint64_t n, unsigned run, double spent_s)
{
	(void)context;
	fprintf(stderr, "%s%ju items, run %u, %.0f s%s",
	    isatty(STDERR_FILENO) ? "\r" : "", (uintmax_t)n, run, spent_s,
	    isatty(STDERR_FILENO) ? "\033[K" : "\n");
}

/* On a terminal, progress is one line that is erased at the end. */
static bool
progress_wanted(const struct opts *o)
{
	return getenv("NO_COLOR") == NULL &&
	    (o->progress || isatty(STDERR_FILENO));
}

static int
measure(struct opts *o, struct command *c, struct profile *p, struct hp_err *e)
{
	bool progress = progress_wanted(o);
	int rc;

	o->profile.run = command_run;
	o->profile.context = c;
	if (progress)
		o->profile.progress = show_progress;
	rc = command_open(c, o->command == NULL, e);
	if (rc == 0)
		rc = profile_measure(&o->profile, p, e);
	command_close(c);
	if (progress && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return rc;
}

/* hpprofile learn: computes points from finished runs. */
static int
learn(int argc, char *argv[])
{
	struct opts *o = calloc(1, sizeof *o);
	struct hp_err e = { .note = cmd_note };
	int first, rc;

	if (o == NULL)
		err(EXIT_TROUBLE, "options");
	o->step = "sort";
	first = cmd_parse(&learn_syntax, o, argc, argv);
	if (argc - first < 2)
		cmd_misuse(
		    &learn_syntax, "learn: a cluster and a trace are missing");
	rc = doc_learn(argv[first], argv + first + 1,
	    (size_t)(argc - first - 1), o->step, o->whole, stdout, &e);
	free(o);
	return cmd_finish(rc, &e);
}

/* Builds the command that generates records: words with a NULL at the end. */
static void
make_generator(char *word[], char *const sort[])
{
	const char *format = "line";

	for (; *sort != NULL; sort++)
		if (strncmp(*sort, "-F", 2) == 0)
			format = *sort + 2;
	*word++ = own_program("hpgen");
	*word++ = checked(strdup("-F"));
	*word++ = checked(strdup(format));
	*word++ = checked(strdup("{n}"));
	*word = NULL;
}

static void
tell_missed(const struct sample *m, double precision)
{
	const char *items = m->n == 1 ? "item" : "items";

	if (isinf(m->interval))
		warnx("%ju %s: precision unknown after a single run: allow "
		      "more --seconds or --runs",
		    (uintmax_t)m->n, items);
	else
		warnx("%ju %s: precision %.3g%% after %u runs, not %.3g%%: "
		      "allow more --seconds or --runs",
		    (uintmax_t)m->n, items, 100 * m->interval / m->seconds,
		    (unsigned)m->runs, 100 * precision);
}

/*
 * Prints which sizes missed the precision.  With --runs 1 no size can have one,
 * as the user knows.
 */
static void
tell_precision(const struct profile *p, const struct profile_opts *o)
{
	size_t missed = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		if (m->interval <= o->precision * m->seconds ||
		    (o->runs == 1 && isinf(m->interval)))
			continue;
		if (++missed <= TOLD)
			tell_missed(m, o->precision);
	}
	if (missed > TOLD)
		warnx("%zu other sizes miss the precision, too", missed - TOLD);
}

/* Prints why no larger size was measured. */
static void
tell_end(const struct profile *p)
{
	uintmax_t largest = p->sample[p->n - 1].n;

	if (p->failed > 0)
		warnx("fails with %ju items (%s): capacity %ju",
		    (uintmax_t)p->failed, p->how, largest);
	if (p->untried > 0)
		warnx("cannot make %ju records: measured up to %ju",
		    (uintmax_t)p->untried, largest);
}

int
main(int argc, char *argv[])
{
	static struct opts o;
	struct profile p = { 0 };
	struct hp_err e = { 0 };
	char host[256] = "localhost";
	char *generator[5], **sort;
	struct command c = { 0 };
	struct profile_node node = { .profile = &p };
	char *text = NULL;
	int rc;

	if (argc > 1 && strcmp(argv[1], "learn") == 0)
		return learn(argc - 1, argv + 1);
	parse(&o, argc, argv);
	gethostname(host, sizeof host - 1);
	sort = make_sort(&o.order);
	make_generator(generator, sort);
	c = (struct command){ .argv = o.command != NULL ? o.command : sort,
		.param = o.param,
		.nparams = o.nparams };
	if (command_uses(c.argv, "{in}"))
		c.generator = generator;
	node.name = o.name != NULL ? o.name : host;
	node.param = o.param;
	node.nparams = o.nparams;
	node.workload = text = workload(
	    o.command != NULL ? o.command[0] : "hpsort", c.argv);
	if (o.command == NULL && isatty(STDIN_FILENO))
		warnx("measuring %s for about %.0f s; --help lists the options",
		    text, o.profile.seconds);
	rc = doc_profile_check(&node, &e);
	if (rc == 0 && (rc = measure(&o, &c, &p, &e)) == 0) {
		rc = doc_profile_write(stdout, &node, &e);
		tell_precision(&p, &o.profile);
		tell_end(&p);
	}
	free(text);
	for (char **word = sort; *word != NULL; word++)
		free(*word);
	free(sort);
	for (char **word = generator; *word != NULL; word++)
		free(*word);
	profile_fini(&p);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
