#include <math.h>
#include <stdlib.h>

#include "net/logins.h"

/*
 * If a node has not answered the first connection attempt after FIRST_S
 * seconds, a second attempt starts. With a short timeout, the second attempt
 * starts after a third of the timeout. A login can take seconds.
 */
static const double FIRST_S = 5;
static const double FIRST_IN_TIMEOUT = 3;

enum {
	LOGINS_MOST = 2 /* simultaneous logins of one node */
};

double
logins_first_s(const struct sending *s)
{
	return fmin(s->en->x->options.timeout_s / FIRST_IN_TIMEOUT, FIRST_S);
}

/*
 * Returns how many logins are pending at a receiver that was never connected. A
 * login that takes too long counts as hung and is left out, so that it does not
 * delay others.
 */
static uint32_t
pending(const struct sending *s, const struct outlet *o)
{
	double since_s = s->clock_s - logins_first_s(s);
	uint32_t n = 0;

	for (int k = 0; o->turn.machine > 0 && k < OUTLET_ATTEMPTS; k++)
		n += o->run == 0 && channel_is_open(&o->attempt[k].channel) &&
		    o->attempt[k].since_s > since_s;
	return n;
}

int
logins_init(struct sending *s, struct hp_err *e)
{
	const struct exchange *x = s->en->x;
	struct login_order *turn = calloc(x->nodes, sizeof *turn);
	int rc;

	if (turn == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	rc = login_order_init(
	    turn, x->node, x->nodes, x->me, x->transport->logins_most, e);
	for (uint32_t i = 0; rc == 0 && i < x->nodes; i++)
		s->outlet[i].turn = turn[i];
	free(turn);
	return rc;
}

/*
 * This node logs in at the other machines in a fixed order. Returns at how many
 * machines, counted from the first, it has been connected to every node at
 * least once. Returns PASSED_ALL if there is no other machine left.
 */
uint32_t
logins_passed(const struct sending *s)
{
	uint32_t least = PASSED_ALL;

	for (uint32_t i = 0; i < s->en->x->nodes; i++) {
		const struct outlet *o = &s->outlet[i];

		if (o->state == OUTLET_OPEN && o->run == 0 &&
		    o->turn.machine > 0 && o->turn.machine - 1 < least)
			least = o->turn.machine - 1;
	}
	return least;
}

/*
 * Returns how many logins of this node may be pending at the same time. A
 * machine accepts only transport->logins_most logins at once. Even if all nodes
 * log in to it, because it has several names, they must not exceed this limit.
 * So each node gets an equal share of the limit.
 */
static uint32_t
pending_most(const struct exchange *x)
{
	uint32_t peers = x->nodes > 1 ? x->nodes - 1 : 1;
	uint32_t n = x->transport->logins_most / peers;

	return n < 1 ? 1 : n < LOGINS_MOST ? n : LOGINS_MOST;
}

/*
 * Returns whether a login at the receiver may start. Before the first
 * connection to the receiver, this node waits for its turn at the receiver's
 * machine, and has at most one pending login there. After a lost connection,
 * the nodes log in at a machine in groups, a second apart. So nodes that lost
 * their connections at the same time do not all log in at the same time.
 */
bool
logins_may_start(const struct sending *s, const struct outlet *o)
{
	const struct outlet *before;
	uint32_t all = 0, there = 0;

	if (o->turn.machine == 0)
		return true;
	if (o->run != 0)
		return o->lost_s + o->turn.wave * OUTLET_AGAIN_S <= s->clock_s;
	for (uint32_t i = 0; i < s->en->x->nodes; i++) {
		uint32_t n = pending(s, &s->outlet[i]);

		all += n;
		there += s->outlet[i].turn.machine == o->turn.machine ? n : 0;
	}
	if (there > 0 || all >= pending_most(s->en->x))
		return false;
	if (o->turn.after == LOGIN_FIRST)
		return true;
	before = &s->outlet[o->turn.after];
	return before->passed >= o->turn.passed || before->state != OUTLET_OPEN;
}
