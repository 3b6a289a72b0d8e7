#include <math.h>
#include <stdio.h>
#include <string.h>

#include "net/attempt.h"
#include "net/connect.h"
#include "net/logins.h"

/* seconds between two calls of transport.tend */
static const double TEND_S = 1;

/* Returns whether all receivers are connected and none of them is silent. */
static bool
all_reached(const struct sending *s)
{
	for (uint32_t i = 0; i < s->en->x->nodes; i++) {
		const struct outlet *o = &s->outlet[i];

		if (i != s->en->x->me && o->state == OUTLET_OPEN &&
		    (!channel_is_open(&o->channel) || o->suspected))
			return false;
	}
	return true;
}

/*
 * Returns for how many seconds the receiver may send no note before this node
 * suspects that the connection is broken.
 */
static double
silent_s(const struct sending *s, const struct outlet *o)
{
	return retrypolicy_silence_s(
	    &o->retry, s->en->silent_s, s->en->silent_most_s);
}

/*
 * Records that the receiver was heard now. A receiver that sends its notes
 * slowly may also answer a connection attempt slowly. So the longer its silence
 * was, the longer the next attempt may take.
 */
void
connect_heard(const struct sending *s, struct outlet *o)
{
	retrypolicy_heard(&o->retry, s->clock_s - o->heard_s);
	o->heard_s = s->clock_s;
	o->fruitless = 0;
	if (o->suspected)
		o->next_s = fmax(o->next_s, o->attempted_s + silent_s(s, o));
}

/*
 * Returns whether the connection works in both directions. A connection stays
 * suspected to be broken even if a note arrives on it. The note proves that
 * data arrive here, but not that frames reach the receiver: TCP may resend a
 * lost frame only much later.
 */
static bool
works(const struct sending *s, struct outlet *o)
{
	if (!channel_is_open(&o->channel))
		return false;
	if (!o->suspected && o->heard_s + silent_s(s, o) < s->clock_s) {
		o->suspected = true;
		o->lost_s = o->heard_s;
	}
	return !o->suspected;
}

/*
 * Returns whether this node must still wait for its turn to log in at the
 * receiver. During this wait the receiver does not count as silent.
 */
static bool
waits_for_turn(const struct sending *s, const struct outlet *o)
{
	return o->attempts == 0 && !logins_may_start(s, o);
}

/* Fails because the receiver was silent for too long. */
static int
too_late(struct sending *s, const struct outlet *o, struct hp_err *e)
{
	const char *how = o->run == 0 ? "not connected after"
	    : o->why == NULL	      ? "silent for"
				      : "and did not come back for";
	char text[NOTE_TEXT];

	snprintf(text, sizeof text, "%s%s%s %g s%s%s",
	    o->why != NULL ? o->why : "", o->why != NULL ? " " : "", how,
	    s->en->x->options.timeout_s, o->errnum != 0 ? ": " : "",
	    o->errnum != 0 ? strerror(o->errnum) : "");
	return engine_lost(
	    s->en, &s->failure, o->rank, outlet_unreached(o), text, e);
}

/*
 * Closes the session with a silent receiver that has stored everything. The
 * silence is no error, because the receiver's process may have ended already.
 */
static void
give_up(struct outlet *o)
{
	outlet_close_all(o);
	o->state = OUTLET_DONE;
}

/* Does the work of connect_turn for one receiver. */
static int
turn(struct sending *s, struct outlet *o, double *wait_s, struct hp_err *e)
{
	bool late = o->heard_s + s->en->lost_s < s->clock_s;

	if (o->state == OUTLET_LEAVING && late)
		give_up(o);
	if (o->state != OUTLET_OPEN)
		return 0;
	if (waits_for_turn(s, o)) {
		o->heard_s = s->clock_s;
		return 0;
	}
	if (late && !o->stored)
		return too_late(s, o, e);
	if (late) {
		give_up(o);
		return 0;
	}
	if (works(s, o))
		return 0;
	if (o->next_s <= s->clock_s) {
		if (!logins_may_start(s, o))
			return 0;
		if (attempt_start(s, o, e) == -1)
			return -1;
	}
	if (o->next_s - s->clock_s < *wait_s)
		*wait_s = o->next_s - s->clock_s;
	return 0;
}

int
connect_turn(struct sending *s, double *wait_s, struct hp_err *e)
{
	const struct exchange *x = s->en->x;

	atomic_store(&s->en->passed, logins_passed(s));
	if (x->transport->tend != NULL && s->tended_s + TEND_S <= s->clock_s) {
		x->transport->tend(&s->en->endpoint);
		s->tended_s = s->clock_s;
	}
	/*
	 * Node i starts with receiver i + 1, so that not all nodes connect to
	 * node 0 first.
	 */
	for (uint32_t k = 1; k < x->nodes; k++)
		if (turn(s, &s->outlet[(x->me + k) % x->nodes], wait_s, e) ==
		    -1)
			return -1;
	atomic_store(&s->en->reached, all_reached(s));
	return 0;
}
