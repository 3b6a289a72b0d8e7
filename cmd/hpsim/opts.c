#include <string.h>

#include "cmd.h"
#include "costs.h"
#include "opts.h"
#include "synopsis.h"

enum {
	/* default of --groups: 4096 messages, about a second of simulation */
	GROUPS = 64
};

static int
set_algorithm(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	if (demand_parse(arg, &o->algorithm, e) == -1)
		return -1;
	return o->algorithm == DEMAND_RANGE
	    ? hp_fail(e, HP_USAGE, "'range': is not simulated")
	    : 0;
}

static int
set_n(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	o->counted = true;
	return set_above_0(&o->n, letter, arg, e);
}

static int
set_method(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return method_parse(arg, to, e);
}

enum {
	SOLVED = 1 << 0, /* the forms of the synopsis */
	PLANNED = 1 << 1
};

/* clang-format off */
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'a', "algorithm", "exact|psrs|pss|psop", "how the records are divided",
	    set_algorithm },
	{ 'C', "cluster", "CLUSTER", "the nodes, hp-cluster(5)",
	    set_text, TO(cluster) },
	{ 'c', "cost", "COST", "cost of n items; default: n*log(n)",
	    set_cost, TO(cost) },
	{ 'm', "method", "METHOD", "how to choose the shares; auto by default",
	    set_method, TO(method), .forms = SOLVED },
	{ 'n', NULL, "N", "the number of items, as 10M",
	    set_n, .forms = SOLVED },
	{ 'P', "plan", "PLAN", "take the shares of PLAN, hp-plan(5)",
	    set_text, TO(plan), .forms = PLANNED },
	{ 0, "bytes-per-item", "BYTES", "the mean size of an item",
	    set_positive, TO(item_bytes) },
	{ 0, "groups", "N", "exchange between at most N groups of nodes",
	    set_above_0, TO(groups) },
	{ 0, "half-duplex", NULL, "links do not send and receive at once",
	    set_flag, TO(half_duplex) },
	{ 0, "in-place", NULL, "the nodes have their parts already",
	    set_flag, TO(in_place) },
	{ 0, "leave", NULL, "the nodes keep their parts of the result",
	    set_flag, TO(leave) },
	{ 0, "run", "NAME", "name of the run in the trace",
	    set_text, TO(run) },
	{ 0, "step-seconds", "S", "time that each step needs to start",
	    set_positive, TO(step_s) },
	{ 0, "trace", "FILE", "append the steps to FILE, hp-trace(5)",
	    set_text, TO(trace) },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = { { own }, { 0 } };
static const struct cmd_form forms[] = {
	{ "-C CLUSTER -n N --bytes-per-item BYTES", NULL },
	{ "-C CLUSTER -P PLAN", NULL },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, parts, "" };

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	int first;

	*o = (struct opts){
		.algorithm = DEMAND_EXACT, .groups = GROUPS, .run = "simulated"
	};
	first = cmd_parse(&syntax, o, argc, argv);
	if (first < argc)
		cmd_misuse(&syntax, "extra operand '%s'", argv[first]);
	if (o->cluster == NULL)
		cmd_misuse(&syntax, "-C, the cluster, is missing");
	if (o->plan != NULL && (o->counted || o->method != METHOD_AUTO))
		cmd_misuse(&syntax, "-P excludes -m and -n");
	if (o->plan == NULL && !o->counted)
		cmd_misuse(&syntax, "-n, the number of items, is missing");
	if (o->plan == NULL && o->item_bytes == 0)
		cmd_misuse(&syntax,
		    "--bytes-per-item, the size of an item, is missing");
	if (o->plan != NULL && strcmp(o->plan, "-") == 0 &&
	    strcmp(o->cluster, "-") == 0)
		cmd_misuse(&syntax, "standard input is either CLUSTER or PLAN");
}
