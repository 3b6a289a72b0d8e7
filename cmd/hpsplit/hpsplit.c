#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "actions.h"
#include "base/size.h"
#include "costs.h"
#include "synopsis.h"

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
	DEAL_PLAN = 1 << 0,
	DEAL_SUBLISTS = 1 << 1,
	DEAL = DEAL_PLAN | DEAL_SUBLISTS,
	SAMPLE = 1 << 2,
	SAMPLE_EXACT = 1 << 3,
	PIVOTS = 1 << 4,
	COUNT = 1 << 5,
	ASSIGN = 1 << 6,
	CUT = 1 << 7,
	RANGE = 1 << 8,
	SHOW = 1 << 9,
	ORDERED = 0x3bf /* forms of all actions but assign */
};

#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'C', "cluster", "CLUSTER", "read the nodes from CLUSTER",
	    set_text, TO(cluster), .forms = ASSIGN },
	{ 'L', "sublists", "SUBLISTS", "read the sublists from SUBLISTS",
	    set_text, TO(sublists),
	    .forms = DEAL_SUBLISTS | SAMPLE_EXACT | COUNT | ASSIGN | CUT },
	{ 'N', "node", "NODE", "run as this node, by rank or name",
	    set_text, TO(node),
	    .forms = DEAL_SUBLISTS | SAMPLE | SAMPLE_EXACT | COUNT | CUT },
	{ 'P', "plan", "PLAN", "read the shares from PLAN",
	    set_text, TO(plan),
	    .forms = DEAL_PLAN | SAMPLE | PIVOTS | COUNT | CUT | RANGE },
	{ 'a', "algorithm", "METHOD",
	    "exact, psop, psrs, pss, random or regular",
	    set_text, TO(algorithm), .forms = SAMPLE | SAMPLE_EXACT | PIVOTS },
	{ 'c', "count", "COUNT", "number of candidates or sublists",
	    set_sample, .forms = SAMPLE | PIVOTS },
	{ 'o', "output", "FILE", "write the divided records to FILE",
	    set_text, TO(output), .forms = CUT | RANGE },
	{ 0, "approximate", NULL, "meet the shares only approximately",
	    set_flag, TO(approximate), .forms = RANGE },
	{ 0, "cost", "COST", "cost of n records, such as n*log(n)",
	    set_cost, TO(cost), .forms = ASSIGN },
	{ 0, "extent", "OFFSET:BYTES", "read only this part of the file",
	    set_extent, TO(range), .forms = DEAL | SAMPLE | COUNT | CUT | RANGE },
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

static const struct action {
	const char *name;
	int (*run)(struct job *, struct hp_err *);
	unsigned forms;
} actions[] = { { "assign", action_assign, ASSIGN },
	{ "count", action_count, COUNT }, { "cut", action_cut, CUT },
	{ "deal", action_deal, DEAL }, { "pivots", action_pivots, PIVOTS },
	{ "range", action_range, RANGE },
	{ "sample", action_sample, SAMPLE | SAMPLE_EXACT },
	{ "show", action_show, SHOW } };

enum {
	NACTIONS = sizeof actions / sizeof actions[0]
};

static const char no_extents[] = "-o needs cut --extents";

/* Exits 2 with a message that names the actions which have the option. */
_Noreturn static void
misplaced(const struct cmd_option *o, unsigned of)
{
	char words[128] = "";

	if (o->letter == 'o')
		errx(EXIT_TROUBLE, "%s", no_extents);
	for (size_t i = 0; i < NACTIONS; i++)
		if ((actions[i].forms & of) != 0) {
			strlcat(words, words[0] == '\0' ? "" : " or ",
			    sizeof words);
			strlcat(words, actions[i].name, sizeof words);
		}
	if (o->letter > 0 && o->letter < 256)
		errx(EXIT_TROUBLE, "-%c needs the action %s", o->letter, words);
	errx(EXIT_TROUBLE, "--%s needs the action %s", o->name, words);
}

static void
parse(struct opts *o, const struct action *action, int argc, char *argv[])
{
	struct cmd_parser p;

	*o = (struct opts){ .cost = COST_DEFAULT,
		.range = { .bytes = UINT64_MAX } };
	order_init(&o->order);
	cmd_parser_init(&p, &syntax, o);
	while (cmd_next(&p, argc, argv) == 0)
		continue;
	for (size_t i = 0; action != NULL && i < p.nrows; i++)
		if (p.row[i].given && p.row[i].forms != 0 &&
		    (p.row[i].forms & action->forms) == 0)
			misplaced(p.row[i].option, p.row[i].forms);
	ordering_done(&o->order);
	o->file = argv + optind;
	o->nfiles = argc - optind;
}

static const struct action *
find_action(const char *name)
{
	for (size_t i = 0; i < NACTIONS; i++)
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
	parse(&o, action, argc - (action != NULL), argv + (action != NULL));
	if (action == NULL) {
		if (argc > 1)
			cmd_misuse(&syntax, "'%s' is not an action", argv[1]);
		cmd_misuse(&syntax, "the action is missing");
	}
	if (o.nfiles == 0)
		cmd_reads_terminal();
	if (o.range.header > 0 && o.range.bytes != UINT64_MAX)
		errx(EXIT_TROUBLE, "--header needs whole files");
	if (o.output != NULL && action->run == action_cut && !o.extents)
		errx(EXIT_TROUBLE, "%s", no_extents);
	cmd_outputs_differ("-o", o.output, "--sums", o.sums);
	cmd_spares_inputs(
	    "--sums", o.sums, (const char *const *)o.file, (size_t)o.nfiles);
	if (o.plan != NULL)
		cmd_spares_inputs("--sums", o.sums, &o.plan, 1);
	if ((rc = action->run(&j, &e)) == -1)
		name_action(action, &e);
	plan_fini(&j.plan);
	sublists_fini(&j.sublists);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
