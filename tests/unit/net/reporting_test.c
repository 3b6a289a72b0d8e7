/* When a node reports the peers that it does not reach, and the reasons. */
#include <errno.h>

#include "net/reporting.h"
#include "test.h"

enum {
	NODES = 3,
	ME = 0
};

#define SILENT_S 4.0
#define BEAT_S 1.0

static struct {
	unsigned calls, notices;
	size_t n;
	struct unreached list[NODES];
	bool fails;
	pthread_mutex_t *lock; /* held during a report */
} seen;

static int
report(void *context, const struct unreached *list, size_t n, struct hp_err *e)
{
	CHECK(context == &seen);
	/* The halves of an exchange do not report at the same time. */
	CHECK(seen.lock == NULL || pthread_mutex_trylock(seen.lock) == EBUSY);
	seen.calls++;
	seen.n = n;
	for (size_t i = 0; i < n && i < NODES; i++)
		seen.list[i] = list[i];
	return seen.fails ? hp_fail(e, HP_IO, "disk full") : 0;
}

static void
notice(const char *text)
{
	CHECK_EQ_STR(text, "disk full");
	seen.notices++;
}

/* A node whose peers are all reachable at second 100. */
struct node {
	struct exchange x;
	struct engine en;
	struct outlet outlet[NODES];
	struct inlet inlet[NODES];
	struct sending s;
	struct receiving r;
};

static void
begin(struct node *t)
{
	struct hp_err e = { 0 };

	memset(&seen, 0, sizeof seen);
	*t = (struct node){
		.x = { .nodes = NODES,
		    .me = ME,
		    .report = report,
		    .notice = notice,
		    .context = &seen },
		.en = { .x = &t->x,
		    .notice_lock = PTHREAD_MUTEX_INITIALIZER,
		    .unreached.lock = PTHREAD_MUTEX_INITIALIZER,
		    .beat_s = BEAT_S,
		    .silent_s = SILENT_S },
		.s = { .en = &t->en,
		    .outlet = t->outlet,
		    .clock_s = 100,
		    .noted_s = 90 },
		.r = { .en = &t->en,
		    .inlet = t->inlet,
		    .clock_s = 100,
		    .noted_s = 90 },
	};
	for (uint32_t i = 0; i < NODES; i++) {
		t->outlet[i] = (struct outlet){
			.rank = i, .run = 1, .heard_s = i == ME ? 0 : 99
		};
		t->inlet[i] = (struct inlet){
			.rank = i, .run = 1, .heard_s = i == ME ? 0 : 99
		};
	}
	CHECK(reporting_open(&t->en, &e) == 0);
	CHECK_EQ_U64(seen.calls, 1);
	CHECK_EQ_U64(seen.n, 0);
	seen.lock = &t->en.unreached.lock;
}

static void
finish(struct node *t)
{
	unreached_fini(&t->en.unreached);
}

static void
expect(uint32_t rank, enum unreached_why why, double seconds, bool back)
{
	REQUIRE(seen.n == 1);
	CHECK_EQ_U64(seen.list[0].rank, rank);
	CHECK_EQ_U64(seen.list[0].why, why);
	CHECK_NEAR(seen.list[0].seconds, seconds, 1e-12);
	CHECK_EQ_U64(seen.list[0].back, back);
}

static void
peers_that_are_well_are_not_reported(void)
{
	struct node t;

	begin(&t);
	reporting_turn(&t.en, &t.s, &t.r);
	/* Nothing has changed since the first report. */
	CHECK_EQ_U64(seen.calls, 1);
	CHECK_NEAR(t.s.noted_s, 100, 1e-12);
	CHECK_NEAR(t.r.noted_s, 100, 1e-12);
	/* Just below the limit. */
	t.s.clock_s = t.r.clock_s = 99 + SILENT_S - 0.001;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 1);
	finish(&t);
}

static void
a_silent_receiver_is_reported_until_it_is_heard(void)
{
	struct node t;

	begin(&t);
	t.outlet[2].heard_s = 100 - SILENT_S;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 2);
	expect(2, UNREACHED_SILENT, SILENT_S, false);
	t.s.clock_s = t.r.clock_s = 102;
	t.outlet[1].heard_s = t.outlet[2].heard_s = 101;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 3);
	expect(2, UNREACHED_SILENT, SILENT_S, true);
	finish(&t);
}

static void
a_silent_sender_is_reported_until_it_is_heard(void)
{
	struct node t;

	begin(&t);
	t.inlet[1].heard_s = 100 - SILENT_S;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 2);
	expect(1, UNREACHED_SILENT, SILENT_S, false);
	t.s.clock_s = t.r.clock_s = 102;
	t.inlet[1].heard_s = 101;
	reporting_turn(&t.en, &t.s, &t.r);
	expect(1, UNREACHED_SILENT, SILENT_S, true);
	finish(&t);
}

static void
peers_without_outstanding_data_may_be_silent(void)
{
	struct node t;

	begin(&t);
	t.outlet[1].heard_s = t.outlet[2].heard_s = 10;
	t.inlet[1].heard_s = t.inlet[2].heard_s = 10;
	t.outlet[1].stored = true;
	t.outlet[2].state = OUTLET_LEAVING;
	t.inlet[1].state = INLET_TOLD;
	t.inlet[2].state = INLET_CLOSED;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 1);
	/*
	 * The sender of node 1 does not know yet that all its data is stored.
	 */
	t.inlet[1].state = INLET_SETTLED;
	t.s.clock_s = t.r.clock_s = 110;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 2);
	expect(1, UNREACHED_SILENT, 100, false);
	finish(&t);
}

static void
a_half_reports_once_per_heartbeat(void)
{
	struct node t;

	begin(&t);
	t.outlet[1].heard_s = t.inlet[2].heard_s = 10;
	t.s.noted_s = t.r.noted_s = 100 - BEAT_S + 0.001;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 1);
	/* Each half of the exchange reports at its own time. */
	t.s.noted_s = 100 - BEAT_S;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 2);
	expect(1, UNREACHED_SILENT, 90, false);
	t.outlet[1].heard_s = 99;
	t.r.noted_s = 100 - BEAT_S;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 3);
	CHECK_EQ_U64(seen.n, 2);
	/* A thread that runs one half does not report for the other half. */
	t.s.noted_s = t.r.noted_s = 0;
	reporting_turn(&t.en, &t.s, NULL);
	CHECK_NEAR(t.s.noted_s, 100, 1e-12);
	CHECK_NEAR(t.r.noted_s, 0, 1e-12);
	reporting_turn(&t.en, NULL, &t.r);
	CHECK_NEAR(t.r.noted_s, 100, 1e-12);
	finish(&t);
}

static void
the_reasons_of_a_connection(void)
{
	static const struct {
		int errnum;
		uint64_t run;
		const char *why;
		enum unreached_why want;
	} c[] = {
		{ 0, 0, NULL, UNREACHED_NEVER },
		{ 0, 0, "lost", UNREACHED_NEVER },
		{ 0, 7, NULL, UNREACHED_SILENT },
		{ 0, 7, "lost", UNREACHED_BROKEN },
		{ ETIMEDOUT, 7, "lost", UNREACHED_BROKEN },
		{ ECONNREFUSED, 0, NULL, UNREACHED_REFUSED },
		{ ECONNREFUSED, 7, "lost", UNREACHED_ENDED },
		{ EHOSTUNREACH, 7, "lost", UNREACHED_NO_ROUTE },
		{ ENETUNREACH, 0, NULL, UNREACHED_NO_ROUTE },
		{ ENETDOWN, 0, NULL, UNREACHED_NO_ROUTE },
	};
	struct node t;

	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct outlet o = {
			.errnum = c[i].errnum, .run = c[i].run, .why = c[i].why
		};
		struct inlet in = { .run = c[i].run, .why = c[i].why };

		CHECK_EQ_U64(outlet_unreached(&o), c[i].want);
		if (c[i].errnum == 0)
			CHECK_EQ_U64(inlet_unreached(&in), c[i].want);
	}
	begin(&t);
	t.inlet[1].heard_s = 10;
	t.inlet[1].run = 0;
	reporting_turn(&t.en, &t.s, &t.r);
	expect(1, UNREACHED_NEVER, 90, false);
	finish(&t);
}

static void
the_last_report_lists_the_peer_given_up(void)
{
	struct node t;

	for (int half = 0; half < 2; half++) {
		struct failure f = { .rank = 2, .seen = UNREACHED_DAMAGED };

		begin(&t);
		*(half == 0 ? &t.s.failure : &t.r.failure) = f;
		reporting_end(&t.en, &t.s, &t.r);
		CHECK_EQ_U64(seen.calls, 2);
		expect(2, UNREACHED_DAMAGED, 1, false);
		finish(&t);
	}
	/* The last report was too early to find node 1 silent. */
	begin(&t);
	t.s.noted_s = t.r.noted_s = 100;
	t.outlet[1].heard_s = 10;
	reporting_end(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 2);
	expect(1, UNREACHED_SILENT, 90, false);
	finish(&t);
	/* If nothing is new, nothing is written. */
	begin(&t);
	reporting_end(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 1);
	finish(&t);
}

static void
a_report_that_cannot_be_written_is_noticed_once(void)
{
	struct node t;

	begin(&t);
	seen.fails = true;
	t.outlet[1].heard_s = 10;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.notices, 1);
	t.s.clock_s = t.r.clock_s = 102;
	reporting_turn(&t.en, &t.s, &t.r);
	CHECK(seen.calls > 2);
	CHECK_EQ_U64(seen.notices, 1);
	finish(&t);
}

static void
without_a_report_nothing_is_noted(void)
{
	struct hp_err e = { 0 };
	struct node t;

	begin(&t);
	finish(&t);
	t.x.report = NULL;
	CHECK(reporting_open(&t.en, &e) == 0);
	t.outlet[1].heard_s = 10;
	reporting_turn(&t.en, &t.s, &t.r);
	reporting_end(&t.en, &t.s, &t.r);
	CHECK_EQ_U64(seen.calls, 1);
	CHECK_NEAR(t.s.noted_s, 90, 1e-12);
}

int
main(void)
{
	RUN(peers_that_are_well_are_not_reported);
	RUN(a_silent_receiver_is_reported_until_it_is_heard);
	RUN(a_silent_sender_is_reported_until_it_is_heard);
	RUN(peers_without_outstanding_data_may_be_silent);
	RUN(a_half_reports_once_per_heartbeat);
	RUN(the_reasons_of_a_connection);
	RUN(the_last_report_lists_the_peer_given_up);
	RUN(a_report_that_cannot_be_written_is_noticed_once);
	RUN(without_a_report_nothing_is_noted);
	return test_done();
}
