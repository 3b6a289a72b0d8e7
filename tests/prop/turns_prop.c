/*
 * The order of logins: for any cluster and any duration of logins, no machine
 * has more concurrent logins than allowed, and all logins complete.
 */

#include "link/loginorder.h"
#include "test.h"

enum {
	NODES_MOST = 40,
	BEARS_MOST = 8
};

enum login {
	LOGIN_NOT,
	LOGIN_UNDER_WAY,
	LOGIN_DONE
};

/* All nodes of one cluster, with what each node knows of the other nodes. */
struct world {
	uint32_t nodes, machines;
	struct address node[NODES_MOST];
	char host[NODES_MOST][8];
	uint32_t machine[NODES_MOST];
	struct login_order turn[NODES_MOST]
			       /*
				* state of a node's turn as another node knows
				* it
				*/
			       [NODES_MOST];
	enum login login[NODES_MOST][NODES_MOST];
};

static void
make(struct world *w, uint32_t nodes, uint32_t machines, uint32_t bears)
{
	struct hp_err e;

	*w = (struct world){ .nodes = nodes, .machines = machines };
	for (uint32_t i = 0; i < nodes; i++) {
		w->machine[i] = (uint32_t)test_below(machines);
		snprintf(w->host[i], sizeof w->host[i], "h%u", w->machine[i]);
		w->node[i].host = w->host[i];
	}
	for (uint32_t i = 0; i < nodes; i++)
		REQUIRE(login_order_init(
			    w->turn[i], w->node, nodes, i, bears, &e) == 0);
}

static uint32_t
passed(const struct world *w, uint32_t i)
{
	uint32_t least = PASSED_ALL;

	for (uint32_t j = 0; j < w->nodes; j++)
		if (w->turn[i][j].machine > 0 && w->login[i][j] != LOGIN_DONE &&
		    w->turn[i][j].machine - 1 < least)
			least = w->turn[i][j].machine - 1;
	return least;
}

static bool
has_turn(const struct world *w, uint32_t i, uint32_t j)
{
	const struct login_order *t = &w->turn[i][j];

	for (uint32_t k = 0; k < w->nodes; k++)
		if (w->machine[k] == w->machine[j] &&
		    w->login[i][k] == LOGIN_UNDER_WAY)
			return false;
	if (t->after == LOGIN_FIRST)
		return true;
	/*
	 * A node learns of another node's progress only over a connection to
	 * it.
	 */
	return (w->turn[i][t->after].machine == 0 ||
		   w->login[i][t->after] == LOGIN_DONE) &&
	    passed(w, t->after) >= t->passed;
}

static uint32_t
under_way(const struct world *w, uint32_t machine)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->nodes; i++)
		for (uint32_t j = 0; j < w->nodes; j++)
			n += w->machine[j] == machine &&
			    w->login[i][j] == LOGIN_UNDER_WAY;
	return n;
}

/*
 * Performs one possible event, chosen at random. Logins start more readily than
 * they end, so they crowd. Returns whether an event was possible.
 */
static bool
happen(struct world *w)
{
	uint32_t n = w->nodes * w->nodes, from = (uint32_t)test_below(n);
	bool ends = test_below(4) == 0;

	for (int round = 0; round < 2; round++, ends = !ends)
		for (uint32_t k = 0; k < n; k++) {
			uint32_t i = (from + k) % n / w->nodes,
				 j = (from + k) % n % w->nodes;
			enum login *l = &w->login[i][j];

			if (w->turn[i][j].machine == 0 ||
			    *l != (ends ? LOGIN_UNDER_WAY : LOGIN_NOT) ||
			    (!ends && !has_turn(w, i, j)))
				continue;
			*l = ends ? LOGIN_DONE : LOGIN_UNDER_WAY;
			return true;
		}
	return false;
}

static void
run(struct world *w, uint32_t bears)
{
	uint32_t most = 0, n;

	while (happen(w))
		for (uint32_t m = 0; m < w->machines; m++)
			if ((n = under_way(w, m)) > most)
				most = n;
	CHECK(most <= bears);
	for (uint32_t i = 0; i < w->nodes; i++)
		CHECK_EQ_U64(passed(w, i), PASSED_ALL);
}

static void
no_more_than_a_machine_bears(void)
{
	static struct world w;

	for (int round = 0; round < 150; round++) {
		uint32_t bears = 1 + (uint32_t)test_below(BEARS_MOST);
		uint32_t nodes = 1 + (uint32_t)test_below(NODES_MOST / 2);

		make(&w, nodes, 1 + (uint32_t)test_below(nodes), bears);
		run(&w, bears);
	}
}

/* As many logins as the limit allows are under way at once. */
static void
no_less(void)
{
	static struct world w;
	uint32_t n = 0;

	make(&w, NODES_MOST, 2, BEARS_MOST);
	for (uint32_t i = 0; i < w.nodes; i++)
		for (uint32_t j = 0; j < w.nodes; j++)
			if (w.turn[i][j].machine > 0 && has_turn(&w, i, j)) {
				w.login[i][j] = LOGIN_UNDER_WAY;
				n++;
			}
	CHECK_EQ_U64(n, 2 * BEARS_MOST);
	run(&w, BEARS_MOST);
}

static void
without_hosts(void)
{
	struct address node[3] = { { .host = "a" }, { .host = NULL },
		{ .host = "b" } };
	struct login_order turn[3];
	struct hp_err e;

	REQUIRE(login_order_init(turn, node, 3, 0, 8, &e) == 0);
	CHECK(turn[0].machine == 0 && turn[1].machine == 0);
	CHECK(turn[2].machine > 0 && turn[2].after == LOGIN_FIRST);
	REQUIRE(login_order_init(turn, node, 3, 1, 8, &e) == 0);
	CHECK(turn[0].machine > 0 && turn[2].machine > 0);
	REQUIRE(login_order_init(turn, node, 3, 0, 0, &e) == 0);
	CHECK(turn[2].machine == 0);
}

/*
 * Each node logs in on the machines that follow its own, and after the last on
 * the first.
 */
static void
each_node_begins_with_the_next_machine(void)
{
	struct address node[3] = { { .host = "a" }, { .host = "b" },
		{ .host = "c" } };
	struct login_order turn[3];
	struct hp_err e;

	for (uint32_t me = 0; me < 3; me++) {
		REQUIRE(login_order_init(turn, node, 3, me, 8, &e) == 0);
		CHECK_EQ_U64(turn[(me + 1) % 3].machine, 1);
		CHECK_EQ_U64(turn[(me + 2) % 3].machine, 2);
	}
}

int
main(void)
{
	RUN(no_more_than_a_machine_bears);
	RUN(no_less);
	RUN(without_hosts);
	RUN(each_node_begins_with_the_next_machine);
	return test_done();
}
