/*
 * The model of a whole run, fitted to a trial: it has the times of the trial
 * again, and those of a cluster whose true times are known.
 */

#include <math.h>

#include "doc/cluster.h"
#include "doc/nodes.h"
#include "share/fit.h"
#include "test.h"

enum {
	NODES = 3
};

/* Two hosts and a node of this machine, with all times of a whole run. */
static const char truth[] =
    "{\"type\":\"launcher\",\"link\":{\"send\":1.8e7,\"receive\":3e7}}\n"
    "{\"type\":\"node\",\"node\":\"a\",\"host\":\"a\",\"link\":{\"send\":1e7,"
    "\"receive\":2e7,\"latency_s\":0.01},\"points\":[{\"n\":100000,"
    "\"seconds\":8}],\"step_s\":0.02,\"sort_rest\":0.4,"
    "\"merge_seconds_per_item\":3e-5,\"arrive_seconds_per_item\":6e-6,"
    "\"return_seconds_per_item\":2e-5,\"exchange_seconds_per_item\":2e-5,"
    "\"candidate_s\":1e-4}\n"
    "{\"type\":\"node\",\"node\":\"b\",\"host\":\"b\",\"link\":{\"send\":1e7,"
    "\"receive\":1e7},\"points\":[{\"n\":100000,\"seconds\":20}],"
    "\"step_s\":0.01,\"sort_rest\":0.9,\"merge_seconds_per_item\":1e-5,"
    "\"arrive_seconds_per_item\":1.2e-5,\"return_seconds_per_item\":1.5e-5,"
    "\"exchange_seconds_per_item\":2e-5,\"candidate_s\":1e-4}\n"
    "{\"type\":\"node\",\"node\":\"c\",\"points\":[{\"n\":100000,"
    "\"seconds\":9}],\"step_s\":0.01,\"merge_seconds_per_item\":8e-5,"
    "\"exchange_seconds_per_item\":2e-5,\"candidate_s\":1e-4}\n";

static void
cluster_of(const char *lines, struct cluster *c)
{
	struct hp_err e = { 0 };

	if (doc_cluster_parse(lines, c, &e) == -1) {
		test_bad(__FILE__, __LINE__, "%s", e.text);
		exit(test_done());
	}
}

/* The times that a trial of these shares has on a cluster. */
static void
try(const struct problem *p, const uint64_t *n, struct fit_times *t)
{
	for (size_t i = 0; i < p->cluster->n; i++) {
		struct fit_node *v = &t->node[i];
		struct node *node = &p->cluster->node[i];

		v->send_alone = stages_node(p, STAGES_SEND, i, n[i]);
		v->send_together = node->host == NULL || n[i] == 0
		    ? 0
		    : stages_time(p, STAGES_SEND, n);
		v->rest = stages_node(p, STAGES_SORT, i, n[i]);
		v->merge = n[i] == 0
		    ? 0
		    : node->step_s + (double)n[i] * node->merge_s_per_item;
		if (node->host != NULL && n[i] > 0)
			v->gather_alone = node->step_s +
			    stages_node(p, STAGES_GATHER, i, n[i]);
		if (node->host != NULL && n[i] > 0)
			v->gather_together = node->step_s +
			    stages_time(p, STAGES_GATHER, n);
	}
	t->pivots = stages_time(p, STAGES_PIVOTS, n);
	t->exchange = stages_time(p, STAGES_EXCHANGE, n);
}

/* Removes what a trial finds. The launcher's rates seem twice the true ones. */
static void
forget(struct cluster *c)
{
	c->launcher.link.send *= 2;
	c->launcher.link.receive *= 2;
	for (size_t i = 0; i < c->n; i++) {
		struct node *v = &c->node[i];

		v->arrive_s_per_item = v->return_s_per_item = 0;
		v->exchange_s_per_item = v->merge_s_per_item = 0;
		v->sort_rest = v->candidate_s = 0;
	}
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Compares the stages of both clusters, for shares in the same proportions. */
static void
same_stages(const struct problem *p, const struct problem *q, uint64_t *n)
{
	for (int k = 0; k < STAGES; k++) {
		enum stages_kind kind = (enum stages_kind)k;
		double a = stages_time(p, kind, n), b = stages_time(q, kind, n);

		if (!near(a, b))
			test_bad(__FILE__, __LINE__, "%s: %.17g, not %.17g",
			    stages_name(kind), b, a);
	}
}

static void
fits(const uint64_t *shares)
{
	struct cluster is, c;
	struct problem p = { .cluster = &is, .item_bytes = 100 },
		       q = { .cluster = &c, .item_bytes = 100 };
	struct fit_node node[NODES] = { 0 };
	struct fit_times t = { .node = node };
	uint64_t n[NODES];

	cluster_of(truth, &is);
	cluster_of(truth, &c);
	forget(&c);
	for (size_t i = 0; i < NODES; i++)
		p.total += n[i] = shares[i];
	q.total = p.total;
	try(&p, n, &t);
	fit_stages(&c, 100, p.total, n, &t);
	same_stages(&p, &q, n);
	cluster_fini(&is);
	cluster_fini(&c);
}

static void
the_fitted_model_has_the_times_of_the_trial(void)
{
	fits((const uint64_t[]){ 60000, 30000, 10000 });
	fits((const uint64_t[]){ 100, 30000, 60000 });
	fits((const uint64_t[]){ 50000, 50000, 0 });
	fits((const uint64_t[]){ 90000, 0, 0 });
	fits((const uint64_t[]){ 0, 0, 5000 });
}

/*
 * With the shares of another plan, all stages take a fifth longer than the
 * first trial lets expect.
 */
static void
a_second_trial_counts(void)
{
	struct cluster is, c;
	struct problem p = { .cluster = &is, .item_bytes = 100 },
		       q = { .cluster = &c, .item_bytes = 100 };
	struct fit_node node[NODES] = { 0 };
	struct fit_times t = { .node = node };
	const uint64_t n[NODES] = { 52000, 48000, 0 };
	const uint64_t m[NODES] = { 70000, 50000, 0 };

	cluster_of(truth, &is);
	cluster_of(truth, &c);
	forget(&c);
	p.total = 100000;
	try(&p, n, &t);
	fit_stages(&c, 100, p.total, n, &t);
	p.total = q.total = 120000;
	try(&p, m, &t);
	t.send = 1.2 * stages_time(&p, STAGES_SEND, m);
	t.gather = 1.2 * stages_time(&p, STAGES_GATHER, m);
	t.exchange *= 1.2;
	t.pivots *= 1.2;
	for (size_t i = 0; i < NODES; i++)
		node[i].rest *= 0.8;
	fit_again(&c, 100, q.total, m, &t);
	CHECK(near(stages_time(&q, STAGES_SEND, m), t.send));
	CHECK(near(stages_time(&q, STAGES_GATHER, m), t.gather));
	CHECK(near(stages_time(&q, STAGES_EXCHANGE, m), t.exchange));
	CHECK(near(stages_time(&q, STAGES_PIVOTS, m), t.pivots));
	for (size_t i = 0; i < NODES; i++)
		CHECK(
		    near(stages_node(&q, STAGES_SORT, i, m[i]), node[i].rest));
	/* If all hosts were faster than alone, that counts as well. */
	t.send = 0.8 * stages_time(&p, STAGES_SEND, m);
	c.node[0].link.receive = c.node[1].link.receive = 1e9;
	fit_again(&c, 100, q.total, m, &t);
	CHECK(fabs(stages_time(&q, STAGES_SEND, m) - t.send) < 0.02);
	cluster_fini(&is);
	cluster_fini(&c);
}

/*
 * The fastest run had only one host. Its time is the time of that host, and the
 * launcher can serve two hosts as fast as before.
 */
static void
one_host_does_not_show_the_rate_of_the_launcher(void)
{
	struct fit_node node[NODES] = { { .rest = 1 } };
	const uint64_t both[NODES] = { 50000, 50000, 0 },
		       one[NODES] = { 100000, 0, 0 };
	const struct fit_run run = { { node, 4, 5, 0.5, 0 }, one, 100000 };
	struct cluster c;
	struct problem p = {
		.cluster = &c, .total = 100000, .item_bytes = 100
	};

	cluster_of(truth, &c);
	c.launcher.link.send = c.launcher.link.receive = 1e8;
	fit_runs(&c, 100, &run, 1);
	CHECK(near(stages_time(&p, STAGES_SEND, one), 4));
	CHECK(near(stages_time(&p, STAGES_GATHER, one), 5));
	CHECK(c.launcher.link.send == 1e8 && c.launcher.link.receive == 1e8);
	CHECK(near(stages_node(&p, STAGES_SEND, 0, 50000), 2.005));
	CHECK(stages_time(&p, STAGES_SEND, both) < 2.1);
	cluster_fini(&c);
}

/*
 * Two runs with both hosts, and a faster one without the second host. The model
 * then has the times of the fastest run, and those of the slow ones if the
 * second host takes part again.
 */
static void
a_host_of_slower_runs_is_to_blame(void)
{
	struct fit_node node[3][NODES] = { { { .rest = 1 }, { .rest = 1 } },
		{ { .rest = 1 } }, { { .rest = 1 } } };
	const uint64_t both[NODES] = { 70000, 30000, 0 },
		       one[NODES] = { 100000, 0, 0 };
	const struct fit_run run[] = {
		{ { node[0], 9, 9, 1, 2 }, both, 100000 },
		{ { node[1], 3, 4, 0.6, 0.5 }, one, 100000 },
		{ { node[2], 5, 6, 0.4, 0.5 }, one, 100000 },
	};
	struct cluster c;
	struct problem p = {
		.cluster = &c, .total = 100000, .item_bytes = 100
	};

	cluster_of(truth, &c);
	forget(&c);
	fit_runs(&c, 100, run, 1);
	CHECK(near(stages_time(&p, STAGES_SEND, both), 9));
	fit_runs(&c, 100, run, 3);
	CHECK(near(stages_time(&p, STAGES_SEND, one), 4));
	CHECK(near(stages_time(&p, STAGES_GATHER, one), 5));
	CHECK(near(stages_time(&p, STAGES_PIVOTS, one), 0.5));
	CHECK(stages_time(&p, STAGES_SEND, both) >= 9);
	CHECK(stages_time(&p, STAGES_GATHER, both) >= 9);
	CHECK(stages_time(&p, STAGES_PIVOTS, both) >= 1);
	CHECK(stages_time(&p, STAGES_EXCHANGE, both) >= 2);
	/* The order of the runs does not matter, nor does another fit. */
	fit_runs(&c, 100, run, 3);
	CHECK(near(stages_time(&p, STAGES_SEND, one), 4));
	cluster_fini(&c);
}

static void
short_times_tell_nothing_about_items(void)
{
	struct cluster c;
	struct fit_node node[NODES] = { 0 };
	struct fit_times t = { .node = node, .exchange = 0.04, .pivots = 4 };
	const uint64_t n[NODES] = { 30, 20, 10 };

	cluster_of(truth, &c);
	forget(&c);
	for (size_t i = 0; i < NODES; i++)
		node[i] = (struct fit_node){ 0.04, 0.04, 0.03, 0.04, 0.04,
			0.04 };
	fit_stages(&c, 100, 60, n, &t);
	CHECK(c.launcher.link.send == 3.6e7 && c.launcher.link.receive == 6e7);
	for (size_t i = 0; i < NODES; i++) {
		CHECK(c.node[i].arrive_s_per_item == 0);
		CHECK(c.node[i].return_s_per_item == 0);
		CHECK(c.node[i].merge_s_per_item == 0);
		CHECK(c.node[i].exchange_s_per_item == 0);
		CHECK(c.node[i].sort_rest == 0);
	}
	cluster_fini(&c);
}

static void
it_holds_for_other_sizes(void)
{
	struct cluster is, c;
	struct problem p = { .cluster = &is, .item_bytes = 100 },
		       q = { .cluster = &c, .item_bytes = 100 };
	struct fit_node node[NODES] = { 0 };
	struct fit_times t = { .node = node };
	uint64_t n[NODES] = { 52000, 48000, 0 };

	cluster_of(truth, &is);
	cluster_of(truth, &c);
	forget(&c);
	p.total = 100000;
	try(&p, n, &t);
	fit_stages(&c, 100, p.total, n, &t);
	for (size_t i = 0; i < NODES; i++)
		n[i] *= 7;
	p.total = q.total = 700000;
	same_stages(&p, &q, n);
	/* Each of two hosts alone. */
	for (size_t i = 0; i < 2; i++)
		for (int k = 0; k < STAGES; k++)
			CHECK(k == STAGES_EXCHANGE ||
			    near(stages_node(&p, (enum stages_kind)k, i, 9000),
				stages_node(&q, (enum stages_kind)k, i, 9000)));
	cluster_fini(&is);
	cluster_fini(&c);
}

/*
 * A host that gets less than others is not limited by the launcher, even if it
 * is faster alone. The launcher sent 65,000 items in the time of the first
 * host.
 */
static void
a_host_that_gets_less_is_limited_by_itself(void)
{
	struct cluster c;
	struct fit_node node[NODES] = { { .send_alone = 0.5,
					    .send_together = 1,
					    .gather_alone = 1.03,
					    .gather_together = 2.03 },
		{ .send_alone = 0.3,
		    .send_together = 2,
		    .gather_alone = 0.31,
		    .gather_together = 1.01 } };
	struct fit_times t = { .node = node };
	const uint64_t n[NODES] = { 60000, 10000, 0 };

	cluster_of(truth, &c);
	c.launcher.link.send = c.launcher.link.receive = 1e9;
	/* The launcher's own time after the last item is none of a host. */
	c.launcher.finish_s = 1;
	fit_stages(&c, 100, 70000, n, &t);
	CHECK(near(c.node[0].arrive_s_per_item, 0.49 / 60000));
	CHECK(near(c.node[1].arrive_s_per_item, 2.0 / 10000));
	CHECK(near(c.launcher.link.send, 6.5e6));
	CHECK(near(c.node[0].return_s_per_item, 1.0 / 60000));
	CHECK(near(c.node[1].return_s_per_item, 1.0 / 10000));
	CHECK(near(c.launcher.link.receive, 7e6 / 2.03));
	cluster_fini(&c);
}

static void
a_launcher_that_waits_for_nodes_keeps_its_rate(void)
{
	struct cluster c;
	struct fit_node node[NODES] = { { .send_alone = 5,
	    .send_together = 5,
	    .gather_alone = 6,
	    .gather_together = 6 } };
	struct fit_times t = { .node = node };
	const uint64_t n[NODES] = { 100000, 0, 0 };

	cluster_of(truth, &c);
	c.launcher.link.send = c.launcher.link.receive = 1e9;
	fit_stages(&c, 100, 100000, n, &t);
	CHECK(c.launcher.link.send == 1e9);
	CHECK(c.launcher.link.receive == 1e9);
	/* A rest of the sort is never 0, and never more than the sort. */
	node[0].rest = 1e-30;
	fit_stages(&c, 100, 100000, n, &t);
	CHECK(c.node[0].sort_rest > 0 && c.node[0].sort_rest < 1e-3);
	node[0].rest = 1e30;
	fit_stages(&c, 100, 100000, n, &t);
	CHECK(c.node[0].sort_rest == 1);
	/* A trial that was faster than the links leaves nothing to add. */
	t.exchange = t.pivots = FIT_LEAST_S;
	fit_stages(&c, 100, 100000, n, &t);
	CHECK(c.node[0].exchange_s_per_item == 0);
	CHECK(c.node[0].candidate_s == 0);
	cluster_fini(&c);
}

int
main(void)
{
	RUN(the_fitted_model_has_the_times_of_the_trial);
	RUN(a_second_trial_counts);
	RUN(one_host_does_not_show_the_rate_of_the_launcher);
	RUN(a_host_of_slower_runs_is_to_blame);
	RUN(short_times_tell_nothing_about_items);
	RUN(it_holds_for_other_sizes);
	RUN(a_host_that_gets_less_is_limited_by_itself);
	RUN(a_launcher_that_waits_for_nodes_keeps_its_rate);
	return test_done();
}
