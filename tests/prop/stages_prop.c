/*
 * Plans of whole runs over random links. For few items, every division of the
 * items is tried, with the times computed by this file. For many items, no
 * random plan and no plan near the best one is faster than the proven bound.
 * HP_CASES is the number of cases of each kind.
 */

#include <math.h>

#include "share/answer.h"
#include "share/stages.h"
#include "test.h"

enum {
	NODES = 8
};

static const double NEAR = 1e-6; /* hp-plan(5) */

struct trial {
	struct cluster c;
	struct cost cost;
	struct problem p;
};

static int
cases(int few)
{
	const char *asked = getenv("HP_CASES");

	return asked != NULL ? atoi(asked) : few;
}

/* Returns a random number between low and high, uniform in its logarithm. */
static double
between(double low, double high)
{
	return low * pow(high / low, test_unit());
}

static void
some_link(struct link *l, double rate)
{
	*l = (struct link){ .known = test_below(5) > 0 };
	if (!l->known)
		return;
	if (test_below(6) > 0)
		l->send = between(rate / 10, rate * 10);
	if (test_below(6) > 0)
		l->receive = test_below(2) == 0 ? l->send
						: between(rate / 10, rate * 10);
	if (test_below(3) == 0)
		l->latency_s = between(0.001, 0.5);
}

/*
 * Makes points whose times do not decrease.  Some times are equal, some jump.
 */
static void
some_points(struct trial *t, struct curve *c)
{
	size_t n = 1 + test_below(5);
	struct point *v = calloc(n, sizeof *v);
	double at = 0, seconds = between(0.01, 1);

	for (size_t i = 0; i < n; i++) {
		at += 1 + floor(test_unit() * (double)t->p.total / 2);
		if (test_below(4) > 0)
			seconds *= between(1, 4);
		v[i] = (struct point){ at, seconds };
	}
	curve_set_points(c, v, n);
}

/* Sets members of a node that older clusters do not have. */
static void
some_overheads(const struct trial *t, struct node *node)
{
	double N = (double)t->p.total;

	if (test_below(2) == 0)
		return;
	if (test_below(2) == 0)
		node->sort_rest = between(0.05, 1);
	if (test_below(2) == 0)
		node->arrive_s_per_item = between(0.01, 1) / N;
	if (test_below(2) == 0)
		node->exchange_s_per_item = between(0.01, 1) / N;
	if (test_below(2) == 0)
		node->return_s_per_item = between(0.01, 1) / N;
	if (test_below(2) == 0)
		node->candidate_s = between(1e-6, 1e-3);
	if (test_below(2) == 0)
		node->batch_s_per_item = between(0.01, 1) / N;
}

static void
some_node(struct trial *t, size_t i, double rate)
{
	struct node node = { 0 };
	struct hp_err e = { 0 };

	curve_init(&node.curve);
	CHECK(asprintf(&node.name, "n%zu", i) > 0);
	if (test_below(4) > 0)
		CHECK((node.host = strdup("h")) != NULL);
	node.curve.speed = between(0.1, 10) * (double)t->p.total;
	if (test_below(2) == 0)
		some_points(t, &node.curve);
	if (test_below(6) == 0)
		node.curve.capacity = test_below((uint64_t)t->p.total + 1);
	if (test_below(6) == 0)
		node.curve.latency_s = between(0.01, 1);
	some_link(&node.link, rate);
	if (test_below(3) > 0)
		node.merge_s_per_item = between(0.01, 1) / (double)t->p.total;
	if (test_below(2) == 0)
		node.login_s = between(0.01, 1);
	if (test_below(2) == 0)
		node.step_s = between(0.001, 0.1);
	some_overheads(t, &node);
	CHECK(cluster_add(&t->c, &node, &e) == 0);
}

/* Makes a cluster whose nodes get their items in batches. */
static void
make_batched(struct trial *t)
{
	for (size_t i = 0; i < t->c.n; i++) {
		struct node *node = &t->c.node[i];

		/* At least the first node is on a host. */
		if (i == 0 && node->host == NULL)
			CHECK((node->host = strdup("h")) != NULL);
		if (node->batch_s_per_item == 0)
			node->batch_s_per_item = between(0.01, 1) /
			    (double)t->p.total;
		node->curve.capacity = CURVE_MOST;
	}
	t->p.batches = true;
}

static void
trial_init(struct trial *t, uint64_t total, size_t nodes)
{
	static const char *const costs[] = { "n", "n*log(n)", "n^1.5" };
	struct hp_err e = { 0 };
	double rate;

	*t = (struct trial){ 0 };
	t->p = (struct problem){ .cluster = &t->c, .total = total };
	t->p.item_bytes = between(1, 1000);
	t->p.by_key = test_below(3) == 0;
	/* The rates make sending take about as long as sorting. */
	rate = between(0.1, 10) * t->p.item_bytes * (double)total;
	CHECK(cost_parse(costs[test_below(3)], &t->cost, &e) == 0);
	for (size_t i = 0; i < nodes; i++)
		some_node(t, i, rate);
	some_link(&t->c.launcher.link, rate * 2);
	t->c.launcher.link.known = true;
	if (test_below(2) == 0)
		t->c.launcher.begin_s = between(0.01, 1);
	if (test_below(2) == 0)
		t->c.launcher.finish_s = between(0.01, 1);
	if (test_below(2) == 0)
		t->c.launcher.divide_s_per_item = between(0.01, 1) /
		    (double)total;
	if (test_below(2) == 0)
		t->c.launcher.batch_begin_s = between(0.01, 1);
	if (test_below(2) == 0)
		t->c.launcher.batch_finish_s = between(0.01, 1);
	if (t->p.by_key && test_below(2) == 0)
		make_batched(t);
	cluster_set_cost(&t->c, &t->cost);
}

static void
trial_fini(struct trial *t)
{
	cluster_fini(&t->c);
	cost_fini(&t->cost);
}

/* A transfer, during which the machine works for `work` seconds. */
static double
over(double bytes, double rate, double latency_s, double work)
{
	return bytes == 0 ? 0
			  : latency_s + fmax(rate > 0 ? bytes / rate : 0, work);
}

/* The steps of the search for pivots, and its documents in bytes. */
struct search {
	double steps, to_node, from_node, from_all, counted;
};

static struct search
search_of(const struct trial *t)
{
	double N = (double)t->p.total, p = (double)t->c.n, open = N, c, most;
	double line = 72 + 2 * t->p.item_bytes;
	struct search s = { 0 };
	bool few = N <= fmax(1024, 64 * p), last = false;

	for (int round = 0; !last && round < 10; round++) {
		most = open > 1073741824       ? 4096
		    : open <= 1024 && open > 0 ? 1024
					       : 512;
		most = fmax(most, 64 * p);
		last = open <= fmax(most, 1024);
		c = fmin(most, open);
		s.steps += few ? 1 : 2;
		s.to_node += p * (round == 0 ? 130 : line);
		s.from_all += c * line;
		if (!few) {
			s.counted += c;
			s.to_node += c * line;
			s.from_node += fmin(c, N / p) * 53;
		}
		open = ceil(open * 2 / c * fmax(p - 1, 1));
	}
	s.steps += 1;
	s.to_node += p * line;
	return s;
}

static double
moved(double bytes, double rate)
{
	return rate > 0 ? bytes / rate : 0;
}

/* The seconds of each stage, of the slowest machine so far. */
struct seconds {
	double start, send, sort, pivots, swap, merge, gather;
};

/* Adds a node with x > 0 items. */
static void
add_node(const struct trial *t, const struct node *node, double x,
    const struct search *s, struct seconds *m)
{
	const struct link *k = &node->link;
	double N = (double)t->p.total, B = t->p.item_bytes;
	double away = x * (N - x) / N, rest = 1;
	double own = s->steps * node->step_s + s->counted * node->candidate_s;
	double merge = x * node->merge_s_per_item, back = 0, sort;

	if (node->host == NULL && !k->known)
		k = &t->c.launcher.link;
	if (t->p.batches && node->host == NULL) {
		m->send = fmax(m->send, x * node->batch_s_per_item);
		return;
	}
	if (t->p.batches) {
		m->start = fmax(m->start, node->login_s);
		m->send = fmax(m->send,
		    over(x * B, k->receive, k->latency_s,
			x * node->batch_s_per_item));
		m->send = fmax(m->send, over(x * B, k->send, k->latency_s, 0));
		return;
	}
	if (node->host != NULL) {
		m->start = fmax(m->start, node->login_s);
		own += 2 * s->steps * k->latency_s +
		    moved(s->to_node, k->receive) +
		    moved(s->from_node + s->from_all * x / N, k->send);
		m->send = fmax(m->send,
		    over(x * B, k->receive, k->latency_s,
			x * node->arrive_s_per_item));
		back = over(
		    x * B, k->send, k->latency_s, x * node->return_s_per_item);
		if (node->sort_rest > 0)
			rest = node->sort_rest;
		if (node->return_s_per_item > 0)
			merge = 0;
	}
	sort = rest * curve_time(&node->curve, (uint64_t)x);
	/* Without an exchange, a node returns items when it has sorted them. */
	m->gather = fmax(m->gather, back + (t->p.by_key ? sort : 0));
	if (t->p.by_key)
		return;
	m->sort = fmax(m->sort, sort);
	m->pivots = fmax(m->pivots, own);
	own = away * node->exchange_s_per_item;
	if (x < N)
		m->swap = fmax(m->swap,
		    node->step_s +
			fmax(over(away * B, k->send, k->latency_s, own),
			    over(away * B, k->receive, k->latency_s, own)));
	m->merge = fmax(m->merge, node->step_s + merge);
}

/* Computes the makespan as hp-plan(5) defines it. */
static double
makespan(const struct trial *t, const uint64_t *n)
{
	const struct launcher *launcher = &t->c.launcher;
	const struct link *l = &launcher->link;
	double B = t->p.item_bytes, remote = 0, hosts = 0, back;
	struct search s = search_of(t);
	struct seconds m = { 0 };
	double divide = t->p.by_key
	    ? (double)t->p.total * launcher->divide_s_per_item
	    : 0;

	for (size_t i = 0; i < t->c.n; i++) {
		if (n[i] == 0)
			continue;
		add_node(t, &t->c.node[i], (double)n[i], &s, &m);
		if (t->c.node[i].host == NULL)
			continue;
		remote += (double)n[i];
		hosts++;
	}
	if (hosts > 0 && !t->p.by_key)
		m.pivots = fmax(m.pivots,
		    2 * s.steps * l->latency_s +
			moved(hosts * s.to_node, l->send) +
			moved(hosts * s.from_node + s.from_all, l->receive));
	m.send = fmax(m.send, over(remote * B, l->send, l->latency_s, 0));
	back = over(remote * B, l->receive, l->latency_s, 0);
	if (t->p.batches)
		m.send = fmax(m.send, back);
	else
		m.gather = fmax(m.gather, back);
	m.start = t->p.batches ? fmax(divide, m.start) : divide + m.start;
	m.start += t->p.batches && launcher->batch_begin_s > 0
	    ? launcher->batch_begin_s
	    : launcher->begin_s;
	m.gather += t->p.batches && launcher->batch_finish_s > 0
	    ? launcher->batch_finish_s
	    : launcher->finish_s;
	return m.start + m.send + m.sort + m.pivots + m.swap + m.merge +
	    m.gather;
}

/* Tries all divisions of `rest` items among the nodes from i on. */
static double
least_of_all(const struct trial *t, uint64_t *n, size_t i, uint64_t rest)
{
	uint64_t limit = curve_limit(&t->c.node[i].curve);
	double least = INFINITY;

	if (i + 1 == t->c.n) {
		n[i] = rest;
		return rest <= limit ? makespan(t, n) : INFINITY;
	}
	for (n[i] = 0; n[i] <= rest && n[i] <= limit; n[i]++)
		least = fmin(least, least_of_all(t, n, i + 1, rest - n[i]));
	return least;
}

static void
show(const struct trial *t, const struct answer *a)
{
	printf("# %ju items of %g bytes, %s: %.17g, bound %.17g; launcher %g "
	       "%g %g\n",
	    (uintmax_t)t->p.total, t->p.item_bytes, t->cost.text,
	    a->proof.makespan, a->bound, t->c.launcher.link.send,
	    t->c.launcher.link.receive, t->c.launcher.link.latency_s);
	for (size_t i = 0; i < t->c.n && a->n != NULL; i++) {
		const struct node *n = &t->c.node[i];

		printf("# %s gets %ju of %ju, speed %g, %u points, merge %g, "
		       "link %d %g %g %g\n",
		    n->host == NULL ? "node" : "host", (uintmax_t)a->n[i],
		    (uintmax_t)curve_limit(&n->curve), n->curve.speed,
		    n->curve.npoints, n->merge_s_per_item, n->link.known,
		    n->link.send, n->link.receive, n->link.latency_s);
	}
}

/* Other methods find no optimum, but the same bound. */
static void
check_other(const struct trial *t, double least)
{
	struct answer a;
	struct hp_err e = { 0 };

	if (share_solve(&t->p, METHOD_EQUAL, &a, &e) == -1) {
		CHECK(e.kind == HP_NOSHARE);
		return;
	}
	CHECK(a.bound <= least * (1 + 1e-12));
	CHECK(a.bound >= least * (1 - 2 * NEAR));
	if (a.proof.makespan <= least * (1 + 1e-9))
		CHECK(a.proof.optimal);
	else if (a.proof.makespan > least * (1 + 3 * NEAR))
		CHECK(!a.proof.optimal);
	answer_fini(&a);
}

static void
few_items(void)
{
	for (int i = 0, all = cases(1500); i < all && test.bad == 0; i++) {
		uint64_t n[NODES], total = 1 + test_below(14);
		struct trial t;
		struct answer a;
		struct hp_err e = { 0 };
		double least;

		trial_init(&t, total, 1 + test_below(4));
		least = least_of_all(&t, n, 0, total);
		if (share_solve(&t.p, METHOD_AUTO, &a, &e) == -1) {
			CHECK(isinf(least) && e.kind == HP_NOSHARE);
			trial_fini(&t);
			continue;
		}
		CHECK(a.method == METHOD_STAGES);
		CHECK(fabs(makespan(&t, a.n) - a.proof.makespan) <=
		    1e-12 * least);
		CHECK(a.bound <= least * (1 + 1e-12));
		CHECK(a.proof.makespan <= least * (1 + NEAR));
		CHECK(a.proof.optimal);
		if (i % 4 == 0)
			check_other(&t, least);
		if (test.bad > 0) {
			printf("# least %.17g\n", least);
			show(&t, &a);
		}
		answer_fini(&a);
		trial_fini(&t);
	}
}

/* A plan without items takes the time that the launcher needs for itself. */
static void
no_items(void)
{
	for (int i = 0, all = cases(300); i < all && test.bad == 0; i++) {
		static const uint64_t none[NODES];
		struct trial t;
		struct answer a;
		struct hp_err e = { 0 };
		double least;

		trial_init(&t, 1 + test_below(14), 1 + test_below(4));
		t.p.total = 0;
		least = makespan(&t, none);
		REQUIRE(
		    share_solve(&t.p, i % 2 == 0 ? METHOD_AUTO : METHOD_EQUAL,
			&a, &e) == 0);
		CHECK(fabs(a.proof.makespan - least) <= 1e-12 * least);
		CHECK(a.bound == a.proof.makespan && a.proof.optimal);
		if (test.bad > 0)
			show(&t, &a);
		answer_fini(&a);
		trial_fini(&t);
	}
}

/* Moves some items from one node to another. */
static void
move(const struct trial *t, uint64_t *n)
{
	size_t from = test_below(t->c.n), to = test_below(t->c.n);
	uint64_t limit = curve_limit(&t->c.node[to].curve), items;

	items = (uint64_t)((double)n[from] * between(1e-9, 1));
	if (from != to && n[to] + items <= limit) {
		n[from] -= items;
		n[to] += items;
	}
}

static void
many_items(void)
{
	unsigned optimal = 0;
	int all = cases(60);

	for (int i = 0; i < all && test.bad == 0; i++) {
		uint64_t n[NODES];
		struct trial t;
		struct answer a;
		struct hp_err e = { 0 };

		trial_init(
		    &t, (uint64_t)between(1e3, 1e12), 1 + test_below(NODES));
		if (share_solve(&t.p, METHOD_AUTO, &a, &e) == -1) {
			CHECK(e.kind == HP_NOSHARE);
			trial_fini(&t);
			continue;
		}
		optimal += a.proof.optimal;
		memcpy(n, a.n, t.c.n * sizeof *n);
		for (int j = 0; j < 3000; j++) {
			if (j % 100 == 0)
				memcpy(n, a.n, t.c.n * sizeof *n);
			move(&t, n);
			CHECK(makespan(&t, n) >= a.bound * (1 - 1e-12));
		}
		CHECK(a.proof.makespan <= a.bound * 1.01);
		if (test.bad > 0)
			show(&t, &a);
		else if (getenv("HP_SHOW") != NULL && !a.proof.optimal) {
			printf(
			    "# open by %g\n", a.proof.makespan / a.bound - 1);
			show(&t, &a);
		}
		answer_fini(&a);
		trial_fini(&t);
	}
	printf("# %u of %d proven\n", optimal, all);
	CHECK(optimal * 10 >= (unsigned)all * 8);
}

int
main(void)
{
	RUN(no_items);
	RUN(few_items);
	RUN(many_items);
	return test_done();
}
