#include "opts.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "cmd.h"
#include "ordering.h"
#include "synopsis.h"
#include "words.h"

enum {
	SECONDS = 60,
	LINK_S = 2 /* seconds for each direction of a link */
};

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
	name = words_checked(strndup(arg, (size_t)(equals - arg)));
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
	char *copy = words_checked(strndup(arg, percent ? len - 1 : len));
	int rc = set_positive(fraction, letter, copy, e);

	free(copy);
	if (percent)
		*fraction /= 100;
	/*
	 * A fraction of 1 or more is an error: the user probably means percent.
	 */
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
	char *list = words_checked(strdup(arg)), *rest = list, *item;
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
	LEARN = 1 << 1,
	LINK = 1 << 2
};
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'N', NULL, "NAME", "name of the node; default: the host name",
	    set_text, TO(name), .forms = MEASURE | LINK },
	{ 0, "from", "N", "begin with the size N",
	    set_above_0, TO(profile.from), .forms = MEASURE },
	{ 0, "link", "HOST", "measure only the link to HOST",
	    set_text, TO(link), .forms = LINK },
	{ 0, "param", "NAME=VALUE", "set a parameter of the work",
	    set_param, .many = true, .forms = MEASURE },
	{ 0, "precision", "P%", "precision of each mean; 5% by default",
	    set_precision, TO(profile.precision), .forms = MEASURE },
	{ 0, "profile-key", NULL, "add the profile key of this machine",
	    set_flag, TO(profile_key), .forms = MEASURE },
	{ 0, "progress", NULL, "show what is running",
	    set_flag, TO(progress), .forms = MEASURE },
	{ 0, "rsh", "COMMAND", "log in with COMMAND instead of ssh",
	    set_text, TO(rsh), .forms = LINK },
	{ 0, "runs", "N", "run each size at most N times",
	    set_runs, TO(profile.runs), .forms = MEASURE },
	{ 0, "seconds", "S", "measure for about S seconds; 60 by default",
	    set_positive, TO(profile.seconds), .forms = MEASURE | LINK },
	{ 0, "sizes", "N[,N]...", "measure exactly these sizes",
	    set_sizes, .forms = MEASURE },
	{ 0, "step", "NAME", "learn from this step of the traces",
	    set_text, TO(step), .forms = LEARN },
	{ 0, "to", "N", "end with the size N",
	    set_above_0, TO(profile.to), .forms = MEASURE },
	{ 0, "whole", NULL, "also learn the time outside of the step",
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
	{ "--link HOST", NULL },
	{ "key", NULL },
	{ 0 },
};
/*
 * The measured command has options of its own, so hpprofile stops parsing at
 * the first operand.
 */
static const struct cmd_syntax syntax = { forms, parts, "+", MEASURE | LINK };
static const struct cmd_syntax learn_syntax = { forms, parts, "", LEARN };

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	int first;

	order_init(&o->order);
	o->profile.precision = 0.05;
	o->profile.points = 25;
	first = cmd_parse(&syntax, o, argc, argv);
	ordering_done(&o->order);
	o->link_s = o->profile.seconds > 0 ? o->profile.seconds / 2 : LINK_S;
	if (o->rsh != NULL && o->link == NULL)
		cmd_misuse(&syntax, "--rsh needs --link");
	if (o->rsh == NULL)
		o->rsh = CMD_SSH " -o ConnectTimeout=10 -o Compression=no";
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
	if (o->link != NULL &&
	    (first < argc || o->profile.nsizes > 0 || o->profile.to > 0 ||
		o->profile.from > 0))
		cmd_misuse(
		    &syntax, "--link measures neither sizes nor a command");
	if (first < argc)
		o->command = argv + first;
}

int
opts_parse_learn(struct opts *o, int argc, char *argv[])
{
	int first;

	o->step = "sort";
	first = cmd_parse(&learn_syntax, o, argc, argv);
	if (argc - first < 2)
		cmd_misuse(
		    &learn_syntax, "learn: a cluster and a trace are missing");
	return first;
}
