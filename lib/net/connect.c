#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/sending.h"

/*
 * A call is a new connection on which we have said hello and wait for the
 * answer.  That a kernel takes a connection proves nothing: its process may be
 * frozen.  So a call that is not answered is left alone and another one made
 * beside it.
 */

static const double AGAIN_S = 1;       /* from call to call, at least */
static const double HASTE_S = 0.1;     /* when connections break soon */
static const double FIRST_AGAIN_S = 5; /* logins may take their time, but */
static const double FIRST_AGAINS = 3;  /* there are so many in the timeout */
static const double REFUSED_S = 0.25, REFUSED_MOST_S = 2; /* a login was */
static const double NAP_S = 0.001, NAP_MOST_S = 0.05;	  /* nobody is there */
static const double GONE_S = 1;	  /* who was there and is not */
static const double NOTICE_S = 5; /* silence that is worth a word */
static const double TEND_S = 1;

enum {
	LOGINS_MOST = 2,    /* of one node */
	FRUITLESS_MOST = 10 /* connections in a row that bring no note */
};

/* How long a first call may take before there is another one beside it. */
static double
first_again_s(const struct sending *s)
{
	return fmin(s->en->x->options.timeout_s / FIRST_AGAINS, FIRST_AGAIN_S);
}

/*
 * Calls of who never was connected: each may be a login.  One that took too
 * long hangs, and keeps nobody else from trying.
 */
static uint32_t
logins_at(const struct sending *s, const struct outlet *o)
{
	double since_s = s->clock_s - first_again_s(s);
	uint32_t n = 0;

	for (int k = 0; o->turn.machine > 0 && k < OUTLET_ATTEMPTS; k++)
		n += o->run == 0 && channel_is_open(&o->attempt[k].channel) &&
		    o->attempt[k].since_s > since_s;
	return n;
}

/* Where a machine bears few logins at a time, everybody has his turn there. */
int
connect_init(struct sending *s, struct hp_err *e)
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

/* The machines that are passed end before the first without a connection. */
static uint32_t
passed(const struct sending *s)
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

/* Whether there is none that we are in want of. */
static bool
reached(const struct sending *s)
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
 * How many logins a node may have under way.  Machines of different names may
 * be one, which is to bear them all the same where there are few nodes.
 */
static uint32_t
logins_most(const struct exchange *x)
{
	uint32_t n = x->transport->logins_most /
	    (x->nodes > 1 ? x->nodes - 1 : 1);

	return n < 1 ? 1 : n < LOGINS_MOST ? n : LOGINS_MOST;
}

/*
 * Whether it may be called now.  At a machine one login is under way at a time.
 * Those who were connected come back in waves: not all at once, but soon.
 */
static bool
has_turn(const struct sending *s, const struct outlet *o)
{
	const struct outlet *before;
	uint32_t all = 0, there = 0;

	if (o->turn.machine == 0)
		return true;
	if (o->run != 0)
		return o->lost_s + o->turn.wave * AGAIN_S <= s->clock_s;
	for (uint32_t i = 0; i < s->en->x->nodes; i++) {
		uint32_t n = logins_at(s, &s->outlet[i]);

		all += n;
		there += s->outlet[i].turn.machine == o->turn.machine ? n : 0;
	}
	if (there > 0 || all >= logins_most(s->en->x))
		return false;
	if (o->turn.after == LOGIN_FIRST)
		return true;
	before = &s->outlet[o->turn.after];
	return before->passed >= o->turn.passed || before->state != OUTLET_OPEN;
}

static double
silent_s(const struct sending *s, const struct outlet *o)
{
	return retrypolicy_silence_s(
	    &o->retry, s->en->silent_s, s->en->silent_most_s);
}

/* Who is in doubt, and speaks: its answer may take as long. */
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
 * A connection that was silent stays in doubt also if something is heard of it
 * again: the frames that were lost on it go out again later than notes come in,
 * since each direction waits for a time of its own, twice as long after each
 * try.
 */
static bool
holds(const struct sending *s, struct outlet *o)
{
	if (!channel_is_open(&o->channel))
		return false;
	if (!o->suspected && o->heard_s + silent_s(s, o) < s->clock_s) {
		o->suspected = true;
		o->lost_s = o->heard_s;
	}
	return !o->suspected;
}

/* A free place; or that of the oldest call, which is given up. */
static struct handshake *
place(struct outlet *o)
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

/* It was there, and its process is not any more. */
static int
ended(struct sending *s, const struct outlet *o, struct hp_err *e)
{
	return engine_lost(s->en, &s->failure, o->rank, UNREACHED_ENDED,
	    o->why != NULL ? o->why : "was silent, and has ended", e);
}

static int
nobody_there(struct sending *s, struct outlet *o, const struct attempt *a,
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
	return o->absent_s + GONE_S > s->clock_s ? 0 : ended(s, o, e);
}

static double
refused_s(uint32_t times)
{
	double s = REFUSED_S;

	while (--times > 0 && s < REFUSED_MOST_S)
		s *= 2;
	return s * (0.5 + arc4random_uniform(1000) / 1000.0);
}

/* No other call will bring more: not a node is lost, but something is wrong. */
static int
refused(struct sending *s, const struct outlet *o, const char *why,
    struct hp_err *e)
{
	s->failure.final = true;
	return hp_fail(e, HP_INPUT, "%s: %s", o->name, why);
}

/* The call brought nothing; one in its place will. */
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
	else if (o->next_s > o->attempted_s + AGAIN_S)
		o->next_s = o->attempted_s + AGAIN_S;
	return 0;
}

/* The other end went away: who was never there may not let us in. */
static int
left(struct sending *s, struct outlet *o, struct handshake *g, struct hp_err *e)
{
	const struct transport *t = s->en->x->transport;
	bool stranger = errno == EACCES, hopeless = false;
	const char *why = NULL;

	if (o->run == 0 && t->why != NULL)
		why = t->why(&s->en->endpoint, o->rank, &hopeless);
	if (why == NULL)
		why = channel_why(&g->channel);
	if (hopeless)
		return refused(s, o, why, e);
	if (stranger)
		return engine_lost(
		    s->en, &s->failure, o->rank, UNREACHED_KEY, why, e);
	return fail(s, o, g, why, e);
}

/*
 * What is no hello: a login prints something before it, or what it runs there
 * is another program.  That may be so at the next call, too, and is then told,
 * with the line that came.
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

static int
call(struct sending *s, struct outlet *o, struct hp_err *e)
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
		return nobody_there(s, o, &a, e);
	o->nap_s = o->absent_s = 0;
	o->errnum = 0;
	o->attempted_s = s->clock_s;
	o->next_s = s->clock_s +
	    (o->run == 0 ? first_again_s(s)
			 : retrypolicy_delay_s(&o->retry, s->en->retry_most_s));
	g = place(o);
	*g = (struct handshake){
		.channel = c, .attempt = ++o->attempts, .since_s = s->clock_s
	};
	h.to = o->rank;
	h.attempt += g->attempt;
	if (handshake_send(g, &h) == -1)
		return left(s, o, g, e);
	return 0;
}

/*
 * Nobody can tell whether it is there before it is called: that others had
 * their logins first, on a machine that is slow, is not its silence.
 */
static bool
waits(const struct sending *s, const struct outlet *o)
{
	return o->attempts == 0 && !has_turn(s, o);
}

/* Who was not heard of for too long. */
static int
too_late(struct sending *s, const struct outlet *o, struct hp_err *e)
{
	const char *how = o->run == 0 ? "not there after"
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

/* Who had told that all is stored may be gone: it has all that it wanted. */
static void
give_up(struct outlet *o)
{
	outlet_hang_up(o);
	for (int k = 0; k < OUTLET_ATTEMPTS; k++)
		handshake_close(&o->attempt[k]);
	o->state = OUTLET_DONE;
}

int
connect_turn(struct sending *s, double *wait_s, struct hp_err *e)
{
	const struct exchange *x = s->en->x;

	atomic_store(&s->en->passed, passed(s));
	if (x->transport->tend != NULL && s->tended_s + TEND_S <= s->clock_s) {
		x->transport->tend(&s->en->endpoint);
		s->tended_s = s->clock_s;
	}
	/* Node i begins with i + 1, so that they do not all begin with 0. */
	for (uint32_t k = 1; k < x->nodes; k++) {
		struct outlet *o = &s->outlet[(x->me + k) % x->nodes];

		if (o->state == OUTLET_LEAVING &&
		    o->heard_s + s->en->lost_s < s->clock_s)
			give_up(o);
		if (o->state != OUTLET_OPEN)
			continue;
		if (waits(s, o)) {
			o->heard_s = s->clock_s;
			continue;
		}
		if (o->heard_s + s->en->lost_s < s->clock_s) {
			if (!o->stored)
				return too_late(s, o, e);
			give_up(o);
			continue;
		}
		if (holds(s, o))
			continue;
		if (o->next_s <= s->clock_s) {
			if (!has_turn(s, o))
				continue;
			if (call(s, o, e) == -1)
				return -1;
		}
		if (o->next_s - s->clock_s < *wait_s)
			*wait_s = o->next_s - s->clock_s;
	}
	atomic_store(&s->en->reached, reached(s));
	return 0;
}

/* Once more without having heard anything in between. */
static int
count_fruitless(struct sending *s, struct outlet *o, struct hp_err *e)
{
	if (++o->fruitless < FRUITLESS_MOST)
		return 0;
	return engine_lost(s->en, &s->failure, o->rank, UNREACHED_BROKEN,
	    "no connection to it holds", e);
}

static void
tell(const struct sending *s, const struct outlet *o, const struct handshake *g,
    uint64_t again)
{
	double after_s = s->clock_s - o->lost_s;
	char text[256];

	/* Nothing broke where a call from before takes the place of another. */
	if (g->since_s < o->lost_s ||
	    (channel_is_open(&o->channel) && !o->suspected))
		return;
	if (o->why == NULL && after_s < NOTICE_S)
		return;
	snprintf(text, sizeof text,
	    "%s: %s; connected again after %.1f s, %" PRIu64
	    " bytes are sent again",
	    o->name, o->why != NULL ? o->why : "was silent", after_s, again);
	engine_notice(s->en, text);
}

/*
 * The frames behind those that the receiver has: from the window, or from the
 * file, where they were sent by the process before this one, whose frames may
 * have been others, or where the receiver has less than it once had.
 */
static int
resume(struct sending *s, struct outlet *o, const struct hello *h,
    uint64_t *again, struct hp_err *e)
{
	bool ended = (h->flags & HELLO_ENDED) != 0, inside;
	bool mine = !s->en->spool.resumed || o->answered > 0;
	struct frame_totals had = { h->frames - ended, h->records, h->bytes };

	if (mine && window_resume(&o->window, h->frames, again) == 0)
		return 0;
	if (s->en->x->path == NULL || h->frames < ended ||
	    (mine && h->frames > o->window.next))
		return hp_fail(e, HP_INPUT,
		    "%s: asks for frame %" PRIu64 " of %" PRIu64 " to %" PRIu64,
		    o->name, h->frames, o->window.first, o->window.next);
	*again = mine ? o->totals.bytes - had.bytes : 0;
	if (parts_seek(
		&s->parts, o->rank, had.records, had.bytes, &inside, e) == -1)
		return -1;
	outlet_rewind(o, &had, inside, ended);
	return 0;
}

/* The call is the connection from now on. */
static int
adopt(struct sending *s, struct outlet *o, struct handshake *g,
    const struct hello *h, struct hp_err *e)
{
	uint64_t again;

	if (resume(s, o, h, &again, e) == -1)
		return -1;
	if (o->answered > 0)
		tell(s, o, g, again);
	outlet_hang_up(o);
	o->channel = handshake_take(g);
	o->answered = g->attempt;
	o->why = NULL;
	o->suspected = false;
	o->heard_s = o->wrote_s = s->clock_s;
	retrypolicy_connected(&o->retry);
	for (int k = 0; k < OUTLET_ATTEMPTS; k++)
		if (o->attempt[k].attempt < o->answered)
			handshake_close(&o->attempt[k]);
	if (count_fruitless(s, o, e) == -1)
		return -1;
	o->next_s = s->clock_s + o->fruitless * HASTE_S;
	if (o->next_s > s->clock_s + AGAIN_S)
		o->next_s = s->clock_s + AGAIN_S;
	return 0;
}

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
	/* The version has no checksum that all versions know. */
	if (v == VERDICT_VERSION && o->invalid++ == 0)
		return fail(s, o, g, verdict_text(v), e);
	if (v != VERDICT_WELCOME) {
		snprintf(text, sizeof text, "refused us: %s", verdict_text(v));
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
connect_answer(
    struct sending *s, struct outlet *o, struct handshake *g, struct hp_err *e)
{
	struct hello h;

	errno = 0;
	switch (handshake_read(g, &h)) {
	case HANDSHAKE_WAITS:
		return 0;
	case HANDSHAKE_LOST:
		return left(s, o, g, e);
	case HANDSHAKE_INVALID:
		if (count_fruitless(s, o, e) == -1)
			return -1;
		return invalid(s, o, g, e);
	case HANDSHAKE_HELLO:
		break;
	}
	return answered(s, o, g, &h, e);
}
