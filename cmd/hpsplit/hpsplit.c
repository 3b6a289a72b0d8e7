#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "actions.h"
#include "base/size.h"
#include "costs.h"
#include "synopsis.h"

static const struct action {
	const char *name;
	int (*run)(struct job *, struct hp_err *);
} actions[] = { { "assign", action_assign }, { "count", action_count },
	{ "cut", action_cut }, { "deal", action_deal },
	{ "pivots", action_pivots }, { "range", action_range },
	{ "sample", action_sample }, { "show", action_show } };

static int
set_sample(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	o->count_given = true;
	return set_count(&o->count, letter, arg, e);
}

static int
set_extent(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct range *r = to;

	(void)letter;
	return extent_parse(arg, &r->offset, &r->bytes, e);
}

/* clang-format off */
static const struct cmd_form forms[] = {
	{ "deal -P PLAN", "[FILE]" },
	{ "deal -L SUBLISTS -N NODE", "[FILE]" },
	{ "sample -a METHOD (-c COUNT | -P PLAN) -N NODE", "[FILE]" },
	{ "sample -a exact -L SUBLISTS -N NODE", "[FILE]" },
	{ "pivots -P PLAN -a pss|psrs|psop|exact", "[CANDIDATES...]" },
	{ "count -N NODE", "[FILE]" },
	{ "assign -C CLUSTER", "[COUNTS...]" },
	{ "cut -L SUBLISTS -N NODE", "[--extents [-o FILE]] [FILE]" },
	{ "range -P PLAN -o FILE", "[FILE]" },
	{ "show", "[DOCUMENT...]" },
	{ 0 },
};
enum {
	DEAL = 3 << 0, /* both forms */
	SAMPLE = 1 << 2,
	SAMPLE_EXACT = 1 << 3,
	PIVOTS = 1 << 4,
	COUNT = 1 << 5,
	ASSIGN = 1 << 6,
	CUT = 1 << 7,
	RANGE = 1 << 8,
	ORDERED = 0x3bf /* forms of all actions but assign */
};

#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'C', "cluster", "CLUSTER", "read the nodes from CLUSTER",
	    set_text, TO(cluster), .forms = ASSIGN },
	{ 'L', "sublists", "SUBLISTS", "read the sublists from SUBLISTS",
	    set_text, TO(sublists), .forms = COUNT | ASSIGN | CUT },
	{ 'N', "node", "NODE", "run as this node, by rank or name",
	    set_text, TO(node), .forms = SAMPLE | COUNT | CUT },
	{ 'P', "plan", "PLAN", "read the shares from PLAN",
	    set_text, TO(plan), .forms = SAMPLE | PIVOTS | RANGE },
	{ 'a', "algorithm", "METHOD",
	    "exact, psop, psrs, pss, random or regular",
	    set_text, TO(algorithm), .forms = SAMPLE | PIVOTS },
	{ 'c', "count", "COUNT", "number of candidates or sublists",
	    set_sample, .forms = SAMPLE | PIVOTS },
	{ 'o', "output", "FILE", "write the divided records to FILE",
	    set_text, TO(output), .forms = CUT | RANGE },
	{ 0, "approximate", NULL, "meet the shares only approximately",
	    set_flag, TO(approximate), .forms = RANGE },
	{ 0, "cost", "COST", "cost of n records, such as n*log(n)",
	    set_cost, TO(cost), .forms = ASSIGN },
	{ 0, "extent", "OFFSET:BYTES", "read only this part of the file",
	    set_extent, TO(range), .forms = SAMPLE | COUNT | CUT | RANGE },
	{ 0, "extents", NULL, "print extents, not the records",
	    set_flag, TO(extents), .forms = CUT },
	{ 0, "header", "N", "ignore the first N records of the file",
	    set_count, TO(range.header),
	    .forms = DEAL | SAMPLE | SAMPLE_EXACT | COUNT | CUT | RANGE },
	{ 0, "no-exchange", NULL, "do not move or swap assigned sublists",
	    set_flag, TO(no_exchange), .forms = ASSIGN },
	{ 0, "parallel", "N", "use N threads",
	    set_threads, TO(threads), .forms = RANGE },
	{ 0, "refine", "SUBLISTS", "read the sublists of the last round",
	    set_text, TO(refine), .forms = PIVOTS },
	{ 0, "seed", "N", "seed the random numbers with N",
	    set_number, TO(seed), .forms = SAMPLE },
	{ 0, "sorted", NULL, "the file is sorted, which saves reading it",
	    set_flag, TO(sorted), .forms = COUNT },
	{ 0, "sums", "FILE", "write to FILE the checksums of the parts",
	    set_text, TO(sums), .forms = RANGE },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = {
	{ ordering_options, TO(order), ORDERED, "[ordering]" },
	{ own },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, parts, "" };

static void
parse(struct opts *o, int argc, char *argv[])
{
	int first;

	*o = (struct opts){ .cost = COST_DEFAULT,
		.range = { .bytes = UINT64_MAX } };
	order_init(&o->order);
	first = cmd_parse(&syntax, o, argc, argv);
	ordering_done(&o->order);
	o->file = argv + first;
	o->nfiles = argc - first;
}

static const struct action *
find_action(const char *name)
{
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

/* Puts the name of the action before the text of an error. */
static void
name_action(const struct action *action, struct hp_err *e)
{
	struct hp_err named = *e;

	if (e->text[0] == '\0')
		return;
	snprintf(named.text, sizeof named.text, "%s: %.*s", action->name,
	    HP_ERR_TEXT - 16, e->text);
	*e = named;
}

int
main(int argc, char *argv[])
{
	const struct action *action = argc < 2 ? NULL : find_action(argv[1]);
	struct hp_err e = { .note = cmd_note };
	struct opts o;
	struct job j = { .o = &o };
	char name[32];
	int rc;

	cmd_maps_files();
	if (action != NULL) {
		/*
		 * getopt prints argv[0] before its messages, so put the name of
		 * the action into argv[0], too.
		 */
		snprintf(
		    name, sizeof name, "%s: %s", getprogname(), action->name);
		argv[1] = name;
	}
	/* Without an action, only --help and --version are valid options. */
	parse(&o, argc - (action != NULL), argv + (action != NULL));
	if (action == NULL) {
		if (argc > 1)
			cmd_misuse(&syntax, "'%s' is not an action", argv[1]);
		cmd_misuse(&syntax, "the action is missing");
	}
	if (o.nfiles == 0)
		cmd_reads_terminal();
	if (o.range.header > 0 && o.range.bytes != UINT64_MAX)
		errx(EXIT_TROUBLE, "--header needs whole files");
	if (o.output != NULL && action->run != action_range &&
	    !(action->run == action_cut && o.extents))
		errx(EXIT_TROUBLE, "-o needs cut --extents");
	if (o.sums != NULL && action->run != action_range)
		errx(EXIT_TROUBLE, "--sums needs the action range");
	if (o.threads > 0 && action->run != action_range)
		errx(EXIT_TROUBLE, "--parallel needs the action range");
	if (o.approximate && action->run != action_range)
		errx(EXIT_TROUBLE, "--approximate needs the action range");
	if ((rc = action->run(&j, &e)) == -1)
		name_action(action, &e);
	plan_fini(&j.plan);
	sublists_fini(&j.sublists);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
