#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/size.h"
#include "cmd.h"
#include "costs.h"
#include "job/launch.h"
#include "list.h"
#include "mode.h"
#include "ordering.h"
#include "opts.h"
#include "share/method.h"
#include "synopsis.h"
#include "ways.h"

enum {
	SECONDS_MOST = 99999,
	NODES_MOST = 9999,
	PROFILE_DEFAULT = 60
};

static int
set_algorithm(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	o->algorithm_given = true;
	return demand_parse(arg, &o->algorithm, e);
}

static int
set_value(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (*arg == '\0')
		return hp_fail(e, HP_USAGE, "a value is needed");
	return set_text(to, letter, arg, e);
}

static int
set_nodes(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return int_parse(arg, 1, NODES_MOST, to, "number of nodes", e);
}

static int
set_seconds(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return int_parse(arg, 1, SECONDS_MOST, to, "number of seconds", e);
}

static int
set_profile(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	if (arg == NULL)
		o->profile_s = PROFILE_DEFAULT;
	else if (strcmp(arg, "learn") == 0)
		o->learn = true;
	else
		return set_seconds(&o->profile_s, letter, arg, e);
	return 0;
}

static int
set_method(void *to, int letter, const char *arg, struct hp_err *e)
{
	enum method method;

	if (method_parse(arg, &method, e) == -1)
		return -1;
	return set_text(to, letter, arg, e);
}

static int
set_transport(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (way_find(arg) == NULL)
		return hp_fail(
		    e, HP_USAGE, "'%s' is none of mpi, ssh, tcp, unix", arg);
	return set_text(to, letter, arg, e);
}

static int
set_launch(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (launch_method(arg) == NULL)
		return hp_fail(e, HP_USAGE,
		    "'%s' is no launch method; --help lists them", arg);
	return set_text(to, letter, arg, e);
}

static int
set_agent(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	o->agent = true;
	o->agent_calls = arg != NULL;
	if (arg == NULL || strcmp(arg, "call") == 0)
		return 0;
	return hp_fail(e, HP_USAGE, "'%s' is not 'call'", arg);
}

static int
set_keep(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	if (o->keep != NULL)
		return hp_fail(e, HP_USAGE, "only one of --keep and --resume");
	return set_value(&o->keep, letter, arg, e);
}

static int
set_resume(void *to, int letter, const char *arg, struct hp_err *e)
{
	((struct opts *)to)->resume = true;
	return set_keep(to, letter, arg, e);
}

static int
add_without(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	(void)e;
	list_add(to, arg);
	return 0;
}

static int
set_items(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	o->counted = true;
	return set_count(&o->count, letter, arg, e);
}

/* Sets an ordering option that jobs have, too: -F or -z. */
static int
set_order(void *to, int letter, const char *arg, struct hp_err *e)
{
	return order_option(to, letter, arg, e);
}

/* clang-format off */
enum {
	FORM_SORT = 1 << 0, /* the forms of the synopsis */
	FORM_COUNT = 1 << 1,
	FORM_MAP = 1 << 2,
	FORM_AGENT = 1 << 3,
	FORM_JOB = FORM_COUNT | FORM_MAP
};
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option of_all[] = {
	{ 'C', "cluster", "CLUSTER", "sort on the nodes of this file",
	    set_value, TO(cluster) },
	{ 'j', "nodes", "NODES", "use this many nodes on this machine",
	    set_nodes, TO(nodes) },
	{ 'o', "output", "FILE", "write to FILE, which may also be an input",
	    set_value, TO(output) },
	{ 'T', "temporary-directory", "DIR", "put the work directory into DIR",
	    set_value, TO(tmpdir) },
	{ 0, "dry-run", NULL, "print the commands without running them",
	    set_flag, TO(dry) },
	{ 0, "estimate", NULL, "print the plan and its times, do not run",
	    set_flag, TO(estimate) },
	{ 0, "keep", "DIR", "work in DIR, and leave all files there",
	    set_keep, 0 },
	{ 0, "launch", "local|slurm|ssh", "how to start the agents of hosts",
	    set_launch, TO(launch) },
	{ 0, "method", "METHOD", "plan the shares as hpsolve -m does",
	    set_method, TO(method) },
	{ 0, "progress", NULL, "print how much of the run is done",
	    set_flag, TO(progress) },
	{ 0, "resume", "DIR", "continue a run that --keep has kept",
	    set_resume, 0 },
	{ 0, "rsh", "COMMAND", "log in with COMMAND instead of ssh",
	    set_value, TO(rsh) },
	{ 0, "speeds", "K1,K2,...", "one node on this machine for each speed",
	    set_speeds, TO(speeds) },
	{ 0, "timeout", "SECONDS", "treat a node as lost if silent so long",
	    set_seconds, TO(timeout_s) },
	{ 0, "trace", "FILE", "append the times of each step to FILE",
	    set_value, TO(trace) },
	{ 0, "without", "NAME", "leave out the node with this name",
	    add_without, TO(without), .many = true },
	{ 0 },
};

static const struct cmd_option of_sort[] = {
	{ 'a', "algorithm", "exact|psrs|pss|psop|range",
	    "how to divide the records",
	    set_algorithm, 0 },
	{ 'S', "buffer-size", "SIZE", "memory for all nodes of one machine",
	    set_value, TO(budget) },
	{ 0, "header", "N", "keep the first N records on top",
	    set_count, TO(header) },
	{ 0, "in-place", "PATH", "read the part of each node from PATH",
	    set_value, TO(in_place) },
	{ 0, "leave", "PATH", "leave the part of each node at PATH",
	    set_value, TO(leave) },
	{ 0, "profile", "[=SECONDS|learn]", "measure the nodes, or learn",
	    set_profile, 0 },
	{ 0, "profile-key", "FILE", "take the times of each type from FILE",
	    set_value, TO(profile_key) },
	{ 0, "shared", NULL, "all nodes see FILE and the output",
	    set_flag, TO(shared) },
	{ 0, "threads", "0|2", "number of threads for the exchange",
	    set_exchange_threads, TO(threads) },
	{ 0, "transport", "mpi|ssh|tcp|unix", "how nodes reach each other",
	    set_transport, TO(transport) },
	{ 0, "use-fewer", NULL, "sort on this machine alone if that is faster",
	    set_flag, TO(fewer) },
	{ 0 },
};

static const struct cmd_option of_job[] = {
	{ 'c', "cost", "COST", "cost of n items; default: n",
	    set_cost, TO(cost) },
	{ 'n', "count", "COUNT", "run a job of COUNT items, as 10M",
	    set_items, 0, .forms = FORM_COUNT },
	{ 'F', "format", "FORMAT", NULL,
	    set_order, TO(order), .forms = FORM_MAP },
	{ 'z', "zero-terminated", NULL, NULL,
	    set_order, TO(order), .forms = FORM_MAP },
	{ 0, "files", NULL, "the records are names of files to send",
	    set_flag, TO(files), .forms = FORM_MAP },
	{ 0, "map", NULL, "run a job that filters the records",
	    set_flag, TO(map), .forms = FORM_MAP },
	{ 0, "weights", "FILE", "the items have these weights",
	    set_value, TO(weights) },
	{ 0 },
};
/* clang-format on */

static const struct cmd_option of_agent[] = {
	{ 0, "agent", "[=call]", "run as an agent; only hprun uses this",
	    set_agent, 0 },
	{ 0 },
};

static const struct cmd_part parts[] = {
	{ ordering_options, TO(order), FORM_SORT },
	{ of_all, 0, FORM_SORT | FORM_JOB },
	{ of_sort, 0, FORM_SORT },
	{ of_job, 0, FORM_JOB },
	{ of_agent, 0, FORM_AGENT },
	{ 0 },
};
static const struct cmd_form forms[] = { { NULL, "[FILE...]" },
	{ "-n COUNT | --weights FILE", "-- COMMAND..." },
	{ "--map", "[-F FORMAT | --files] [-z] [FILE...] -- COMMAND..." },
	{ "--agent", NULL }, { 0 } };
static const struct cmd_syntax syntax = { forms, parts, "" };

/* Refuses options that contradict each other. */
static void
check(struct opts *o)
{
	const char *fault = mode_fault(o);

	if (fault != NULL)
		errx(EXIT_TROUBLE, "%s", fault);
	cmd_outputs_differ("-o", o->output, "--trace", o->trace);
}

/*
 * Parses the options that belong to the mode.  The words after `--` are the
 * user's command and are not parsed.
 */
static int
parse(struct opts *o, int *argc, char *argv[])
{
	static const unsigned only[] = { [MODE_SORT] = FORM_SORT | FORM_AGENT,
		[MODE_COUNT] = FORM_COUNT,
		[MODE_MAP] = FORM_MAP,
		[MODE_FILES] = FORM_MAP };
	struct cmd_syntax of_mode = syntax;
	int end;

	o->mode = mode_find(&syntax, *argc, argv, &end);
	o->cost = o->mode == MODE_SORT ? COST_DEFAULT : "n";
	if (o->mode != MODE_SORT && end < *argc) {
		o->command = argv + end + 1;
		argv[end] = NULL;
		*argc = end;
	}
	of_mode.only = only[o->mode];
	return cmd_parse(&of_mode, o, *argc, argv);
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	static char stdin_name[] = "-", *stdin_only[] = { stdin_name, NULL };

	int first;

	*o = (struct opts){ .algorithm = DEMAND_EXACT,
		.method = "auto",
		.threads = -1,
		.timeout_s = 30 };
	order_init(&o->order);
	first = parse(o, &argc, argv);
	o->random_source = o->order.random_source;
	o->random = (o->order.global.meaning & MEANS_RANDOM) != 0;
	for (size_t i = 0; i < o->order.nfields; i++)
		if ((o->order.field[i].meaning & MEANS_RANDOM) != 0)
			o->random = true;
	ordering_done(&o->order);
	o->file = argv + first;
	o->nfiles = argc - first;
	if (o->files)
		o->mode = MODE_FILES;
	check(o);
	if (o->nfiles == 0 && o->in_place == NULL && o->mode != MODE_COUNT) {
		if (!o->dry)
			cmd_reads_terminal();
		o->file = stdin_only;
		o->nfiles = 1;
	}
}
