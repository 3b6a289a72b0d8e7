#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "net/accept.h"
#include "net/pollset.h"

/*
 * Refuses and closes a connection from a process that is no node of the
 * exchange.
 */
static void
refuse(struct receiving *r, struct handshake *g, const char *why)
{
	char text[256];

	snprintf(text, sizeof text, "refused %s: %s", channel_peer(&g->channel),
	    why);
	handshake_close(g);
	engine_notice(r->en, text);
}

int
accept_new(struct receiving *r, struct hp_err *e)
{
	struct handshake *slot;
	struct channel c;
	int rc;

	while ((slot = backlog_slot(&r->backlog, r->clock_s)) != NULL) {
		rc = r->en->x->transport->accept(&r->en->endpoint, &c, e);
		if (rc != 1)
			return rc;
		if (channel_is_open(&slot->channel))
			engine_notice(r->en,
			    "too many connections without a "
			    "hello: closed the oldest");
		handshake_close(slot);
		*slot = (struct handshake){ .channel = c,
			.since_s = r->clock_s };
	}
	return 0;
}

int
accept_fd(struct receiving *r)
{
	r->backlog_full = backlog_slot(&r->backlog, r->clock_s) == NULL;
	return r->backlog_full ? -1 : r->en->endpoint.fd;
}

/*
 * Decides how to answer a sender's hello. A sender may connect again at any
 * time. If several connection attempts of one sender arrive together, only the
 * latest counts.
 */
static enum verdict
judge(const struct receiving *r, const struct hello *h)
{
	enum verdict v = hello_judge(h, &r->en->mine);
	const struct inlet *i;

	if (v != VERDICT_WELCOME)
		return v;
	i = &r->inlet[h->from];
	if (i->run != 0 && i->run != h->run)
		return VERDICT_TWICE;
	return i->run != 0 && h->attempt <= i->attempt ? VERDICT_LATE : v;
}

static void
admit(struct receiving *r, struct handshake *g, const struct hello *h)
{
	struct hello answer = r->en->mine;
	struct inlet *i = &r->inlet[h->from];

	answer.verdict = VERDICT_WELCOME;
	answer.to = h->from;
	answer.attempt = h->attempt;
	answer.frames = inlet_next(i);
	answer.records = i->totals.records;
	answer.bytes = i->totals.bytes;
	if (i->state >= INLET_ENDED)
		answer.flags |= HELLO_ENDED;
	if (handshake_send(g, &answer) == -1) {
		handshake_close(g);
		return;
	}
	i->run = h->run;
	i->attempt = h->attempt;
	i->restarts = (h->flags & HELLO_RESTARTS) != 0;
	inlet_connect(i, handshake_take(g));
	i->heard_s = r->clock_s;
}

static void
reject(struct receiving *r, struct handshake *g, const struct hello *h,
    enum verdict v)
{
	struct hello answer = r->en->mine;
	char text[128];

	answer.verdict = v;
	answer.to = h->from;
	answer.attempt = h->attempt;
	handshake_send(g, &answer);
	handshake_close(g);
	if (v == VERDICT_LATE)
		return;
	snprintf(text, sizeof text, "refused node %" PRIu32 ": %s", h->from,
	    verdict_text(v));
	engine_notice(r->en, text);
}

void
accept_hello(struct receiving *r, struct handshake *g, const struct pollfd *p)
{
	struct hello h;
	enum verdict v;

	/*
	 * After poll(2) returned, the poll loop may have closed this
	 * connection, or reused its slot for another connection.
	 */
	if (!channel_is_open(&g->channel) || g->channel.fd != p->fd ||
	    channel_polled(&g->channel, p) == 0)
		return;
	errno = 0;
	switch (handshake_read(g, &h)) {
	case HANDSHAKE_WAITS:
		return;
	case HANDSHAKE_LOST:
		/*
		 * It is no error if the connection has ended. While this
		 * process was stopped, the sender may have closed many
		 * connection attempts.
		 */
		if (errno == EACCES)
			refuse(r, g, channel_why(&g->channel));
		handshake_close(g);
		return;
	case HANDSHAKE_INVALID:
		refuse(r, g, "the process is not hpexchange");
		return;
	case HANDSHAKE_HELLO:
		break;
	}
	v = judge(r, &h);
	if (v == VERDICT_WELCOME)
		admit(r, g, &h);
	else
		reject(r, g, &h, v);
}

void
accept_expire(struct receiving *r)
{
	for (size_t i = 0; i < r->backlog.n; i++) {
		struct handshake *g = &r->backlog.slot[i];

		if (!channel_is_open(&g->channel) ||
		    g->since_s + r->en->x->options.timeout_s > r->clock_s)
			continue;
		refuse(r, g, "sent no hello");
	}
}

/*
 * Sends a last note to all connected senders: this node gives up. Returns the
 * number of senders that are not connected.
 */
static uint32_t
tell_quit(struct receiving *r, const struct failure *b)
{
	uint32_t apart = 0;

	for (uint32_t i = 0; i < r->en->x->nodes; i++) {
		struct inlet *in = &r->inlet[i];

		if (i == r->en->x->me || in->state == INLET_CLOSED)
			continue;
		if (!channel_is_open(&in->channel)) {
			apart++;
			continue;
		}
		inlet_note(in, NOTE_QUIT, b->rank | (b->final ? QUIT_FINAL : 0),
		    b->why);
		inlet_flush(in);
		inlet_hang_up(in);
		in->state = INLET_CLOSED;
	}
	return apart;
}

void
accept_abort(struct receiving *r, const struct failure *b)
{
	size_t n = r->backlog.n;
	struct pollfd *set = calloc(2 * (1 + n), sizeof *set);
	struct hp_err ignored;
	double end_s = r->en->endpoint.end_s, left_s;

	/*
	 * Tell the reason for the failure also to senders that are connecting
	 * now. Otherwise they would wait until their timeout.
	 */
	while (tell_quit(r, b) > 0 && set != NULL &&
	    (left_s = end_s - clock_now_s()) > 0) {
		set[0] = (struct pollfd){ .fd = accept_fd(r),
			.events = POLLIN };
		for (size_t i = 0; i < n; i++)
			if (channel_watch(&r->backlog.slot[i].channel,
				set + 1 + i, true, false))
				left_s = 0;
		if (pollset_wait(set, 1 + n, set + 1 + n,
			(int)(left_s * 1000) + 1) == -1)
			break;
		for (size_t i = 0; i < n; i++)
			accept_hello(r, &r->backlog.slot[i], set + 1 + i);
		if (set[0].revents != 0 && accept_new(r, &ignored) == -1)
			break;
	}
	free(set);
}
