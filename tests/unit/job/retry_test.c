/*
 * Which of several failures is the cause of the others, and which steps are
 * retried.
 */

#include "job/retry.h"
#include "test.h"

static const struct retry_facts with_hosts = { .hosts = true };
static const struct retry_facts alone = { .hosts = false };
static const struct retry_facts once = { .hosts = true, .once = true };

static struct cause
ended(int rank, uint64_t code, uint64_t signal)
{
	return cause_of_step(rank, "sort", false, code, signal);
}

static void
exit_statuses_are_classified(void)
{
	struct {
		uint64_t code, signal;
		bool asks;
		enum cause_kind kind;
		enum hp_kind error;
	} t[] = {
		{ 0, 0, false, CAUSE_NONE, HP_NONE },
		{ 0, 0, true, CAUSE_NONE, HP_NONE },
		{ 1, 0, true, CAUSE_NONE, HP_NONE },
		{ 1, 0, false, CAUSE_OWN, HP_IO },
		{ 2, 0, true, CAUSE_OWN, HP_IO },
		{ 3, 0, true, CAUSE_EFFECT, HP_LOST },
		{ 3, 0, false, CAUSE_EFFECT, HP_LOST },
		{ 126, 0, false, CAUSE_OWN, HP_IO },
		{ 127, 0, false, CAUSE_OWN, HP_IO },
		{ 255, 0, false, CAUSE_OWN, HP_LOST },
		{ 0, 9, false, CAUSE_EFFECT, HP_LOST },
		{ 0, 13, true, CAUSE_EFFECT, HP_LOST },
	};

	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct cause c = cause_of_step(
		    0, "sort", t[i].asks, t[i].code, t[i].signal);

		CHECK_EQ_U64(c.kind, t[i].kind);
		CHECK_EQ_U64(cause_error(&c), t[i].error);
	}
}

/*
 * A user's command may exit with 3 or 255 for any reason, so its step is not
 * retried.
 */
static void
any_status_of_a_users_command_is_final(void)
{
	static const uint64_t codes[] = { 1, 3, 126, 255 };
	struct retry r = { 0 };
	char text[64], want[64];

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		struct cause c = cause_of_command(1, "run", codes[i]);

		CHECK_EQ_U64(c.kind, CAUSE_OWN);
		CHECK_EQ_U64(cause_error(&c), HP_IO);
		CHECK(!retry_hope(&c, &with_hosts));
		CHECK(!retry_stage(&r, &c, &with_hosts));
		cause_text(&c, "b", text, sizeof text);
		snprintf(want, sizeof want,
		    "b: run: failed with exit status %d", (int)codes[i]);
		CHECK_EQ_STR(text, want);
	}
}

/*
 * A node that misses a peer is an effect.  The cause is what ended that peer.
 */
static void
the_cause_explains_most(void)
{
	struct cause c = { 0 }, heard;

	heard = ended(4, 3, 0);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 4);
	heard = ended(5, 0, 9);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 4);
	heard = ended(6, 2, 0);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 6);
	heard = ended(7, 1, 0);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 6);
	heard = ended(8, 0, 0);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 6);
	heard = cause_of_loss(9);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 9);
	heard = cause_of_loss(3);
	cause_hear(&c, &heard);
	CHECK_EQ_I64(c.rank, 9);
}

static void
a_killed_step_is_restarted_alone(void)
{
	struct cause killed = ended(1, 0, 9), failed = ended(1, 3, 0);
	struct cause lost = cause_of_loss(1);

	CHECK(retry_step(&killed, 3));
	CHECK(!retry_step(&killed, 0));
	CHECK(!retry_step(&failed, 3));
	CHECK(!retry_step(&lost, 3));
}

static void
a_stage_is_tried_twice_more(void)
{
	struct retry r = { 0 };
	struct cause killed = ended(1, 0, 9), missed = ended(1, 3, 0);
	struct cause broke = ended(1, 255, 0), own = ended(1, 2, 0);
	struct cause lost = cause_of_loss(1);
	struct cause here = ended(STEP_LAUNCHER, 0, 9);

	CHECK(!retry_stage(&r, &killed, &alone));
	CHECK(!retry_stage(&r, &killed, &once));
	CHECK(!retry_stage(&r, &own, &with_hosts));
	CHECK(!retry_stage(&r, &lost, &with_hosts));
	CHECK(!retry_stage(&r, &here, &with_hosts));
	CHECK_EQ_U64(r.stages, 0);
	CHECK(retry_stage(&r, &killed, &with_hosts));
	CHECK(retry_stage(&r, &missed, &with_hosts));
	CHECK(!retry_stage(&r, &broke, &with_hosts));
	r.stages = 0;
	CHECK(retry_stage(&r, &broke, &with_hosts));
}

/* After the last retry, the run may continue without the node. */
static void
after_the_last_retry_the_run_may_continue_without_the_node(void)
{
	struct cause missed = ended(1, 3, 0), own = ended(1, 2, 0);
	struct cause lost = cause_of_loss(1);

	CHECK(retry_hope(&missed, &with_hosts));
	CHECK(retry_hope(&lost, &with_hosts));
	CHECK(!retry_hope(&own, &with_hosts));
	CHECK(!retry_hope(&missed, &alone));
	CHECK(!retry_hope(&lost, &once));
}

static void
an_outcome_names_its_cause(void)
{
	struct cause missed = ended(1, 3, 0), killed = ended(2, 0, 15);
	struct cause lost = cause_of_loss(3);
	struct outcome o = { 0 };
	char text[64];

	cause_outcome(&missed, &o);
	CHECK_EQ_U64(o.kind, OUTCOME_FAILED);
	CHECK_EQ_I64(o.rank, 1);
	CHECK_EQ_I64(o.code, 3);
	CHECK_EQ_STR(o.step, "sort");
	cause_text(&missed, "on a", text, sizeof text);
	CHECK_EQ_STR(text, "on a: sort: failed");
	cause_outcome(&killed, &o);
	CHECK_EQ_U64(o.kind, OUTCOME_KILLED);
	CHECK_EQ_I64(o.code, 15);
	cause_text(&killed, "on a", text, sizeof text);
	CHECK_EQ_STR(text, "on a: sort: killed by signal 15");
	cause_outcome(&lost, &o);
	CHECK_EQ_U64(o.kind, OUTCOME_LOST);
	CHECK_EQ_I64(o.rank, 3);
	CHECK_EQ_STR(o.step, "");
	cause_text(&lost, "on a", text, sizeof text);
	CHECK_EQ_STR(text, "on a: lost");
}

int
main(void)
{
	RUN(exit_statuses_are_classified);
	RUN(any_status_of_a_users_command_is_final);
	RUN(the_cause_explains_most);
	RUN(a_killed_step_is_restarted_alone);
	RUN(a_stage_is_tried_twice_more);
	RUN(after_the_last_retry_the_run_may_continue_without_the_node);
	RUN(an_outcome_names_its_cause);
	return test_done();
}
