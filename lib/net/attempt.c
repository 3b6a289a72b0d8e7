#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/adopt.h"
#include "net/attempt.h"
#include "net/logins.h"

/*
 * Delay in seconds after the first failed login, and its maximum. The delay
 * doubles with each failed login.
 */
static const double REFUSED_S = 0.25, REFUSED_MOST_S = 2;
/*
 * If no process listens at the receiver, the next connection attempt follows
 * after NAP_S seconds. This delay doubles each time, up to NAP_MOST_S.
 */
static const double NAP_S = 0.001, NAP_MOST_S = 0.05;
/*
 * A receiver that was connected counts as ended if no process has listened at
 * its socket for this many seconds.
 */
static const double ABSENT_S = 1;

/*
 * Returns an unused slot for an attempt. If all slots are used, closes the
 * oldest attempt and returns its slot.
 */
static struct handshake *
slot(struct outlet *o)
{
	struct handshake *oldest = &o->attempt[0];

	for (int k = 0; k < OUTLET_ATTEMPTS; k++) {
		if (!channel_is_open(&o->attempt[k].channel))
			return &o->attempt[k];
		if (o->attempt[k].attempt < oldest->attempt)
			oldest = &o->attempt[k];
	}
	handshake_close(oldest);
	return oldest;
}

/* Fails because the process of the receiver has ended. */
static int
ended(struct sending *s, const struct outlet *o, struct hp_err *e)
{
	return engine_lost(s->en, &s->failure, o->rank, UNREACHED_ENDED,
	    o->why != NULL ? o->why : "was silent, and has ended", e);
}

/*
 * Handles a connection attempt that made no connection: it is still in
 * progress, or no process listens at the receiver.
 */
static int
no_connection(struct sending *s, struct outlet *o, const struct attempt *a,
    struct hp_err *e)
{
	o->nap_s = o->nap_s == 0 ? NAP_S : o->nap_s * 2;
	if (o->nap_s > NAP_MOST_S)
		o->nap_s = NAP_MOST_S;
	o->next_s = s->clock_s + o->nap_s;
	o->errnum = a->errnum;
	if (!a->absent || o->run == 0 || o->restarts ||
	    channel_is_open(&o->channel)) {
		o->absent_s = 0;
		return 0;
	}
	if (o->absent_s == 0)
		o->absent_s = s->clock_s;
	return o->absent_s + ABSENT_S > s->clock_s ? 0 : ended(s, o, e);
}

/*
 * Returns the delay in seconds before the next attempt, after the receiver has
 * refused `times` attempts. The delay is random, so that not all nodes retry at
 * the same time.
 */
static double
refused_s(uint32_t times)
{
	double s = REFUSED_S;

	while (--times > 0 && s < REFUSED_MOST_S)
		s *= 2;
	return s * (0.5 + arc4random_uniform(1000) / 1000.0);
}

/*
 * Fails because the receiver refused the hello, and would refuse it again. For
 * example, the receiver has another version. The receiver does not count as
 * lost.
 */
static int
refused(struct sending *s, const struct outlet *o, const char *why,
    struct hp_err *e)
{
	s->failure.final = true;
	return hp_fail(e, HP_INPUT, "%s: %s", o->name, why);
}

/* The attempt failed, a retry may succeed. */
static int
fail(struct sending *s, struct outlet *o, struct handshake *g, const char *why,
    struct hp_err *e)
{
	uint32_t tries = s->en->x->transport->attempts_most;

	handshake_close(g);
	if (o->run == 0 && ++o->failed == tries)
		return engine_lost(
		    s->en, &s->failure, o->rank, UNREACHED_NEVER, why, e);
	if (o->run == 0 && s->en->x->transport->logins_most > 0)
		o->next_s = s->clock_s + refused_s(o->failed);
	else if (o->next_s > o->attempted_s + OUTLET_AGAIN_S)
		o->next_s = o->attempted_s + OUTLET_AGAIN_S;
	return 0;
}

/* Handles a connection that the peer closed before it sent a hello. */
static int
closed(
    struct sending *s, struct outlet *o, struct handshake *g, struct hp_err *e)
{
	const struct transport *t = s->en->x->transport;
	bool unauthenticated = errno == EACCES, permanent = false;
	const char *why = NULL;

	if (o->run == 0 && t->why != NULL)
		why = t->why(&s->en->endpoint, o->rank, &permanent);
	if (why == NULL)
		why = channel_why(&g->channel);
	if (permanent)
		return refused(s, o, why, e);
	if (unauthenticated)
		return engine_lost(
		    s->en, &s->failure, o->rank, UNREACHED_KEY, why, e);
	return fail(s, o, g, why, e);
}

/*
 * Handles an answer that is no hello. Perhaps a login script printed something,
 * or another program is called hpexchange on that host. After the second such
 * answer the exchange fails, and the message shows the line.
 */
static int
invalid(
    struct sending *s, struct outlet *o, struct handshake *g, struct hp_err *e)
{
	char text[NOTE_TEXT], *p;

	snprintf(text, sizeof text, "answers, but is no hpexchange: '%.*s",
	    (int)g->have, (const char *)g->bytes);
	for (p = text; *p != '\0' && *p != '\n' && *p != '\r'; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	strcpy(p, "'");
	if (o->run == 0 && o->invalid++ > 0)
		return refused(s, o, text, e);
	return fail(s, o, g, text, e);
}

/*
 * A connection attempt starts now. Returns after how many seconds another one
 * starts if this one is not yet answered. A new attempt may close the oldest
 * one, because the number of slots is limited. If attempts are logins (ssh),
 * the delay doubles each time. So even a slow login can succeed before it is
 * the oldest.
 */
static double
beside_s(struct sending *s, struct outlet *o)
{
	double most_s = s->en->retry_most_s;

	if (s->en->x->transport->logins_most > 0)
		return retrypolicy_login_s(&o->retry,
		    o->run == 0 ? logins_first_s(s) : OUTLET_AGAIN_S, most_s);
	return o->run == 0 ? logins_first_s(s)
			   : retrypolicy_delay_s(&o->retry, most_s);
}

int
attempt_start(struct sending *s, struct outlet *o, struct hp_err *e)
{
	const struct exchange *x = s->en->x;
	struct hello h = s->en->mine;
	struct attempt a = { .known = o->run != 0 && !o->restarts,
		.quiet = o->attempts > o->answered };
	struct channel c;
	struct handshake *g;
	int rc = x->transport->connect(
	    &s->en->endpoint, &x->node[o->rank], &a, &c, e);

	if (rc == -1)
		return -1;
	if (rc == 0)
		return no_connection(s, o, &a, e);
	o->nap_s = o->absent_s = 0;
	o->errnum = 0;
	o->attempted_s = s->clock_s;
	o->next_s = s->clock_s + beside_s(s, o);
	g = slot(o);
	*g = (struct handshake){
		.channel = c, .attempt = ++o->attempts, .since_s = s->clock_s
	};
	h.to = o->rank;
	h.attempt += g->attempt;
	if (handshake_send(g, &h) == -1)
		return closed(s, o, g, e);
	return 0;
}

/* Handles the hello with which the peer has answered. */
static int
answered(struct sending *s, struct outlet *o, struct handshake *g,
    const struct hello *h, struct hp_err *e)
{
	enum verdict v = h->verdict;
	char text[NOTE_TEXT];

	if (v == VERDICT_LATE)
		return fail(s, o, g, "", e);
	if (v == VERDICT_GONE && o->run != 0 && !o->restarts &&
	    !channel_is_open(&o->channel))
		return ended(s, o, e);
	if (v == VERDICT_GONE)
		return fail(s, o, g, verdict_text(v), e);
	if (v == VERDICT_WELCOME)
		v = hello_judge(h, &s->en->mine);
	if (v == VERDICT_WELCOME && h->from != o->rank)
		v = VERDICT_ADDRESS;
	/*
	 * The checksum of a hello cannot be verified if its version differs, so
	 * the version can be damaged. Try once more before failing.
	 */
	if (v == VERDICT_VERSION && o->invalid++ == 0)
		return fail(s, o, g, verdict_text(v), e);
	if (v != VERDICT_WELCOME) {
		snprintf(text, sizeof text, "refused the connection: %s",
		    verdict_text(v));
		return refused(s, o, text, e);
	}
	if (o->run != 0 && o->run != h->run)
		return engine_lost(s->en, &s->failure, o->rank, UNREACHED_ENDED,
		    "was started again without its earlier data", e);
	o->run = h->run;
	o->restarts = (h->flags & HELLO_RESTARTS) != 0;
	return adopt(s, o, g, h, e);
}

int
attempt_answer(
    struct sending *s, struct outlet *o, struct handshake *g, struct hp_err *e)
{
	struct hello h;

	errno = 0;
	switch (handshake_read(g, &h)) {
	case HANDSHAKE_WAITS:
		return 0;
	case HANDSHAKE_LOST:
		return closed(s, o, g, e);
	case HANDSHAKE_INVALID:
		if (adopt_count_fruitless(s, o, e) == -1)
			return -1;
		return invalid(s, o, g, e);
	case HANDSHAKE_HELLO:
		break;
	}
	return answered(s, o, g, &h, e);
}
