#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "actions.h"
#include "base/size.h"
#include "cost/cost.h"

static const char usage[] =
    "hpsplit deal -P PLAN [ordering] [FILE]\n"
    "       hpsplit deal -L SUBLISTS -N NODE [ordering] [FILE]\n"
    "       hpsplit sample -a METHOD (-c COUNT | -P PLAN) -N NODE [--seed N]\n"
    "               [--extent OFFSET:BYTES] [ordering] [FILE]\n"
    "       hpsplit sample -a exact -L SUBLISTS -N NODE [ordering] [FILE]\n"
    "       hpsplit pivots -P PLAN -a pss|psrs|psop|exact [-c COUNT]\n"
    "               [--refine SUBLISTS] [ordering] [CANDIDATES...]\n"
    "       hpsplit count [-L SUBLISTS] -N NODE [--sorted]\n"
    "               [--extent OFFSET:BYTES] [ordering] [FILE]\n"
    "       hpsplit assign -C CLUSTER [--cost COST] [-L SUBLISTS] "
    "[COUNTS...]\n"
    "       hpsplit cut -L SUBLISTS -N NODE [--extents [-o FILE]]\n"
    "               [--extent OFFSET:BYTES] [ordering] [FILE]";

enum {
	OPT_COST = CMD_OWN,
	OPT_EXTENT,
	OPT_EXTENTS,
	OPT_REFINE,
	OPT_SEED,
	OPT_SORTED
};

/* clang-format off */
static const struct option long_options[] = {
	CMD_ORDER_LONG,
	{ "algorithm", required_argument, NULL, 'a' },
	{ "cluster", required_argument, NULL, 'C' },
	{ "cost", required_argument, NULL, OPT_COST },
	{ "count", required_argument, NULL, 'c' },
	{ "extent", required_argument, NULL, OPT_EXTENT },
	{ "extents", no_argument, NULL, OPT_EXTENTS },
	{ "node", required_argument, NULL, 'N' },
	{ "output", required_argument, NULL, 'o' },
	{ "plan", required_argument, NULL, 'P' },
	{ "refine", required_argument, NULL, OPT_REFINE },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "sorted", no_argument, NULL, OPT_SORTED },
	{ "sublists", required_argument, NULL, 'L' },
	CMD_COMMON_LONG,
	{ NULL, 0, NULL, 0 }
};
/* clang-format on */

static const struct action {
	const char *name;
	int (*run)(struct job *, struct hp_err *);
} actions[] = { { "assign", action_assign }, { "count", action_count },
	{ "cut", action_cut }, { "deal", action_deal },
	{ "pivots", action_pivots }, { "sample", action_sample } };

static int
option(struct opts *o, int letter, const char *arg, struct hp_err *e)
{
	switch (letter) {
	case 'c':
		o->count_given = true;
		return count_parse(arg, &o->count, e);
	case OPT_EXTENT:
		return extent_parse(arg, &o->range.offset, &o->range.bytes, e);
	case OPT_EXTENTS:
		o->extents = true;
		return 0;
	case OPT_SEED:
		return int_parse(arg, 0, UINT64_MAX, &o->seed, "seed", e);
	case OPT_SORTED:
		o->sorted = true;
		return 0;
	}
	cmd_other_option(letter, usage);
}

static void
parse(struct opts *o, int argc, char *argv[])
{
	const struct cmd_text texts[] = { { 'C', &o->cluster },
		{ 'L', &o->sublists }, { 'N', &o->node }, { 'P', &o->plan },
		{ 'a', &o->algorithm }, { 'o', &o->output },
		{ OPT_COST, &o->cost }, { OPT_REFINE, &o->refine },
		{ 0, NULL } };
	struct hp_err e = { 0 };
	int ch;

	*o = (struct opts){ .cost = COST_DEFAULT, .range = { 0, UINT64_MAX } };
	order_init(&o->order);
	while ((ch = getopt_long(argc, argv, "C:L:N:P:a:c:o:" CMD_ORDER_SHORT,
		    long_options, NULL)) != -1)
		if (!cmd_order_option(&o->order, ch, optarg) &&
		    !cmd_text_option(texts, ch, optarg) &&
		    option(o, ch, optarg, &e) == -1)
			cmd_bad(&e);
	cmd_order_done(&o->order);
	o->file = argv + optind;
	o->nfiles = argc - optind;
}

static const struct action *
find_action(const char *name)
{
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

/* Messages say which action it was. */
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
	struct hp_err e = { 0 };
	struct opts o;
	struct job j = { .o = &o };
	char name[32];
	int rc;

	cmd_maps_files();
	if (action != NULL) {
		/* What getopt puts in front of its messages. */
		snprintf(
		    name, sizeof name, "%s: %s", getprogname(), action->name);
		argv[1] = name;
	}
	/* Without an action: --help and --version. */
	parse(&o, argc - (action != NULL), argv + (action != NULL));
	if (action == NULL) {
		if (argc > 1)
			cmd_misuse(usage, "'%s' is not an action", argv[1]);
		cmd_misuse(usage, "the action is missing");
	}
	if (o.output != NULL && !(action->run == action_cut && o.extents))
		errx(EXIT_TROUBLE, "-o goes with cut --extents only");
	if ((rc = action->run(&j, &e)) == -1)
		name_action(action, &e);
	plan_fini(&j.plan);
	sublists_fini(&j.sublists);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
