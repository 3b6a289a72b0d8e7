#include <stdlib.h>
#include <string.h>

#include "link/turns.h"

/* The nodes by machine, in the order of the cluster. */
struct place {
	uint32_t machine, nth; /* of its nodes */
};

bool
turns_near(const struct address *to, const struct address *self)
{
	return to->host == NULL ||
	    (self->host != NULL && strcmp(to->host, self->host) == 0);
}

static bool
together(const struct address *a, const struct address *b)
{
	return turns_near(a, b) && turns_near(b, a);
}

/* Returns how many machines there are. */
static uint32_t
find_places(struct place *place, const struct address *node, uint32_t nodes)
{
	uint32_t machines = 0;

	for (uint32_t i = 0; i < nodes; i++) {
		place[i] = (struct place){ machines, 0 };
		for (uint32_t k = 0; k < i; k++)
			if (together(&node[k], &node[i]))
				place[i] = (struct place){ place[k].machine,
					place[k].nth + 1 };
		machines += place[i].machine == machines;
	}
	return machines;
}

static uint32_t
from_to(uint32_t from, uint32_t to, uint32_t machines)
{
	return (to + machines - from) % machines;
}

/* Whether a comes to the machine before b. */
static bool
is_before(const struct place *a, const struct place *b, uint32_t to,
    uint32_t machines)
{
	uint32_t of_a = from_to(a->machine, to, machines),
		 of_b = from_to(b->machine, to, machines);

	return of_a != of_b ? of_a < of_b : a->nth < b->nth;
}

/* Who comes to the machine just before that node, or TURN_FIRST. */
static uint32_t
who_before(const struct place *place, uint32_t nodes, uint32_t rank,
    uint32_t to, uint32_t machines)
{
	uint32_t last = TURN_FIRST;

	for (uint32_t i = 0; i < nodes; i++)
		if (place[i].machine != to &&
		    is_before(&place[i], &place[rank], to, machines) &&
		    (last == TURN_FIRST ||
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

static struct turn
turn_at(const struct place *place, uint32_t nodes, uint32_t me, uint32_t to,
    uint32_t machines, uint32_t logins)
{
	uint32_t before = count_before(place, nodes, me, to, machines);
	struct turn t = { .machine = from_to(place[me].machine, to, machines),
		.after = before < logins ? TURN_FIRST : me,
		.wave = before / logins };

	if (t.after == TURN_FIRST)
		return t;
	for (uint32_t i = 0; i < logins; i++)
		t.after = who_before(place, nodes, t.after, to, machines);
	t.passed = from_to(place[t.after].machine, to, machines);
	return t;
}

int
turns_init(struct turn *turn, const struct address *node, uint32_t nodes,
    uint32_t me, uint32_t logins, struct hp_err *e)
{
	struct place *place = calloc(nodes, sizeof *place);
	uint32_t machines;

	if (place == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	machines = find_places(place, node, nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		turn[i] = (struct turn){ .after = TURN_FIRST };
		if (logins > 0 && !turns_near(&node[i], &node[me]))
			turn[i] = turn_at(place, nodes, me, place[i].machine,
			    machines, logins);
	}
	free(place);
	return 0;
}
