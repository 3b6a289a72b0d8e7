/* Batches for nodes of unknown speed, in simulated time. */

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "share/batches.h"
#include "test.h"

enum {
	NODES_MOST = 16
};

/* Returns a random number below n. */
static uint64_t
random_below(struct random *r, uint64_t n)
{
	return random_next(r) % n;
}

/* seconds that each batch takes in addition to its items */
#define START_S 0.005

struct node_of_test {
	double speed; /* items per second */
	/* the time when the node becomes slow; INFINITY: never */
	double slow_s;
	double slow_speed; /* its speed then */
	double end_s;	   /* of its batch */
	uint64_t items;	   /* of its batch; 0: idle */
	double began_s;
};

/* Returns the time when the node, which begins at t, finishes so many items. */
static double
finish(const struct node_of_test *n, uint64_t items, double t)
{
	double before;

	t += START_S;
	if (t >= n->slow_s)
		return t + (double)items / n->slow_speed;
	before = (n->slow_s - t) * n->speed;
	if ((double)items <= before)
		return t + (double)items / n->speed;
	return n->slow_s + ((double)items - before) / n->slow_speed;
}

static void
begin(struct batches *b, struct node_of_test *n, size_t i, uint64_t *left,
    double now_s)
{
	uint64_t items = batches_next(b, i, *left, now_s);

	CHECK(items <= *left);
	CHECK((items == 0) == (*left == 0));
	n[i].items = items;
	if (items == 0)
		return;
	*left -= items;
	n[i].began_s = now_s;
	n[i].end_s = finish(&n[i], items, now_s);
	batches_begin(b, i, items, now_s);
}

/* Deals all items and returns when the last node has finished. */
static double
simulate(struct node_of_test *n, size_t nodes, uint64_t all, uint64_t first)
{
	struct hp_err e = { 0 };
	struct batches b;
	uint64_t left = all;
	double now_s = 0;
	size_t at;

	CHECK(batches_init(&b, nodes, all, first, &e) == 0);
	for (size_t i = 0; i < nodes; i++)
		begin(&b, n, i, &left, 0);
	for (;;) {
		at = nodes;
		for (size_t i = 0; i < nodes; i++)
			if (n[i].items > 0 &&
			    (at == nodes || n[i].end_s < n[at].end_s))
				at = i;
		if (at == nodes)
			break;
		now_s = n[at].end_s;
		batches_end(&b, at, n[at].items, now_s - n[at].began_s);
		begin(&b, n, at, &left, now_s);
	}
	CHECK_EQ_U64(left, 0);
	batches_fini(&b);
	return now_s;
}

/*
 * Returns the time of all items if all nodes finish together and batches need
 * no time to start.
 */
static double
together(const struct node_of_test *n, size_t nodes, uint64_t all)
{
	double lo = 0, hi = 1e12, mid, done;

	for (int k = 0; k < 200; k++) {
		mid = (lo + hi) / 2;
		done = 0;
		for (size_t i = 0; i < nodes; i++)
			done += n[i].speed * fmin(mid, n[i].slow_s) +
			    n[i].slow_speed * fmax(mid - n[i].slow_s, 0);
		if (done < (double)all)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/*
 * The simulated runs take 4 s and more.  A part of that time goes into starting
 * the batches.
 */
static void
all_nodes_finish_nearly_together(void)
{
	struct random r = { 7 };

	for (int k = 0; k < 300; k++) {
		struct node_of_test n[NODES_MOST] = { 0 };
		size_t nodes = 2 + random_below(&r, NODES_MOST - 1);
		double sum = 0, made;
		uint64_t all;

		for (size_t i = 0; i < nodes; i++) {
			n[i].speed = 1e4 * (double)(1 + random_below(&r, 20));
			n[i].slow_s = INFINITY;
			sum += n[i].speed;
		}
		all = (uint64_t)(sum * (4 + (double)random_below(&r, 50)));
		made = simulate(n, nodes, all, all / nodes / 64);
		CHECK(made < 1.10 * together(n, nodes, all));
	}
}

/* A node that becomes slow delays the end by the time of one batch at most. */
static void
a_node_that_becomes_slow_gets_less(void)
{
	struct random r = { 11 };

	for (int k = 0; k < 300; k++) {
		struct node_of_test n[NODES_MOST] = { 0 };
		size_t nodes = 2 + random_below(&r, NODES_MOST - 1);
		double sum = 0, time_s, made;
		uint64_t all;

		for (size_t i = 0; i < nodes; i++) {
			n[i].speed = 1e5;
			n[i].slow_s = INFINITY;
			sum += n[i].speed;
		}
		time_s = 5 + (double)random_below(&r, 50);
		all = (uint64_t)(sum * time_s);
		n[0].slow_s = time_s * (double)random_below(&r, 100) / 100;
		n[0].slow_speed = n[0].speed / 10;
		made = simulate(n, nodes, all, all / nodes / 64);
		CHECK(made < together(n, nodes, all) + time_s * 0.45);
	}
}

static void
few_items_are_dealt_completely(void)
{
	for (uint64_t all = 0; all < 40; all++)
		for (size_t nodes = 1; nodes < 6; nodes++) {
			struct node_of_test n[NODES_MOST] = { 0 };

			for (size_t i = 0; i < nodes; i++)
				n[i] = (struct node_of_test){
					.speed = (double)(1 + i),
					.slow_s = INFINITY
				};
			simulate(n, nodes, all, 1);
		}
}

/*
 * A clock may stand still or be set back, so a batch may seem to take no time.
 */
static void
a_batch_that_took_no_time_has_a_speed(void)
{
	struct hp_err e = { 0 };
	struct batches b;
	double speed;

	REQUIRE(batches_init(&b, 2, 100, 1, &e) == 0);
	for (int k = 0; k < 3; k++) {
		batches_begin(&b, 0, 5, 10);
		batches_end(&b, 0, 5, k - 1.0);
		speed = batches_speed(&b, 0, 9);
		CHECK(speed > 0 && isfinite(speed));
		CHECK(batches_next(&b, 0, 50, 9) >= 1);
	}
	batches_fini(&b);
}

/* Makes the node sort 10 items in 1 s. */
static void
sorts_ten(struct batches *b, size_t node)
{
	batches_begin(b, node, 10, 0);
	batches_end(b, node, 10, 1);
}

/*
 * The speed includes the time of a batch that is late.  Older batches count
 * half.
 */
static void
the_speed_of_a_late_batch_falls(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 2, 1000, 10, &e) == 0);
	CHECK(batches_speed(&b, 0, 0) == 0);
	sorts_ten(&b, 0);
	CHECK_NEAR(batches_speed(&b, 0, 1), 10, 1e-12);
	batches_begin(&b, 0, 20, 1);
	CHECK_NEAR(batches_speed(&b, 0, 3), 10, 1e-12);
	CHECK_NEAR(batches_speed(&b, 0, 5), (5 + 20) / (0.5 + 4), 1e-12);
	batches_end(&b, 0, 20, 4);
	CHECK_NEAR(batches_speed(&b, 0, 6), (5 + 20) / (0.5 + 4), 1e-12);
	/*
	 * The batch has a quarter of the items of the largest one, so older
	 * ones keep 2^-0.25.
	 */
	batches_begin(&b, 0, 5, 6);
	batches_end(&b, 0, 5, 2);
	CHECK_NEAR(batches_speed(&b, 0, 8),
	    (25 * pow(2, -0.25) + 5) / (4.5 * pow(2, -0.25) + 2), 1e-12);
	CHECK(batches_speed(&b, 1, 8) == 0);
	batches_fini(&b);
}

/* A batch that takes more than three times too long shows a change. */
static void
a_change_makes_older_batches_count_no_more(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 1, 1000, 10, &e) == 0);
	sorts_ten(&b, 0);
	batches_begin(&b, 0, 10, 1);
	CHECK_NEAR(batches_speed(&b, 0, 3.9), (5 + 10) / (0.5 + 2.9), 1e-12);
	CHECK_NEAR(batches_speed(&b, 0, 5), 10.0 / 4, 1e-12);
	batches_end(&b, 0, 10, 10);
	CHECK_NEAR(batches_speed(&b, 0, 11), 1, 1e-12);
	CHECK_NEAR(batches_mean_speed(&b, 0, 11), 1, 1e-12);
	/* A small batch shows none. */
	batches_begin(&b, 0, 4, 11);
	batches_end(&b, 0, 4, 40);
	CHECK_NEAR(batches_speed(&b, 0, 51),
	    (10 * pow(2, -0.4) + 4) / (10 * pow(2, -0.4) + 40), 1e-12);
	batches_fini(&b);
}

/*
 * All nodes need 1000/20 s together.  A batch takes 1/24 of that, and less at
 * the end.
 */
static void
batches_by_hand(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 3, 1000, 10, &e) == 0);
	CHECK_EQ_U64(batches_next(&b, 0, 1000, 0), 10);
	CHECK_EQ_U64(batches_next(&b, 0, 7, 0), 7);
	sorts_ten(&b, 0);
	sorts_ten(&b, 1);
	/*
	 * The third node, of unknown speed, counts as the mean.  Together they
	 * sort 30 items a second.
	 */
	CHECK_EQ_U64(batches_next(&b, 0, 900, 4), 14);
	/*
	 * The third node has not finished 10 items in 4 s: its speed is below
	 * 2.5.
	 */
	batches_begin(&b, 2, 10, 0);
	CHECK_EQ_U64(batches_next(&b, 0, 900, 4), 19);
	batches_end(&b, 2, 10, 10);
	/* Now the speeds are 10, 10 and 1 items a second. */
	CHECK_EQ_U64(batches_next(&b, 0, 900, 10), 20);
	CHECK_EQ_U64(batches_next(&b, 2, 900, 10), 2);
	/* A batch takes half of the remaining time: of 2 s, then of 0.2 s. */
	CHECK_EQ_U64(batches_next(&b, 0, 42, 10), 10);
	CHECK_EQ_U64(batches_next(&b, 0, 4, 10), 1);
	CHECK_EQ_U64(batches_next(&b, 0, 1, 10), 1);
	CHECK_EQ_U64(batches_next(&b, 0, 0, 10), 0);
	batches_fini(&b);
}

static void
a_batch_moves_if_that_takes_less_than_half_of_the_time(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 3, 1000, 10, &e) == 0);
	sorts_ten(&b, 0);
	batches_begin(&b, 1, 10, 0);
	/* The first node sorts nothing now, so no batch waits there. */
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_WAITS, 2));
	/*
	 * The speed of the second node is unknown.  It is assumed to need as
	 * long again as it has taken.
	 */
	CHECK(!batches_moves(&b, 1, 0, 10, BATCH_WAITS, 1.9));
	CHECK(batches_moves(&b, 1, 0, 10, BATCH_WAITS, 2.1));
	CHECK(!batches_moves(&b, 1, 0, 11, BATCH_WAITS, 2.1));
	/* The third node has finished nothing yet, so its speed is unknown. */
	CHECK(!batches_moves(&b, 1, 2, 1, BATCH_WAITS, 100));
	batches_end(&b, 1, 10, 10);
	/*
	 * The second node needs 10 s for the waiting 10 items, and 4 s for the
	 * rest of its batch.
	 */
	batches_begin(&b, 1, 10, 10);
	CHECK(batches_moves(&b, 1, 0, 10, BATCH_WAITS, 16));
	/* The first node would need 2 s for 20 items, which is no gain. */
	CHECK(!batches_moves(&b, 0, 1, 20, BATCH_WAITS, 16));
	batches_fini(&b);
}

static void
a_waiting_batch_moves_to_a_faster_node(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 2, 1000, 10, &e) == 0);
	for (size_t i = 0; i < 2; i++) {
		batches_begin(&b, i, 10, 0);
		batches_end(&b, i, 10, 1);
	}
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_WAITS, 1));
	batches_begin(&b, 0, 10, 1);
	/*
	 * As long as the first node keeps its speed, its next batch stays
	 * there.
	 */
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_WAITS, 1.9));
	CHECK(batches_moves(&b, 0, 1, 10, BATCH_WAITS, 8));
	batches_fini(&b);
}

/* Batches of varying times change the speed over the whole run little. */
static void
the_mean_speed_is_that_of_many_batches(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 2, 1000, 10, &e) == 0);
	CHECK(batches_mean_speed(&b, 0, 0) == 0);
	for (int k = 0; k < 20; k++) {
		batches_begin(&b, 0, 10, k);
		batches_end(&b, 0, 10, k % 2 == 0 ? 0.5 : 1.5);
	}
	CHECK(batches_speed(&b, 0, 20) < 9);
	CHECK_NEAR(batches_mean_speed(&b, 0, 20), 10, 0.5);
	/* The node has become slow: now only the last batches count. */
	batches_begin(&b, 0, 10, 20);
	batches_end(&b, 0, 10, 10);
	CHECK_NEAR(batches_mean_speed(&b, 0, 30), batches_speed(&b, 0, 30), 0);
	CHECK(batches_mean_speed(&b, 0, 30) < 3);
	/* It has become fast again. */
	for (int k = 0; k < 8; k++) {
		batches_begin(&b, 0, 10, k);
		batches_end(&b, 0, 10, 0.1);
	}
	CHECK(batches_mean_speed(&b, 0, 30) > 50);
	batches_fini(&b);
}

/* After the batches, a node is as slow as the slower of processor and link. */
static void
later_work_takes_the_time_of_processor_or_link(void)
{
	struct hp_err e = { 0 };
	struct batches b;
	double work_s;

	REQUIRE(batches_init(&b, 3, 1000, 10, &e) == 0);
	CHECK(isinf(batches_later_s(&b, 0, 100, 2, 0)));
	for (size_t i = 0; i < 3; i++)
		sorts_ten(&b, i);
	work_s = batches_later_s(&b, 0, 100, 2, 2);
	CHECK_NEAR(work_s, 100 / batches_mean_speed(&b, 0, 2), 1e-12);
	CHECK_NEAR(batches_later_s(&b, 0, 200, 2, 2), 2 * work_s, 1e-12);
	/* The fastest transfer counts: 10 items in 5 s, 0.1 s and 1 s. */
	batches_send(&b, 1, 10, 10);
	batches_sent(&b, 1, 15);
	CHECK_NEAR(batches_later_s(&b, 1, 100, 2, 15), 100, 1e-12);
	CHECK_NEAR(batches_later_s(&b, 1, 100, 1, 15), 50, 1e-12);
	batches_send(&b, 1, 10, 20);
	batches_sent(&b, 1, 20.1);
	batches_send(&b, 1, 10, 30);
	batches_sent(&b, 1, 31);
	CHECK_NEAR(batches_later_s(&b, 1, 100, 2, 31), work_s, 1e-12);
	batches_fini(&b);
}

/* A batch moves while its node works on it, if it is late enough. */
static void
a_running_batch_moves(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 3, 1000, 10, &e) == 0);
	sorts_ten(&b, 0);
	sorts_ten(&b, 1);
	/* It should take 1 s.  The other node would need 1 s, too. */
	batches_begin(&b, 0, 10, 10);
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_RUNS, 10.5));
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_RUNS, 11.5));
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_RUNS, 12.9));
	CHECK(batches_moves(&b, 0, 1, 10, BATCH_RUNS, 13.1));
	/* To send it to the other node takes 0.5 s. */
	batches_send(&b, 1, 10, 10);
	batches_sent(&b, 1, 10.5);
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_RUNS, 13.9));
	CHECK(batches_moves(&b, 0, 1, 10, BATCH_RUNS, 14.1));
	/* It is 3 s late.  The node would have needed 3 s more. */
	batches_leave(&b, 0, 10, BATCH_RUNS, 14);
	CHECK_NEAR(batches_speed(&b, 0, 20), 10.0 / 7, 1e-12);
	CHECK_EQ_U64(b.node[0].held, 10);
	batches_fini(&b);
}

/* Sending a batch to an idle node takes much longer than to another one. */
static void
a_batch_on_its_way_moves(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 2, 1000, 10, &e) == 0);
	sorts_ten(&b, 0);
	sorts_ten(&b, 1);
	for (size_t i = 0; i < 2; i++) {
		batches_send(&b, i, 10, 10);
		batches_sent(&b, i, 11);
	}
	batches_send(&b, 0, 10, 20);
	/* Here it takes 1 s to send and 1 s to sort, as it does there. */
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_WAITS, 20.5));
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_WAITS, 23.9));
	CHECK(batches_moves(&b, 0, 1, 10, BATCH_WAITS, 24.1));
	/* A node that waits 4 s for its batch is slow in later phases, too. */
	batches_leave(&b, 0, 10, BATCH_WAITS, 24);
	CHECK_NEAR(batches_speed(&b, 0, 24), 10.0 / 7, 1e-12);
	batches_fini(&b);
}

/* A node that has become slow gives away what it has finished. */
static void
a_finished_batch_moves(void)
{
	struct hp_err e = { 0 };
	struct batches b;
	size_t slow;

	REQUIRE(batches_init(&b, 2, 1000, 10, &e) == 0);
	for (int k = 0; k < 10; k++) {
		sorts_ten(&b, 0);
		sorts_ten(&b, 1);
	}
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_ENDED, 1));
	/* Now it does 1 item a second, and has 110. */
	batches_begin(&b, 0, 10, 20);
	batches_end(&b, 0, 10, 100);
	slow = batches_slowest(&b, 120);
	CHECK_EQ_U64(slow, 0);
	CHECK(!batches_moves(&b, 1, 0, 10, BATCH_ENDED, 120));
	CHECK(batches_moves(&b, 0, 1, 10, BATCH_ENDED, 120));
	/* The other node would then have 12 s of work, and would have 1 s more.
	 */
	for (int k = 0; k < 11; k++) {
		CHECK(batches_moves(&b, 0, 1, 10, BATCH_ENDED, 120) || k > 8);
		batches_leave(&b, 0, 10, BATCH_ENDED, 120);
		sorts_ten(&b, 1);
	}
	CHECK_EQ_U64(b.node[0].held, 0);
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_ENDED, 120));
	batches_fini(&b);
}

/* A node that still sorts a batch will merge later what it has finished. */
static void
a_finished_batch_moves_from_a_busy_node(void)
{
	struct hp_err e = { 0 };
	struct batches b;

	REQUIRE(batches_init(&b, 2, 1000, 10, &e) == 0);
	for (int k = 0; k < 10; k++) {
		sorts_ten(&b, 0);
		sorts_ten(&b, 1);
	}
	/* The slow node keeps 10 items. The other has 70 s of work. */
	batches_begin(&b, 0, 10, 20);
	batches_end(&b, 0, 10, 100);
	batches_leave(&b, 0, 100, BATCH_ENDED, 120);
	for (int k = 0; k < 60; k++)
		sorts_ten(&b, 1);
	CHECK(!batches_moves(&b, 0, 1, 10, BATCH_ENDED, 120));
	batches_begin(&b, 0, 100, 120);
	CHECK(batches_moves(&b, 0, 1, 10, BATCH_ENDED, 120));
	batches_fini(&b);
}

int
main(void)
{
	RUN(all_nodes_finish_nearly_together);
	RUN(a_node_that_becomes_slow_gets_less);
	RUN(few_items_are_dealt_completely);
	RUN(a_batch_that_took_no_time_has_a_speed);
	RUN(the_speed_of_a_late_batch_falls);
	RUN(a_change_makes_older_batches_count_no_more);
	RUN(batches_by_hand);
	RUN(a_batch_moves_if_that_takes_less_than_half_of_the_time);
	RUN(a_waiting_batch_moves_to_a_faster_node);
	RUN(the_mean_speed_is_that_of_many_batches);
	RUN(later_work_takes_the_time_of_processor_or_link);
	RUN(a_running_batch_moves);
	RUN(a_batch_on_its_way_moves);
	RUN(a_finished_batch_moves);
	RUN(a_finished_batch_moves_from_a_busy_node);
	return test_done();
}
