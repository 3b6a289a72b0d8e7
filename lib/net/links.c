#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "net/engine.h"

enum {
	NOTES_MOST = 64 /* a turn: a peer that chatters holds up nobody */
};

static const double LINGER_S = 1; /* of a node that failed early */

static const char *
name_of(const struct engine *en, uint32_t rank)
{
	return en->x->node[rank].name;
}

static int
give_up(struct engine *en, uint32_t rank, const char *why, struct hp_err *e)
{
	en->blamed = rank;
	snprintf(en->why, sizeof en->why, "%s", why);
	return hp_fail(e, HP_LOST, "%s: %s", name_of(en, rank), why);
}

/* What a node wrote as its last note. */
static int
heed_quit(struct engine *en, const struct outlet *o, const struct note *note,
    struct hp_err *e)
{
	if (note->value == en->x->me) {
		en->blamed = o->rank;
		snprintf(en->why, sizeof en->why, "gave up");
		return hp_fail(
		    e, HP_LOST, "%s: gave up on us: %s", o->name, note->text);
	}
	return give_up(en,
	    note->value < en->x->nodes ? (uint32_t)note->value : o->rank,
	    note->text, e);
}

static int
heed_refusal(const struct outlet *o, const struct note *note, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT, "%s: refused us: %s", o->name,
	    verdict_text((enum verdict)note->value));
}

int
links_lost(struct engine *en, uint32_t rank, const char *how, struct hp_err *e)
{
	struct outlet *o = &en->outlet[rank];
	struct note note;
	int event = OUTLET_HEARD;

	for (int i = 0; i < NOTES_MOST && event == OUTLET_HEARD; i++)
		event = outlet_read(o, &en->mine, &note, e);
	if (event == OUTLET_QUIT)
		return heed_quit(en, o, &note, e);
	if (event == OUTLET_REFUSED)
		return heed_refusal(o, &note, e);
	return give_up(en, rank, how, e);
}

/* Nodes that were dialed and have not let us in yet. */
static uint32_t
logins(const struct engine *en)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < en->x->nodes; i++)
		n += en->outlet[i].state == OUTLET_GREETING;
	return n;
}

int
links_dial(struct engine *en, struct hp_err *e)
{
	const struct exchange *x = en->x;
	uint32_t most = x->transport->logins;
	uint32_t room = most > 0 ? most - logins(en) : x->nodes;
	struct channel c;
	int rc, apart = 0;

	/* Node i begins with i + 1, so that they do not all begin with 0. */
	for (uint32_t k = 1; k < x->nodes; k++) {
		struct outlet *o = &en->outlet[(x->me + k) % x->nodes];

		if (o->state != OUTLET_APART)
			continue;
		apart++;
		if (room == 0)
			continue;
		rc = x->transport->dial(&en->door, &x->node[o->rank], &c, e);
		if (rc == -1)
			return -1;
		if (rc == 0)
			continue;
		if (outlet_greet(o, c, &en->mine) == -1)
			return links_lost(
			    en, o->rank, channel_why(&o->channel), e);
		o->heard_s = o->wrote_s = en->clock_s;
		apart--;
		room--;
	}
	return apart;
}

int
links_greet(struct engine *en, struct hp_err *e)
{
	struct guest *seat;
	struct channel c;
	int rc;

	while ((seat = lobby_seat(&en->lobby, en->clock_s)) != NULL) {
		if ((rc = en->x->transport->accept(&en->door, &c, e)) != 1)
			return rc;
		if (channel_is_open(&seat->channel))
			en->x->notice("too many connections that say nothing: "
				      "closed the oldest");
		guest_leave(seat);
		*seat = (struct guest){ .channel = c, .since_s = en->clock_s };
	}
	return 0;
}

int
links_door_fd(struct engine *en)
{
	en->crowded = lobby_seat(&en->lobby, en->clock_s) == NULL;
	return en->crowded ? -1 : en->x->transport->poll_fd(&en->door);
}

/* Once all are here, nobody else has business here. */
static void
shut_when_full(struct engine *en)
{
	for (uint32_t i = 0; i < en->x->nodes; i++)
		if (i != en->x->me && en->inlet[i].state == INLET_APART)
			return;
	lobby_close(&en->lobby);
	en->x->transport->shut(&en->door);
}

void
links_guest(struct engine *en, struct guest *g, const struct pollfd *p)
{
	struct hello h;
	struct inlet *in;
	enum guest_event event;
	enum verdict v;
	char text[256];
	struct channel c;

	/* Who left, or came, since the poll has not spoken. */
	if (!channel_is_open(&g->channel) || g->channel.fd != p->fd ||
	    channel_polled(&g->channel, p) == 0)
		return;
	event = guest_read(g, &h);
	if (event == GUEST_WAITS)
		return;
	if (event == GUEST_STRANGER) {
		snprintf(text, sizeof text, "refused %s: %s",
		    channel_peer(&g->channel),
		    g->have == HELLO_SIZE ? "not from an hpexchange"
					  : channel_why(&g->channel));
		guest_leave(g);
		en->x->notice(text);
		return;
	}
	v = hello_judge(&h, &en->mine);
	if (v == VERDICT_WELCOME && en->inlet[h.from].state != INLET_APART)
		v = VERDICT_TWICE;
	c = guest_answer(g, &en->mine, h.from, v);
	if (v != VERDICT_WELCOME) {
		snprintf(text, sizeof text, "refused node %" PRIu32 ": %s",
		    h.from, verdict_text(v));
		en->x->notice(text);
	}
	if (!channel_is_open(&c))
		return;
	in = &en->inlet[h.from];
	in->channel = c;
	in->state = INLET_OPEN;
	in->heard_s = in->told_s = en->clock_s;
	shut_when_full(en);
}

int
links_notes(struct engine *en, struct outlet *o, struct hp_err *e)
{
	struct note note;

	for (int i = 0; i < NOTES_MOST; i++) {
		switch (outlet_read(o, &en->mine, &note, e)) {
		case OUTLET_NOTHING:
		case OUTLET_ALL:
			return 0;
		case OUTLET_HEARD:
			o->heard_s = en->clock_s;
			break;
		case OUTLET_REFUSED:
			return heed_refusal(o, &note, e);
		case OUTLET_QUIT:
			return heed_quit(en, o, &note, e);
		case OUTLET_EOF:
			return give_up(
			    en, o->rank, channel_why(&o->channel), e);
		default:
			return -1;
		}
	}
	return 0;
}

int
links_flush(struct engine *en, struct inlet *in, struct hp_err *e)
{
	if (inlet_flush(in) == -1)
		return links_lost(en, in->rank, channel_why(&in->channel), e);
	return 0;
}

static int
silent(struct engine *en, uint32_t rank, bool connected, struct hp_err *e)
{
	char how[64];

	snprintf(how, sizeof how,
	    connected ? "silent for %g s" : "not there after %g s",
	    en->x->options.timeout_s);
	return links_lost(en, rank, how, e);
}

static int
beat_outlet(struct engine *en, struct outlet *o, struct hp_err *e)
{
	double late_s = en->clock_s - en->x->options.timeout_s;

	if (o->state == OUTLET_STORED)
		return 0;
	if ((o->state == OUTLET_APART ? 0 : o->heard_s) < late_s)
		return silent(en, o->rank, o->state != OUTLET_APART, e);
	if (o->state == OUTLET_OPEN && outlet_room(o) &&
	    o->wrote_s + en->beat_s <= en->clock_s)
		outlet_beat(o);
	return 0;
}

static int
beat_inlet(struct engine *en, struct inlet *in, struct hp_err *e)
{
	double late_s = en->clock_s - en->x->options.timeout_s;

	if (in->state == INLET_CLOSED)
		return 0;
	if (in->state == INLET_APART)
		return late_s > 0 ? silent(en, in->rank, false, e) : 0;
	/* While we do not read, the sender may be as silent as it likes. */
	if (!inlet_room(in))
		in->heard_s = en->clock_s;
	if (in->heard_s < late_s)
		return silent(en, in->rank, true, e);
	if (in->told_s + en->beat_s > en->clock_s)
		return 0;
	in->told_s = en->clock_s;
	if (in->out_len == 0)
		inlet_note(in, NOTE_ALIVE, in->totals.frames, "");
	return links_flush(en, in, e);
}

int
links_beat(struct engine *en, struct hp_err *e)
{
	char text[128];

	for (uint32_t i = 0; i < en->x->nodes; i++)
		if (i != en->x->me &&
		    (beat_outlet(en, &en->outlet[i], e) == -1 ||
			beat_inlet(en, &en->inlet[i], e) == -1))
			return -1;
	for (int i = 0; i < LOBBY_MAX; i++) {
		struct guest *g = &en->lobby.guest[i];

		if (!channel_is_open(&g->channel) ||
		    g->since_s + en->x->options.timeout_s > en->clock_s)
			continue;
		snprintf(text, sizeof text, "refused %s: said nothing",
		    channel_peer(&g->channel));
		guest_leave(g);
		en->x->notice(text);
	}
	return 0;
}

/* A last note to all who are connected.  Returns how many are not. */
static uint32_t
tell_quit(struct engine *en)
{
	uint32_t apart = 0;

	for (uint32_t i = 0; i < en->x->nodes; i++) {
		struct inlet *in = &en->inlet[i];

		if (i == en->x->me || in->state == INLET_CLOSED)
			continue;
		if (in->state == INLET_APART) {
			apart++;
			continue;
		}
		inlet_note(in, NOTE_QUIT, en->blamed, en->why);
		inlet_flush(in);
		inlet_close(in);
	}
	return apart;
}

void
links_quit(struct engine *en, const struct hp_err *e)
{
	struct pollfd set[1 + LOBBY_MAX];
	struct hp_err ignored;
	double end_s = clock_now_s() + LINGER_S, left_s;

	if (en->blamed == en->x->me)
		snprintf(en->why, sizeof en->why, "%.160s%s%s", e->text,
		    e->errnum != 0 ? ": " : "",
		    e->errnum != 0 ? strerror(e->errnum) : "");
	/* Those who are only just coming would wait for us in vain. */
	while (tell_quit(en) > 0 && (left_s = end_s - clock_now_s()) > 0) {
		set[0].fd = links_door_fd(en);
		set[0].events = POLLIN;
		for (int i = 0; i < LOBBY_MAX; i++)
			if (channel_watch(&en->lobby.guest[i].channel,
				set + 1 + i, true, false))
				left_s = 0;
		if (poll(set, 1 + LOBBY_MAX, (int)(left_s * 1000)) == -1)
			return;
		for (int i = 0; i < LOBBY_MAX; i++)
			links_guest(en, &en->lobby.guest[i], set + 1 + i);
		if (set[0].revents != 0 && links_greet(en, &ignored) == -1)
			return;
	}
}
