/*
 * Commands on hosts whose output goes to its place in a file of the launcher.
 */

#include "launcher_rig.h"

enum {
	NODES = 3,
	PART = 3000000
};

struct seen {
	unsigned begun, ended;
	uint64_t bytes;
};

static void
begin_part(void *context)
{
	struct seen *seen = context;

	seen->begun++;
	seen->bytes = 0;
}

static int
pass_part(void *context, const unsigned char *p, size_t n, struct hp_err *e)
{
	struct seen *seen = context;

	(void)p;
	(void)e;
	seen->bytes += n;
	return 0;
}

static int
end_part(void *context, struct hp_err *e)
{
	struct seen *seen = context;

	(void)e;
	seen->ended++;
	return 0;
}

/* Adds a command whose output is the node's part of the file `out`. */
static struct step *
returns(struct stage *s, int r, struct tap *tap, const char *line)
{
	struct port place = port_part("out", (uint64_t)r * PART, PART);

	place.tap = tap;
	return shell(s, r, "merge", port_none(), place, "%s", line);
}

static struct tap
tap_of(struct seen *seen)
{
	return (struct tap){ begin_part, pass_part, end_part, seen };
}

static void
outputs_go_to_their_places(void)
{
	struct seen seen[NODES] = { 0 };
	struct tap tap[NODES];
	struct step *step;
	struct stage s;

	prepare(NODES, NODES);
	fill("in", NODES * (size_t)PART);
	fill("out", 0);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = NODES - 1; r >= 0; r--) {
		/*
		 * The command of the second node is killed once, in the middle
		 * of its output.
		 */
		const char *line = text("part() { tail -c +%d %s/in |"
					"head -c %d; }; %s; part",
		    r * PART + 1, run.work, PART,
		    r == 1 ? "[ -e once ] || { : >once; part | head -c 9999;"
			     "kill -KILL $$; }"
			   : ":");

		tap[r] = tap_of(&seen[r]);
		step = returns(&s, r, &tap[r], line);
		step->restarts = 1;
		step->returning = "gather";
	}
	CHECK_EQ_I64(play(&s), 0);
	check_same(__LINE__, "in", "out");
	for (int r = 0; r < NODES; r++) {
		CHECK_EQ_U64(seen[r].begun, r == 1 ? 2 : 1);
		CHECK_EQ_U64(seen[r].bytes, PART);
	}
	/*
	 * The launcher reports each step, and each return of a step's output.
	 */
	CHECK_EQ_U64(run.steps, 2 * NODES);
	finish(false);
	clean();
}

/*
 * If a command writes less than its part, the launcher counts the bytes and
 * reports no error.
 */
static void
a_short_part_ends(void)
{
	struct seen seen = { 0 };
	struct tap tap = tap_of(&seen);
	struct stage s;

	prepare(2, 2);
	fill("out", 0);
	REQUIRE(begin() == 0);
	stage_init(&s);
	returns(&s, 1, &tap, "printf short");
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_U64(seen.bytes, 5);
	CHECK_EQ_U64(seen.ended, 1);
	finish(false);
	clean();
}

/*
 * A command writes more than its part.  The excess never reaches the next
 * node's part.
 */
static void
a_part_that_is_too_long_is_refused(void)
{
	struct seen seen = { 0 };
	struct tap tap = tap_of(&seen);
	struct stage s;

	prepare(2, 2);
	fill("out", 0);
	REQUIRE(begin() == 0);
	stage_init(&s);
	returns(&s, 0, &tap, text("head -c %d /dev/zero", PART + 1));
	CHECK_EQ_I64(play(&s), -1);
	CHECK(strstr(run.told, "n0: sent data that was not asked for") != NULL);
	CHECK(seen.bytes <= PART);
	finish(true);
	clean();
}

/* If others have told the size of the part, the machine itself did no wrong. */
static void
a_part_that_is_longer_than_others_say_fails_the_step(void)
{
	struct port place = port_part("out", 0, PART);
	struct seen seen = { 0 };
	struct tap tap = tap_of(&seen);
	struct stage s;

	prepare(2, 2);
	fill("out", 0);
	place.claimed = true;
	place.tap = &tap;
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, 0, "merge", port_none(), place, "head -c %d /dev/zero",
	    PART + 1);
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_FAILED);
	CHECK_EQ_STR(run.told,
	    "* out: more records are returned than were sent to the node\n");
	CHECK(seen.bytes <= PART);
	finish(true);
	clean();
}

static void
a_node_of_this_machine_returns_a_part(void)
{
	struct seen seen = { 0 };
	struct tap tap = tap_of(&seen);
	struct stage s;

	prepare(1, 0);
	fill("in", PART);
	fill("out", 0);
	REQUIRE(begin() == 0);
	stage_init(&s);
	returns(&s, 0, &tap, text("cat %s/in", run.work));
	CHECK_EQ_I64(play(&s), 0);
	check_same(__LINE__, "in", "out");
	CHECK_EQ_U64(seen.bytes, PART);
	/* Only a host can read a part of a file. */
	stage_init(&s);
	shell(&s, 0, "read", port_part("in", 0, 1), port_none(), "cat");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_U64(run.e.kind, HP_USAGE);
	finish(false);
	clean();
}

/* A file that is gone would come back with holes. */
static void
a_file_that_was_removed_is_not_made_again(void)
{
	struct seen seen = { 0 };
	struct tap tap = tap_of(&seen);
	struct stage s;

	prepare(2, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	returns(&s, 1, &tap, "printf part");
	CHECK_EQ_I64(play(&s), -1);
	CHECK(strstr(run.told, "out: No such file") != NULL);
	finish(false);
	clean();
}

static void
a_file_that_cannot_be_written_fails_the_return(void)
{
	struct step *step;
	struct stage s;

	prepare(2, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	step = shell(&s, 1, "merge", port_none(),
	    port_part("/dev/full", 0, PART), "head -c %d /dev/zero", PART);
	step->returning = "gather";
	CHECK_EQ_I64(play(&s), -1);
	CHECK(strstr(run.told, "/dev/full: No space left") != NULL);
	CHECK_EQ_STR(run.outcome.step, "gather");
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
	RUN(outputs_go_to_their_places);
	RUN(a_short_part_ends);
	RUN(a_part_that_is_too_long_is_refused);
	RUN(a_part_that_is_longer_than_others_say_fails_the_step);
	RUN(a_node_of_this_machine_returns_a_part);
	RUN(a_file_that_was_removed_is_not_made_again);
	RUN(a_file_that_cannot_be_written_fails_the_return);
	remove_rig();
	return test_done();
}
