#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "net/receiving.h"

/* Who is nobody that we know. */
static void
put_out(struct receiving *r, struct greeting *g, const char *why)
{
	char text[256];

	snprintf(text, sizeof text, "refused %s: %s", channel_peer(&g->channel),
	    why);
	greeting_drop(g);
	engine_tell(r->en, text);
}

int
hosting_greet(struct receiving *r, struct hp_err *e)
{
	struct greeting *seat;
	struct channel c;
	int rc;

	while ((seat = lobby_seat(&r->lobby, r->clock_s)) != NULL) {
		rc = r->en->x->transport->accept(&r->en->endpoint, &c, e);
		if (rc != 1)
			return rc;
		if (channel_is_open(&seat->channel))
			engine_tell(r->en,
			    "too many connections that say "
			    "nothing: closed the oldest");
		greeting_drop(seat);
		*seat = (struct greeting){ .channel = c,
			.since_s = r->clock_s };
	}
	return 0;
}

int
hosting_fd(struct receiving *r)
{
	r->crowded = lobby_seat(&r->lobby, r->clock_s) == NULL;
	return r->crowded ? -1 : r->en->endpoint.fd;
}

/*
 * A process that was connected before may come again, over and over.  Of its
 * calls the last counts: it may have made several that came all at once.
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
	return i->run != 0 && h->call <= i->call ? VERDICT_LATE : v;
}

static void
let_in(struct receiving *r, struct greeting *g, const struct hello *h)
{
	struct hello answer = r->en->mine;
	struct inlet *i = &r->inlet[h->from];

	answer.verdict = VERDICT_WELCOME;
	answer.to = h->from;
	answer.call = h->call;
	answer.frames = inlet_next(i);
	answer.records = i->totals.records;
	answer.bytes = i->totals.bytes;
	if (i->state >= INLET_ENDED)
		answer.flags |= HELLO_ENDED;
	if (greeting_say(g, &answer) == -1) {
		greeting_drop(g);
		return;
	}
	i->run = h->run;
	i->call = h->call;
	i->returns = (h->flags & HELLO_RETURNS) != 0;
	inlet_connect(i, greeting_done(g));
	i->heard_s = r->clock_s;
}

static void
turn_away(struct receiving *r, struct greeting *g, const struct hello *h,
    enum verdict v)
{
	struct hello answer = r->en->mine;
	char text[128];

	answer.verdict = v;
	answer.to = h->from;
	answer.call = h->call;
	greeting_say(g, &answer);
	greeting_drop(g);
	if (v == VERDICT_LATE)
		return;
	snprintf(text, sizeof text, "refused node %" PRIu32 ": %s", h->from,
	    verdict_text(v));
	engine_tell(r->en, text);
}

void
hosting_hear(struct receiving *r, struct greeting *g, const struct pollfd *p)
{
	struct hello h;
	enum verdict v;

	/* Who left, or came, since the poll has not spoken. */
	if (!channel_is_open(&g->channel) || g->channel.fd != p->fd ||
	    channel_polled(&g->channel, p) == 0)
		return;
	errno = 0;
	switch (greeting_hear(g, &h)) {
	case GREETING_WAITS:
		return;
	case GREETING_LEFT:
		/*
		 * Who went away by itself is not refused: after a long stop
		 * of ours there are many whose senders gave up long ago.
		 */
		if (errno == EACCES)
			put_out(r, g, channel_why(&g->channel));
		greeting_drop(g);
		return;
	case GREETING_STRANGE:
		put_out(r, g, "not from an hpexchange");
		return;
	case GREETING_SPOKE:
		break;
	}
	v = judge(r, &h);
	if (v == VERDICT_WELCOME)
		let_in(r, g, &h);
	else
		turn_away(r, g, &h, v);
}

void
hosting_beat(struct receiving *r)
{
	for (int i = 0; i < LOBBY_MAX; i++) {
		struct greeting *g = &r->lobby.guest[i];

		if (!channel_is_open(&g->channel) ||
		    g->since_s + r->en->x->options.timeout_s > r->clock_s)
			continue;
		put_out(r, g, "said nothing");
	}
}

/* A last note to all who are connected.  Returns how many are not. */
static uint32_t
tell_quit(struct receiving *r, const struct blame *b)
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
hosting_quit(struct receiving *r, const struct blame *b)
{
	struct pollfd set[1 + LOBBY_MAX];
	struct hp_err ignored;
	double end_s = r->en->endpoint.end_s, left_s;

	/* Those who are only just coming would wait for us in vain. */
	while (tell_quit(r, b) > 0 && (left_s = end_s - clock_now_s()) > 0) {
		set[0] = (struct pollfd){ .fd = hosting_fd(r),
			.events = POLLIN };
		for (int i = 0; i < LOBBY_MAX; i++)
			if (channel_watch(&r->lobby.guest[i].channel,
				set + 1 + i, true, false))
				left_s = 0;
		if (poll(set, 1 + LOBBY_MAX, (int)(left_s * 1000) + 1) == -1)
			return;
		for (int i = 0; i < LOBBY_MAX; i++)
			hosting_hear(r, &r->lobby.guest[i], set + 1 + i);
		if (set[0].revents != 0 && hosting_greet(r, &ignored) == -1)
			return;
	}
}
