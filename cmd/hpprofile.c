#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "cmd.h"
#include "doc/learn.h"
#include "doc/profile.h"

static const char usage[] =
    "hpprofile [-bdfghiMnRrsuVz] [-F FORMAT] [-k POS1[,POS2]]... [-N NAME]\n"
    "                 [-t C] [--from N] [--param NAME=VALUE]...\n"
    "                 [--precision P%] [--progress] [--random-source FILE]\n"
    "                 [--runs N] [--seconds S] [--sizes N,... | --to N]\n"
    "                 [--sort WORD] [-- COMMAND [ARG]...]\n"
    "       hpprofile learn [--step NAME] [--whole] CLUSTER TRACE...";

enum {
	OPT_FROM = CMD_OWN,
	OPT_PARAM,
	OPT_PRECISION,
	OPT_PROGRESS,
	OPT_RUNS,
	OPT_SECONDS,
	OPT_SIZES,
	OPT_STEP,
	OPT_TO,
	OPT_WHOLE
};

enum {
	PARAMS = 16,
	SECONDS = 60,
	SIZES = 1000,
	WORDS = 200 /* of ordering options */
};

struct opts {
	struct order order;
	const char *format;
	char *sort[WORDS]; /* hpsort with the ordering options */
	size_t nsort;
	char **command; /* or NULL: sort */
	const char *name;
	struct param param[PARAMS];
	size_t nparams;
	uint64_t size[SIZES];
	struct profile_opts profile;
	bool progress;
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

/* The toolkit's own program: beside this one, or else in PATH. */
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

/* An ordering option again as hpsort takes it. */
static void
pass_on(
    struct opts *o, int letter, const struct option *longopt, const char *arg)
{
	char *word;
	int rc;

	if (longopt != NULL)
		rc = asprintf(&word, "--%s%s%s", longopt->name,
		    arg != NULL ? "=" : "", arg != NULL ? arg : "");
	else
		rc = asprintf(&word, "-%c%s", letter, arg != NULL ? arg : "");
	if (o->nsort >= WORDS - 2)
		cmd_misuse(usage, "too many ordering options");
	o->sort[o->nsort++] = checked(rc == -1 ? NULL : word);
}

static int
parse_param(struct opts *o, char *arg, struct hp_err *e)
{
	char *value = strchr(arg, '='), *end;
	struct param *p = &o->param[o->nparams];

	if (o->nparams == PARAMS || value == NULL || value == arg)
		return hp_fail(e, HP_USAGE,
		    "--param '%.64s': must be NAME=VALUE, at most %d times",
		    arg, PARAMS);
	*value++ = '\0';
	p->name = arg;
	if (strcmp(arg, "n") == 0 || strcmp(arg, "in") == 0)
		return hp_fail(
		    e, HP_USAGE, "--param %s: {%s} is taken", arg, arg);
	for (size_t i = 0; i < o->nparams; i++)
		if (strcmp(arg, o->param[i].name) == 0)
			return hp_fail(
			    e, HP_USAGE, "--param %.64s: more than once", arg);
	p->value = strtod(value, &end);
	if (end == value || *end != '\0' || p->value - p->value != 0)
		return hp_fail(e, HP_USAGE,
		    "--param %.64s: '%.64s' is not a number", arg, value);
	o->nparams++;
	return 0;
}

static int
parse_precision(const char *arg, double *fraction, struct hp_err *e)
{
	size_t len = strlen(arg);
	bool percent = len > 0 && arg[len - 1] == '%';
	char *copy = checked(strndup(arg, percent ? len - 1 : len));
	int rc = positive_parse(copy, fraction, "--precision", e);

	free(copy);
	if (percent)
		*fraction /= 100;
	/* 5 is meant to be 5%. */
	if (rc == 0 && *fraction >= 1)
		return hp_fail(e, HP_USAGE,
		    "--precision '%.64s': must be below 100%%", arg);
	return rc;
}

static int
parse_runs(const char *arg, unsigned *runs, struct hp_err *e)
{
	const char *why;

	*runs = (unsigned)strtonum(arg, 1, PROFILE_RUNS, &why);
	if (why != NULL)
		return hp_fail(e, HP_USAGE, "--runs '%.64s': %s", arg, why);
	return 0;
}

static int
parse_size(const char *arg, uint64_t *n, const char *option, struct hp_err *e)
{
	if (count_parse(arg, n, e) == -1)
		return -1;
	return *n > 0 ? 0 : hp_fail(e, HP_USAGE, "%s: must be above 0", option);
}

static int
parse_sizes(struct opts *o, char *list, struct hp_err *e)
{
	struct profile_opts *p = &o->profile;
	char *item;

	p->size = o->size;
	while ((item = strsep(&list, ",")) != NULL) {
		uint64_t *n = &o->size[p->nsizes];

		if (count_parse(item, n, e) == -1)
			return -1;
		if (*n == 0 || (p->nsizes > 0 && *n <= n[-1]) ||
		    ++p->nsizes == SIZES)
			return hp_fail(e, HP_USAGE,
			    "--sizes: must be above 0 and increase, fewer "
			    "than %d",
			    SIZES);
	}
	return 0;
}

static int
parse_own(struct opts *o, int ch, struct hp_err *e)
{
	switch (ch) {
	case 'N':
		o->name = optarg;
		return 0;
	case OPT_FROM:
		return parse_size(optarg, &o->profile.from, "--from", e);
	case OPT_PARAM:
		return parse_param(o, optarg, e);
	case OPT_PRECISION:
		return parse_precision(optarg, &o->profile.precision, e);
	case OPT_PROGRESS:
		o->progress = true;
		return 0;
	case OPT_RUNS:
		return parse_runs(optarg, &o->profile.runs, e);
	case OPT_SECONDS:
		return positive_parse(
		    optarg, &o->profile.seconds, "--seconds", e);
	case OPT_SIZES:
		return parse_sizes(o, optarg, e);
	case OPT_TO:
		return parse_size(optarg, &o->profile.to, "--to", e);
	default:
		cmd_other_option(ch, usage);
	}
}

static void
parse(struct opts *o, int argc, char *argv[])
{
	static const struct option options[] = {
		CMD_ORDER_LONG,
		{ "from", required_argument, NULL, OPT_FROM },
		{ "param", required_argument, NULL, OPT_PARAM },
		{ "precision", required_argument, NULL, OPT_PRECISION },
		{ "progress", no_argument, NULL, OPT_PROGRESS },
		{ "runs", required_argument, NULL, OPT_RUNS },
		{ "seconds", required_argument, NULL, OPT_SECONDS },
		{ "sizes", required_argument, NULL, OPT_SIZES },
		{ "to", required_argument, NULL, OPT_TO },
		CMD_COMMON_LONG,
		{ 0 },
	};
	struct hp_err e = { 0 };
	int ch, at = -1;

	order_init(&o->order);
	o->sort[o->nsort++] = own_program("hpsort");
	o->format = "line";
	o->profile.precision = 0.05;
	o->profile.points = 25;
	while ((ch = getopt_long(
		    argc, argv, "+N:" CMD_ORDER_SHORT, options, &at)) != -1) {
		if (cmd_order_option(&o->order, ch, optarg)) {
			pass_on(o, ch, at >= 0 ? &options[at] : NULL, optarg);
			if (ch == 'F')
				o->format = optarg;
		} else if (parse_own(o, ch, &e) == -1)
			cmd_bad(&e);
		at = -1;
	}
	cmd_order_done(&o->order);
	o->profile.whole = o->profile.to > 0 && o->profile.seconds == 0;
	if (o->profile.seconds == 0)
		o->profile.seconds = SECONDS;
	if (o->profile.to > 0 && o->profile.to < o->profile.from)
		cmd_misuse(usage, "--to is below --from");
	if (o->profile.nsizes > 0 && (o->profile.from > 0 || o->profile.to > 0))
		cmd_misuse(usage, "--sizes is in place of --from and --to");
	if (optind < argc && (optind == 0 || strcmp(argv[optind - 1], "--")))
		cmd_misuse(
		    usage, "'%s': a command goes behind --", argv[optind]);
	if (optind < argc)
		o->command = argv + optind;
}

/* What was measured, in words: the command as it would be typed. */
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

/* On a terminal it is one line, which is wiped out again. */
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

/* hpprofile learn: finished runs as points. */
static int
learn(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "step", required_argument, NULL, OPT_STEP },
		{ "whole", no_argument, NULL, OPT_WHOLE },
		CMD_COMMON_LONG,
		{ 0 },
	};
	const char *step = "sort";
	bool whole = false;
	struct hp_err e = { 0 };
	int ch;

	while ((ch = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (ch) {
		case OPT_STEP:
			step = optarg;
			break;
		case OPT_WHOLE:
			whole = true;
			break;
		default:
			cmd_other_option(ch, usage);
		}
	}
	if (argc - optind < 2)
		cmd_misuse(usage, "learn: a cluster and traces are needed");
	return cmd_finish(
	    doc_learn(argv[optind], argv + optind + 1,
		(size_t)(argc - optind - 1), step, whole, stdout, &e),
	    &e);
}

/* The command that makes the records: words, and NULL behind them. */
static void
make_generator(char *word[], const char *format)
{
	*word++ = own_program("hpgen");
	*word++ = checked(strdup("-F"));
	*word++ = checked(strdup(format));
	*word++ = checked(strdup("{n}"));
	*word = NULL;
}

/* Why there is no larger size. */
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
	char *generator[5];
	struct command c = { 0 };
	struct profile_node node = { .profile = &p };
	char *text = NULL;
	int rc;

	if (argc > 1 && strcmp(argv[1], "learn") == 0)
		return learn(argc - 1, argv + 1);
	parse(&o, argc, argv);
	gethostname(host, sizeof host - 1);
	o.sort[o.nsort] = checked(strdup("{in}"));
	make_generator(generator, o.format);
	c = (struct command){ .argv = o.command != NULL ? o.command : o.sort,
		.param = o.param,
		.nparams = o.nparams };
	if (command_uses(c.argv, "{in}"))
		c.generator = generator;
	node.name = o.name != NULL ? o.name : host;
	node.param = o.param;
	node.nparams = o.nparams;
	node.workload = text = workload(
	    o.command != NULL ? o.command[0] : "hpsort", c.argv);
	rc = doc_profile_check(&node, &e);
	if (rc == 0 && (rc = measure(&o, &c, &p, &e)) == 0) {
		rc = doc_profile_write(stdout, &node, &e);
		tell_end(&p);
	}
	free(text);
	for (char **word = generator; *word != NULL; word++)
		free(*word);
	profile_fini(&p);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
