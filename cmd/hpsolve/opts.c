#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "cmd.h"
#include "costs.h"
#include "foreign.h"
#include "opts.h"
#include "synopsis.h"

static int
set_n(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	o->counted = true;
	return set_count(&o->n, letter, arg, e);
}

static int
set_method(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return method_parse(arg, to, e);
}

/* Parses NAME=VALUE. */
static int
set_at(void *to, int letter, const char *arg, struct hp_err *e)
{
	const char *value = strchr(arg, '=');
	struct opts *o = to;
	char *end;
	double x;

	(void)letter;
	if (o->nat == SETTINGS)
		return hp_fail(
		    e, HP_USAGE, "'%.64s': at most %d times", arg, SETTINGS);
	if (value == NULL || value == arg)
		return hp_fail(e, HP_USAGE, "'%.64s': must be NAME=VALUE", arg);
	x = strtod(value + 1, &end);
	if (end == value + 1 || *end != '\0' || !isfinite(x))
		return hp_fail(e, HP_USAGE, "'%.64s': must be a number", arg);
	o->at[o->nat++] = (struct at){ arg, (size_t)(value - arg), x };
	return 0;
}

static int
set_beyond(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	o->bounded = true;
	if (beyond_parse(arg, &o->beyond) == -1)
		return hp_fail(
		    e, HP_USAGE, "'%.64s': must be const, linear or stop", arg);
	return 0;
}

static int
set_risk(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (set_positive(to, letter, arg, e) == -1)
		return -1;
	if (*(double *)to >= 1)
		return hp_fail(e, HP_USAGE,
		    "'%.64s': must be above 0 and below 1; write 0.95 for 95 "
		    "percent",
		    arg);
	return 0;
}

static int
set_format(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return foreign_parse(arg, to, e);
}

/* clang-format off */
enum {
	SOLVE = 1 << 0, /* the forms of the synopsis */
	CHECK = 1 << 1
};
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'c', "cost", "COST", "cost of n items; default: n*log(n)",
	    set_cost, TO(cost) },
	{ 'k', "speeds", "K1[,K2]...", "relative speeds of the nodes",
	    set_speeds, TO(speeds) },
	{ 'm', "method", "METHOD", "how to choose the shares; auto by default",
	    set_method, TO(method), .forms = SOLVE },
	{ 'n', NULL, "N", "the number of items, as 10M", set_n },
	{ 0, "at", "NAME=VALUE", "plan for this value of a parameter",
	    set_at, .many = true },
	{ 0, "beyond", "const|linear|stop", "speed above the measured sizes",
	    set_beyond },
	{ 0, "block", "B", "for dp and --pareto: divide blocks of B items",
	    set_above_0, TO(block), .forms = SOLVE },
	{ 0, "by-key", NULL, "plan a run that exchanges no items",
	    set_flag, TO(by_key) },
	{ 0, "bytes-per-item", "BYTES", "plan the whole run, with transfers",
	    set_positive, TO(item_bytes) },
	{ 0, "check", "PLAN", "certify the shares of PLAN",
	    set_text, TO(check), .forms = CHECK },
	{ 0, "compare", NULL, "print a line for each method, not a plan",
	    set_flag, TO(compare), .forms = SOLVE },
	{ 0, "format", "FORMAT", "hostfile, parallel, rankfile, tsv or xargs",
	    set_format, TO(format), .forms = SOLVE },
	{ 0, "pareto", NULL, "print the front of makespan and energy",
	    set_flag, TO(pareto), .forms = SOLVE },
	{ 0, "risk", "P", "plan for the P-quantile of the measured times",
	    set_risk, TO(risk) },
	{ 0, "stats", NULL, "print times and memory on standard error",
	    set_flag, TO(stats), .forms = SOLVE },
	{ 0, "weights", "FILE", "the items have these weights",
	    set_text, TO(weights), .forms = SOLVE },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = { { own }, { 0 } };
static const struct cmd_form forms[] = {
	{ "-n N | --weights FILE", "[-k K1[,K2]... | CLUSTER]" },
	{ "[-n N] --check PLAN", "[-k K1[,K2]... | CLUSTER]" },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, parts, "" };

/*
 * Rejects options that --weights makes useless.  Only one method divides a list
 * with weights into contiguous parts, and its plans are always optimal.
 */
static void
check_weights(const struct opts *o)
{
	if (o->method != METHOD_AUTO || o->compare || o->check != NULL)
		cmd_misuse(
		    &syntax, "--weights excludes -m, --check and --compare");
	if (o->item_bytes > 0)
		cmd_misuse(&syntax, "--weights excludes --bytes-per-item");
}

/*
 * Rejects options that --pareto makes useless.  The front of time and energy
 * depends on no method, and it is not a plan.
 */
static void
check_pareto(const struct opts *o)
{
	if (o->method != METHOD_AUTO || o->compare || o->check != NULL ||
	    o->format != NULL || o->weights != NULL || o->item_bytes > 0)
		cmd_misuse(&syntax,
		    "--pareto excludes -m, --bytes-per-item, --check, "
		    "--compare, --format and --weights");
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	struct hp_err e = { 0 };
	int first;

	*o = (struct opts){ 0 };
	first = cmd_parse(&syntax, o, argc, argv);
	if (o->block > 0 && o->method != METHOD_DP && !o->compare &&
	    !o->pareto) {
		hp_fail(&e, HP_USAGE, "--block: needs -m dp or --pareto");
		cmd_bad(&e);
	}
	if (o->pareto)
		check_pareto(o);
	if (o->weights != NULL)
		check_weights(o);
	if (o->by_key && o->item_bytes == 0 && o->check == NULL)
		cmd_misuse(&syntax, "--by-key needs --bytes-per-item");
	if (!o->counted && o->check == NULL && o->weights == NULL)
		cmd_misuse(&syntax, "-n, the number of items, is missing");
	if (o->compare && o->check != NULL)
		cmd_misuse(&syntax, "--check and --compare cannot be combined");
	if (o->format != NULL && (o->compare || o->check != NULL))
		cmd_misuse(&syntax, "--format writes a plan only");
	if (o->stats && (o->compare || o->check != NULL || o->pareto))
		cmd_misuse(&syntax, "--stats tells of a plan only");
	if (first < argc && o->speeds != NULL)
		cmd_misuse(
		    &syntax, "'%s': -k gives the nodes already", argv[first]);
	if (first + 1 < argc)
		cmd_misuse(&syntax, "extra operand '%s'", argv[first + 1]);
	o->cluster = first < argc ? argv[first] : "-";
	if (o->weights != NULL && strcmp(o->weights, "-") == 0 &&
	    o->speeds == NULL && strcmp(o->cluster, "-") == 0)
		cmd_misuse(&syntax, "standard input is either CLUSTER or FILE");
	if (first == argc && o->speeds == NULL)
		cmd_reads_terminal();
}
