#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/engine.h"

/* Where in the set of poll(2) each descriptor stands; -1 is passed over. */
enum {
	AT_DOOR,
	AT_INPUT,
	AT_LOBBY,
	AT_NODES = AT_LOBBY + LOBBY_MAX /* outlets, inlets, sinks by rank */
};

static const double NAP_S = 0.001, NAP_MOST_S = 0.05;

static void
turn_clock(struct engine *en)
{
	double now_s = clock_now_s(), passed_s = now_s - en->looked_s;

	en->looked_s = now_s;
	en->clock_s += passed_s < en->beat_s ? passed_s : en->beat_s;
}

static void
watch(struct pollfd *p, int fd, bool in, bool out)
{
	p->fd = fd;
	p->events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
	p->revents = 0;
}

/* Returns whether something is to be done before anything happens. */
static bool
watch_all(struct engine *en, struct pollfd *set)
{
	uint32_t n = en->x->nodes;
	const struct framed *f = &en->framed;
	bool stream = en->x->path == NULL && f->state != FRAMED_DONE;
	bool now = false;

	watch(set + AT_DOOR, links_door_fd(en), true, false);
	watch(set + AT_INPUT, stream && !f->ready ? f->fd : -1, true, false);
	for (int i = 0; i < LOBBY_MAX; i++)
		now |= channel_watch(&en->lobby.guest[i].channel,
		    set + AT_LOBBY + i, true, false);
	set += AT_NODES;
	for (uint32_t i = 0; i < n; i++) {
		const struct outlet *o = &en->outlet[i];
		const struct inlet *in = &en->inlet[i];

		now |= channel_watch(
		    &o->channel, set + i, true, outlet_busy(o));
		now |= channel_watch(
		    &in->channel, set + n + i, inlet_room(in), in->out_len > 0);
		watch(set + 2 * n + i,
		    in->ready ? sink_poll_fd(&en->sink, i) : -1, false, true);
	}
	return now;
}

static int
serve_node(struct engine *en, uint32_t i, const struct pollfd *out,
    const struct pollfd *in, const struct pollfd *sink, struct hp_err *e)
{
	struct outlet *o = &en->outlet[i];
	struct inlet *from = &en->inlet[i];
	short may_out = channel_polled(&o->channel, out);
	short may_in = channel_polled(&from->channel, in);

	if (may_out != 0 && links_notes(en, o, e) == -1)
		return -1;
	if ((may_out & POLLOUT) != 0 && outlet_busy(o) &&
	    traffic_send(en, o, e) == -1)
		return -1;
	if ((may_in & POLLOUT) != 0 && links_flush(en, from, e) == -1)
		return -1;
	/* Who hangs up before the answer that all is stored is lost. */
	if ((may_in & POLLIN) != 0 && !inlet_room(from))
		return links_lost(en, i, channel_why(&from->channel), e);
	if ((may_in & POLLIN) != 0 && traffic_receive(en, from, e) == -1)
		return -1;
	if (sink->revents != 0 && traffic_drain(en, from, e) == -1)
		return -1;
	return 0;
}

static int
serve_all(struct engine *en, const struct pollfd *set, struct hp_err *e)
{
	uint32_t n = en->x->nodes;
	const struct pollfd *node = set + AT_NODES;

	if (set[AT_INPUT].revents != 0 && framed_read(&en->framed, e) == -1)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (serve_node(en, i, node + i, node + n + i, node + 2 * n + i,
			e) == -1)
			return -1;
	/* Last, because a guest that is let in changes what was watched. */
	for (int i = 0; i < LOBBY_MAX; i++)
		links_guest(en, &en->lobby.guest[i], set + AT_LOBBY + i);
	if (set[AT_DOOR].revents != 0)
		return links_greet(en, e);
	return 0;
}

/* For who was not there before; each time after a longer nap. */
static int
look(struct engine *en, struct hp_err *e)
{
	int nodes, readers;

	if (en->clock_s < en->look_s)
		return 0;
	if ((nodes = links_dial(en, e)) == -1 ||
	    (readers = sink_retry(&en->sink, e)) == -1)
		return -1;
	en->nap_s = nodes + readers < en->absent ? 0 : en->nap_s * 2;
	en->nap_s += NAP_S;
	if (en->nap_s > NAP_MOST_S)
		en->nap_s = NAP_MOST_S;
	en->absent = nodes + readers;
	en->look_s = en->clock_s + en->nap_s;
	return 0;
}

static int
patience_ms(const struct engine *en)
{
	double s = en->beat_s / 2;

	if ((en->absent > 0 || en->crowded) && en->nap_s < s)
		s = en->nap_s;
	return (int)(s * 1000) + 1;
}

static bool
finished(const struct engine *en)
{
	for (uint32_t i = 0; i < en->x->nodes; i++)
		if (en->inlet[i].state != INLET_CLOSED ||
		    (i != en->x->me && en->outlet[i].state != OUTLET_STORED))
			return false;
	return true;
}

static int
run(struct engine *en, struct pollfd *set, struct hp_err *e)
{
	nfds_t n = AT_NODES + 3 * (nfds_t)en->x->nodes;
	bool now;

	for (;;) {
		turn_clock(en);
		if (look(en, e) == -1 || traffic_fill(en, e) == -1 ||
		    traffic_settle(en, e) == -1)
			return -1;
		if (finished(en))
			return 0;
		now = watch_all(en, set);
		if (poll(set, n, now ? 0 : patience_ms(en)) == -1) {
			if (errno == EINTR)
				continue;
			return hp_fail_errno(e, HP_IO, "poll");
		}
		/*
		 * By the clock of before the poll: whoever was heard of since
		 * is not late.
		 */
		if (serve_all(en, set, e) == -1 || links_beat(en, e) == -1)
			return -1;
	}
}

static int
open_all(struct engine *en, struct hp_err *e)
{
	const struct exchange *x = en->x;
	const char **name = reallocarray(NULL, x->nodes, sizeof *name);

	en->outlet = calloc(x->nodes, sizeof *en->outlet);
	en->inlet = calloc(x->nodes, sizeof *en->inlet);
	if (en->outlet == NULL || en->inlet == NULL || name == NULL) {
		free(name);
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	}
	for (uint32_t i = 0; i < x->nodes; i++) {
		name[i] = x->node[i].name;
		en->outlet[i].channel = en->inlet[i].channel = CHANNEL_NONE;
	}
	en->mine = (struct hello){
		.version = HELLO_VERSION, .nodes = x->nodes, .from = x->me
	};
	cluster_digest(name, x->nodes, en->mine.cluster);
	free(name);
	for (uint32_t i = 0; i < x->nodes; i++)
		if (inlet_init(&en->inlet[i], i, x->node[i].name, e) == -1 ||
		    (i != x->me &&
			outlet_init(&en->outlet[i], x->me, i, x->node[i].name,
			    e) == -1))
			return -1;
	en->inlet[x->me].state = INLET_OPEN;
	if (parcel_init(&en->spare, e) == -1)
		return -1;
	if (x->path == NULL &&
	    framed_init(&en->framed, STDIN_FILENO, "standard input", x->me,
		x->nodes, e) == -1)
		return -1;
	if (x->path != NULL &&
	    parts_open(&en->parts, x->path, x->part, x->nparts, x->me, x->nodes,
		e) == -1)
		return -1;
	return sink_open(&en->sink, x->prefix, x->nodes, e);
}

static void
close_all(struct engine *en)
{
	for (uint32_t i = 0; i < en->x->nodes; i++) {
		if (en->outlet != NULL)
			outlet_fini(&en->outlet[i]);
		if (en->inlet != NULL)
			inlet_fini(&en->inlet[i]);
	}
	lobby_close(&en->lobby);
	en->x->transport->close(&en->door);
	sink_close(&en->sink);
	framed_fini(&en->framed);
	parts_close(&en->parts);
	parcel_fini(&en->spare);
	free(en->outlet);
	free(en->inlet);
}

int
exchange_run(
    const struct exchange *x, struct exchange_totals *totals, struct hp_err *e)
{
	struct engine en = { .x = x,
		.blamed = x->me,
		.beat_s = x->options.timeout_s / 4,
		.looked_s = clock_now_s() };
	struct pollfd *set = calloc(
	    AT_NODES + 3 * (size_t)x->nodes, sizeof *set);
	int rc = -1;

	*totals = (struct exchange_totals){ 0 };
	en.parts.fd = en.door.fd = en.door.dir = -1;
	lobby_init(&en.lobby);
	if (set == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
		goto out;
	}
	if (open_all(&en, e) == -1 ||
	    x->transport->open(
		&en.door, x->node, x->nodes, x->me, &x->options, e) == -1)
		goto out;
	if ((rc = run(&en, set, e)) == -1)
		links_quit(&en, e);
	for (uint32_t i = 0; i < x->nodes; i++) {
		totals->records += en.inlet[i].totals.records;
		totals->bytes += en.inlet[i].totals.bytes;
	}
out:
	close_all(&en);
	free(set);
	return rc;
}
