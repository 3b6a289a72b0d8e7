/*
 * A stage has failed: the judge asks the nodes and decides which ones to drop.
 */

#include "job/launcher_hears.h"
#include "job/launcher_stage.h"
#include "launcher_rig.h"

/* The judge's answer to each call, and what the judge observed. */
static struct {
	enum judgement says[4];
	int drops; /* rank of the node to drop */
	unsigned calls;
	bool last[4];
	struct outcome saw;
	bool asks; /* the judge runs a stage */
	int ask_rc;
	enum launcher_hears hears[8];
} judged;

/* Fetches a file from each node that is connected. */
static void
ask(struct launcher *l)
{
	struct outcome outcome;
	struct hp_err e;
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (int r = 0; r < (int)run.nodes; r++)
		if (launcher_hears(l, r) == HEARS_IT)
			stage_get(&s, stage_step(&s, r, "setup"), "report", 0,
			    ACTION_TO_END,
			    port_file(stage_text(&s, "report.%d", r)), 0);
	judged.ask_rc = launcher_stage(l, &s, &outcome, &e);
	stage_fini(&s);
}

static enum judgement
judge(void *context, struct launcher *l, const struct stage *s, bool last,
    struct outcome *o)
{
	unsigned i = judged.calls++;

	(void)context;
	(void)s;
	judged.last[i] = last;
	judged.saw = *o;
	for (int r = 0; r < (int)run.nodes; r++)
		judged.hears[r] = launcher_hears(l, r);
	if (judged.asks)
		ask(l);
	if (judged.says[i] == JUDGE_DROP) {
		memset(o->lost, 0, run.nodes * sizeof *o->lost);
		o->lost[judged.drops] = true;
		o->nlost = 1;
		snprintf(
		    o->why, sizeof o->why, "n%d: no link to n3", judged.drops);
	}
	return judged.says[i];
}

static void
with_judge(size_t nodes, size_t hosts)
{
	prepare(nodes, hosts);
	memset(&judged, 0, sizeof judged);
	run.config.judge = judge;
}

/* Each node writes a report. Node 0 ends with the given command; the others
 * continue. */
static int
fail_with(const char *end)
{
	struct stage s;

	stage_init(&s);
	for (int r = 0; r < (int)run.nodes; r++)
		shell(&s, r, "exchange", port_none(), port_none(),
		    "echo %d >report; echo >>%s/tries.%d; %s", r, run.work, r,
		    r == 0 ? end : "sleep 3600");
	return play(&s);
}

static void
the_dropped_node_may_differ_from_the_one_that_failed(void)
{
	with_judge(4, 3);
	judged.says[0] = JUDGE_DROP;
	judged.drops = 2;
	judged.asks = true;
	REQUIRE(begin() == 0);
	CHECK_EQ_I64(fail_with("sleep 0.3; exit 3"), -1);
	CHECK_EQ_U64(judged.calls, 1);
	CHECK(!judged.last[0]);
	CHECK_EQ_U64(judged.saw.kind, OUTCOME_FAILED);
	CHECK_EQ_I64(judged.saw.code, 3);
	CHECK_EQ_I64(judged.saw.rank, 0);
	CHECK_EQ_U64(judged.saw.nlost, 0);
	CHECK_EQ_I64(judged.ask_rc, 0);
	for (int r = 0; r < 4; r++) {
		char name[32], want[32];

		snprintf(name, sizeof name, "report.%d", r);
		snprintf(want, sizeof want, "%d\n", r);
		CHECK_CONTENT(name, want);
	}
	/* The stage is not retried. */
	CHECK_CONTENT("tries.0", "\n");
	CHECK_EQ_U64(run.outcome.nlost, 1);
	CHECK(run.outcome.lost[2] && !run.outcome.lost[0]);
	CHECK(!run.outcome.broke_only);
	CHECK_EQ_STR(run.e.text, "n2: no link to n3");
	CHECK_EQ_U64(run.e.kind, HP_LOST);
	finish(true);
	clean();
}

static void
without_a_node_to_drop_the_stage_is_tried_again(void)
{
	char *script;

	with_judge(3, 2);
	judged.says[0] = judged.says[1] = judged.says[2] = JUDGE_NOBODY;
	judged.asks = true;
	REQUIRE(begin() == 0);
	CHECK_EQ_I64(fail_with("sleep 0.3; exit 3"), -1);
	CHECK_EQ_U64(judged.calls, 3);
	CHECK(!judged.last[0] && !judged.last[1] && judged.last[2]);
	CHECK_CONTENT("tries.0", "\n\n\n");
	CHECK_CONTENT("tries.1", "\n\n\n");
	CHECK_EQ_U64(run.outcome.nlost, 0);
	CHECK_EQ_U64(run.e.kind, HP_LOST);
	CHECK_EQ_STR(run.e.text, "n0: exchange: failed");
	finish(true);
	clean();

	/* The second try succeeds. */
	with_judge(3, 2);
	judged.says[0] = JUDGE_NOBODY;
	judged.asks = true;
	REQUIRE(begin() == 0);
	script = text(
	    "[ -e %s/once ] || { : >%s/once; exit 3; }", run.work, run.work);
	{
		struct stage s;

		stage_init(&s);
		for (int r = 0; r < 3; r++)
			shell(&s, r, "exchange", port_none(), port_none(),
			    "echo %d >report; sleep 0.3; %s", r,
			    r == 0 ? script : ":");
		CHECK_EQ_I64(play(&s), 0);
	}
	CHECK_EQ_U64(judged.calls, 1);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_DONE);
	free(script);
	finish(true);
	clean();
}

static void
without_a_judgement_the_first_failed_node_is_dropped(void)
{
	with_judge(3, 2);
	REQUIRE(begin() == 0);
	CHECK_EQ_I64(fail_with("sleep 0.3; exit 3"), -1);
	CHECK_EQ_U64(judged.calls, 3);
	CHECK_EQ_U64(run.outcome.nlost, 1);
	CHECK(run.outcome.lost[0]);
	finish(true);
	clean();
}

static void
a_fault_of_the_step_itself_is_not_judged(void)
{
	with_judge(3, 2);
	REQUIRE(begin() == 0);
	CHECK_EQ_I64(fail_with("sleep 0.3; exit 2"), -1);
	CHECK_EQ_U64(judged.calls, 0);
	CHECK_EQ_U64(run.e.kind, HP_IO);
	finish(true);
	clean();
}

/* Kills the agent of node 1. The script decides whether its host accepts
 * another login. */
static void
lose_one(const char *script, enum judgement says)
{
	with_judge(3, 2);
	judged.says[0] = says;
	judged.drops = 1;
	if (script != NULL)
		with_rsh(script);
	REQUIRE(begin() == 0);
	{
		struct stage s;

		stage_init(&s);
		for (int r = 0; r < 3; r++)
			shell(&s, r, "exchange", port_none(), port_none(),
			    r == 1 ? "sleep 0.3; kill -9 $PPID; sleep 3600"
				   : "sleep 3600");
		CHECK_EQ_I64(play(&s), -1);
	}
	CHECK_EQ_U64(judged.calls, 1);
	CHECK(judged.last[0]);
	CHECK_EQ_U64(judged.saw.kind, OUTCOME_LOST);
	CHECK_EQ_U64(judged.hears[0], HEARS_IT);
	CHECK_EQ_U64(judged.hears[2], HEARS_IT);
	CHECK_EQ_U64(run.outcome.nlost, 1);
	CHECK(run.outcome.lost[1]);
}

static void
a_machine_that_recovers_is_not_dropped(void)
{
	/* No node is dropped and the stage is retried, because only the
	 * connection broke. */
	lose_one(NULL, JUDGE_NOBODY);
	CHECK_EQ_U64(judged.hears[1], HEARS_AGAIN);
	CHECK(run.outcome.broke_only);
	finish(true);
	clean();
}

static void
a_machine_that_is_lost_is_dropped(void)
{
	char *script = text("#!/bin/sh\n"
			    "[ ! -e %s/$1 ] || exit 255\n: >%s/$1\n"
			    "shift\nexec sh -c \"$*\"\n",
	    top, top);

	lose_one(script, JUDGE_DROP);
	CHECK_EQ_U64(judged.hears[1], HEARS_NOT);
	CHECK(!run.outcome.broke_only);
	free(script);
	finish(true);
	/* The node was lost, so its files could not be removed. */
	script = text("rm -rf '%s'", run.node[1].dir);
	CHECK_EQ_I64(system(script), 0);
	free(script);
	clean();
}

int
main(int argc, char *argv[])
{
	if (argc > 1 && strcmp(argv[1], "--agent") == 0)
		return guard_run(serve, NULL);
	make_rig();
	/*
	 * This process is the subreaper of its descendants, like the worker of
	 * a guard.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN(the_dropped_node_may_differ_from_the_one_that_failed);
	RUN(without_a_node_to_drop_the_stage_is_tried_again);
	RUN(without_a_judgement_the_first_failed_node_is_dropped);
	RUN(a_fault_of_the_step_itself_is_not_judged);
	RUN(a_machine_that_recovers_is_not_dropped);
	RUN(a_machine_that_is_lost_is_dropped);
	remove_rig();
	return test_done();
}
