/* Stages that get more steps while they run. */

#include "job/launcher_stage.h"
#include "launcher_rig.h"

enum {
	NODES = 3,
	TURNS = 5 /* of each node */
};

struct growth {
	int turn[NODES];
	bool refuse; /* fail the first time */
};

/* Adds a turn of the node. The third turn of the second node fails once. */
static void
add_turn(struct growth *g, struct stage *s, int rank)
{
	int turn = g->turn[rank]++;

	shell(s, rank, "sort", port_none(),
	    port_file(stage_text(s, "out.%d.%d", rank, turn)),
	    "echo %d; [ %d != %d ] || [ -e again ] ||"
	    " { : >again; exit 3; }",
	    turn, turn, rank == 1 ? 2 : TURNS);
}

static int
next_turn(void *context, struct stage *s, size_t index, struct hp_err *e)
{
	struct growth *g = context;
	int rank;

	if (index == STAGE_TICK)
		return 0;
	rank = s->step[index]->rank;
	if (g->refuse)
		return hp_fail(e, HP_INPUT, "no more");
	if (g->turn[rank] < TURNS)
		add_turn(g, s, rank);
	return 0;
}

static void
begin_stage(struct stage *s, struct growth *g, int nodes)
{
	stage_init(s);
	s->grow = next_turn;
	s->context = g;
	s->growth = (size_t)nodes * (TURNS - 1);
	for (int r = 0; r < nodes; r++)
		add_turn(g, s, r);
}

/*
 * As a judge may, runs a small stage; then leaves the decision to the launcher.
 */
static enum judgement
ask_a_node(void *context, struct launcher *l, const struct stage *failed,
    bool last, struct outcome *o)
{
	struct outcome ignored;
	struct hp_err e;
	struct stage s;

	(void)context;
	(void)failed;
	(void)last;
	(void)o;
	stage_init(&s);
	s.passing = true;
	shell(&s, 0, "setup", port_none(), port_file("asked"), "echo yes");
	CHECK_EQ_I64(launcher_stage(l, &s, &ignored, &e), 0);
	stage_fini(&s);
	return JUDGE_NOTHING;
}

/*
 * A step that fails in the middle of a stage is tried again, while the other
 * steps go on.
 */
static void
steps_follow_each_other(size_t hosts, bool judged)
{
	struct growth g = { 0 };
	struct stage s;
	char name[32];

	prepare(NODES, hosts);
	if (judged)
		run.config.judge = ask_a_node;
	REQUIRE(begin() == 0);
	begin_stage(&s, &g, NODES);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_STR(run.told, "* n1: sort: failed; trying again\n");
	CHECK_EQ_U64(run.steps, (size_t)NODES * TURNS + judged);
	for (int r = 0; r < NODES; r++) {
		snprintf(name, sizeof name, "out.%d.%d", r, TURNS - 1);
		CHECK_CONTENT(name, "4\n");
	}
	CHECK_CONTENT("asked", judged ? "yes\n" : "(no file)");
	finish(false);
	clean();
}

static void
steps_follow_each_other_on_hosts(void)
{
	steps_follow_each_other(NODES, false);
}

static void
steps_follow_each_other_on_some_hosts(void)
{
	steps_follow_each_other(2, false);
}

static void
steps_follow_each_other_after_a_judgement(void)
{
	steps_follow_each_other(NODES, true);
}

/* A resumed run takes the steps from the journal, and the stage grows again. */
static void
steps_of_the_journal_grow(void)
{
	struct growth g = { 0 };
	struct stage s;

	prepare(1, 1);
	run.config.keep = true;
	REQUIRE(begin() == 0);
	begin_stage(&s, &g, 1);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_U64(run.steps, TURNS);
	finish(false);
	run.config.again = true;
	run.steps = 0;
	g = (struct growth){ 0 };
	REQUIRE(begin() == 0);
	begin_stage(&s, &g, 1);
	CHECK_EQ_I64(launcher_stage(run.launcher, &s, &run.outcome, &run.e), 0);
	CHECK_EQ_U64(s.n, TURNS);
	CHECK_EQ_U64(run.steps, 0);
	stage_fini(&s);
	finish(true);
	clean();
}

static void
growth_may_fail(void)
{
	struct growth g = { .refuse = true };
	struct stage s;

	prepare(NODES, 0);
	REQUIRE(begin() == 0);
	begin_stage(&s, &g, NODES);
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_STR(run.e.text, "no more");
	finish(false);
	clean();
}

static void
growth_has_a_limit(void)
{
	struct growth g = { 0 };
	struct stage s;

	prepare(NODES, 0);
	REQUIRE(begin() == 0);
	begin_stage(&s, &g, NODES);
	s.growth = 2;
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_STR(run.e.text, "sort: the stage grows too much");
	finish(false);
	clean();
}

enum {
	AT_ONCE, /* index of the step that ends at once */
	SLEEPER, /* of a step that would take long */
	PUTTER,	 /* of a step that copies a large file to its node */
	LATE	 /* of a step that is added and dropped at once */
};

/* Drops the other steps when the first one ends. */
static int
drop_the_others(void *context, struct stage *s, size_t index, struct hp_err *e)
{
	bool *added = context;

	(void)e;
	if (index == STAGE_TICK)
		return 0;
	CHECK_EQ_U64(index, *added ? LATE + 1 : AT_ONCE);
	if (*added)
		return 0;
	*added = true;
	stage_drop(s, SLEEPER);
	stage_drop(s, PUTTER);
	shell(s, 1, "late", port_none(), port_file("late"), "echo late");
	stage_drop(s, LATE);
	shell(s, 2, "last", port_none(), port_file("last"), "echo last");
	return 0;
}

static void
begin_to_drop(struct stage *s, bool *added)
{
	*added = false;
	stage_init(s);
	s->grow = drop_the_others;
	s->context = added;
	s->growth = 2;
	shell(s, 0, "first", port_none(), port_none(), "exit 0");
	shell(s, 1, "sleep", port_none(), port_file("slept"),
	    "sleep 99; echo slept");
	stage_put(s, stage_step(s, 2, "put"), "large", 0, 64 << 20, "large");
}

/*
 * Dropped steps end early and are not reported; the stage succeeds without
 * them.  A resumed run does not start them either.
 */
static void
steps_are_dropped(void)
{
	bool added;
	struct stage s;

	prepare(NODES, NODES);
	run.config.keep = true;
	fill("large", 64 << 20);
	REQUIRE(begin() == 0);
	begin_to_drop(&s, &added);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("last", "last\n");
	CHECK_CONTENT("late", "(no file)");
	CHECK_EQ_STR(run.told, "");
	CHECK_EQ_U64(run.steps, 2);
	CHECK_CONTENT("slept", "(no file)");
	finish(false);

	run.config.again = true;
	run.steps = 0;
	REQUIRE(begin() == 0);
	begin_to_drop(&s, &added);
	/* Dropped before the stage runs, so the journal's entry does not count.
	 */
	stage_drop(&s, SLEEPER);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_U64(run.steps, 0);
	finish(true);
	clean();
}

/* A stage that fails after it has dropped a step is retried without the step.
 */
static int
drop_and_fail(void *context, struct stage *s, size_t index, struct hp_err *e)
{
	(void)context;
	(void)e;
	if (index == AT_ONCE)
		stage_drop(s, SLEEPER);
	return 0;
}

static void
a_retried_stage_does_without_dropped_steps(void)
{
	struct stage s;

	prepare(NODES, NODES);
	REQUIRE(begin() == 0);
	stage_init(&s);
	s.grow = drop_and_fail;
	shell(&s, 0, "first", port_none(), port_none(), "exit 0");
	shell(&s, 1, "sleep", port_none(), port_none(), "sleep 99");
	shell(&s, 2, "sort", port_none(), port_none(),
	    "[ -e again ] || { : >again; sleep 0.2; exit 3; }");
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_STR(run.told, "* n2: sort: failed; trying again\n");
	CHECK_EQ_U64(run.steps, 2);
	finish(false);
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
	RUN(steps_follow_each_other_on_hosts);
	RUN(steps_follow_each_other_on_some_hosts);
	RUN(steps_follow_each_other_after_a_judgement);
	RUN(steps_of_the_journal_grow);
	RUN(growth_may_fail);
	RUN(growth_has_a_limit);
	RUN(steps_are_dropped);
	RUN(a_retried_stage_does_without_dropped_steps);
	remove_rig();
	return test_done();
}
