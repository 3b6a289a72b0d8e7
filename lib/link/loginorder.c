#include <stdlib.h>

#include "link/loginorder.h"

/*
 * The place of a node in the cluster: the number of its machine, and its number
 * among the nodes of that machine.
 */
struct place {
	uint32_t machine, nth;
};

static bool
same_machine(const struct address *a, const struct address *b)
{
	return address_is_local(a, b) && address_is_local(b, a);
}

/*
 * Numbers the machines in the order in which the cluster names them. Returns
 * the number of machines.
 */
static uint32_t
find_places(struct place *place, const struct address *node, uint32_t nodes)
{
	uint32_t machines = 0;

	for (uint32_t i = 0; i < nodes; i++) {
		place[i] = (struct place){ machines, 0 };
		for (uint32_t k = 0; k < i; k++)
			if (same_machine(&node[k], &node[i]))
				place[i] = (struct place){ place[k].machine,
					place[k].nth + 1 };
		machines += place[i].machine == machines;
	}
	return machines;
}

/* Machines from one to the other, cyclic. */
static uint32_t
distance(uint32_t from, uint32_t to, uint32_t machines)
{
	return (to + machines - from) % machines;
}

/* Returns whether node a logs in at the machine `to` before node b does. */
static bool
is_before(const struct place *a, const struct place *b, uint32_t to,
    uint32_t machines)
{
	uint32_t of_a = distance(a->machine, to, machines),
		 of_b = distance(b->machine, to, machines);

	return of_a != of_b ? of_a < of_b : a->nth < b->nth;
}

/*
 * Nodes log in at the machine `to` one after the other. Returns the node that
 * logs in right before the node `rank`, or LOGIN_FIRST if that node is the
 * first.
 */
static uint32_t
node_before(const struct place *place, uint32_t nodes, uint32_t rank,
    uint32_t to, uint32_t machines)
{
	uint32_t last = LOGIN_FIRST;

	for (uint32_t i = 0; i < nodes; i++)
		if (place[i].machine != to &&
		    is_before(&place[i], &place[rank], to, machines) &&
		    (last == LOGIN_FIRST ||
			is_before(&place[last], &place[i], to, machines)))
			last = i;
	return last;
}

static uint32_t
count_before(const struct place *place, uint32_t nodes, uint32_t rank,
    uint32_t to, uint32_t machines)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < nodes; i++)
		n += place[i].machine != to &&
		    is_before(&place[i], &place[rank], to, machines);
	return n;
}

static struct login_order
order_at(const struct place *place, uint32_t nodes, uint32_t me, uint32_t to,
    uint32_t machines, uint32_t logins)
{
	uint32_t before = count_before(place, nodes, me, to, machines);
	struct login_order t = { .machine = distance(
				     place[me].machine, to, machines),
		.after = before < logins ? LOGIN_FIRST : me,
		.wave = before / logins };

	if (t.after == LOGIN_FIRST)
		return t;
	for (uint32_t i = 0; i < logins; i++)
		t.after = node_before(place, nodes, t.after, to, machines);
	t.passed = distance(place[t.after].machine, to, machines);
	return t;
}

int
login_order_init(struct login_order *order, const struct address *node,
    uint32_t nodes, uint32_t me, uint32_t logins, struct hp_err *e)
{
	struct place *place = calloc(nodes, sizeof *place);
	uint32_t machines;

	if (place == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	machines = find_places(place, node, nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		order[i] = (struct login_order){ .after = LOGIN_FIRST };
		if (logins > 0 && !address_is_local(&node[i], &node[me]))
			order[i] = order_at(place, nodes, me, place[i].machine,
			    machines, logins);
	}
	free(place);
	return 0;
}
