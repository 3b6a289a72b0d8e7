#include <stdio.h>
#include <stdlib.h>

#include "link/loginorder.h"
#include "net/accept.h"
#include "net/arrival.h"
#include "net/resume.h"

/* Places in the poll(2) set. */
enum {
	AT_LISTENER,
	AT_LOCAL,
	AT_BACKLOG,
	/* the places of the nodes are behind the backlog */
	A_NODE = 2 /* connection and sink */
};

/*
 * Delay in seconds before this node checks again whether FIFOs have a reader:
 * the first delay, which grows each time, and the longest.
 */
static const double NAP_S = 0.001, NAP_MOST_S = 0.05;
/*
 * Seconds to wait for the last message (the bye) of a sender whose connection
 * has broken, if the sender keeps no spool directory. Such a sender is never
 * started again.
 */
static const double LINGER_S = 3;

size_t
receiving_fds(const struct receiving *r)
{
	return AT_BACKLOG + r->backlog.n + A_NODE * (size_t)r->en->x->nodes;
}

int
receiving_open(struct receiving *r, struct engine *en, struct hp_err *e)
{
	const struct exchange *x = en->x;

	*r = (struct receiving){ .en = en, .failure = { .rank = x->me } };
	if (backlog_open(&r->backlog, x->nodes, e) == -1)
		return -1;
	r->inlet = calloc(x->nodes, sizeof *r->inlet);
	if (r->inlet == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	for (uint32_t i = 0; i < x->nodes; i++)
		r->inlet[i].channel = CHANNEL_NONE;
	for (uint32_t i = 0; i < x->nodes; i++)
		if (inlet_init(&r->inlet[i], i, x->node[i].name, e) == -1)
			return -1;
	if (!en->done &&
	    sink_open(&r->sink, x->prefix, x->spool != NULL ? &en->spool : NULL,
		false, x->nodes, e) == -1)
		return -1;
	return resume_open(r, e);
}

void
receiving_close(struct receiving *r)
{
	for (uint32_t i = 0; r->inlet != NULL && i < r->en->x->nodes; i++)
		inlet_fini(&r->inlet[i]);
	free(r->inlet);
	resume_close(r);
	backlog_close(&r->backlog);
	sink_close(&r->sink);
}

/*
 * Returns whether other nodes may wait for the `passed` note of this node
 * before they log in.
 */
static bool
logins_matter(const struct receiving *r)
{
	uint32_t logins = r->en->x->transport->logins_most;

	return logins > 0 && r->en->x->nodes > logins;
}

static void
tell_passed(struct receiving *r, struct inlet *i)
{
	uint32_t passed = atomic_load(&r->en->passed);

	if (i->passed < passed && inlet_note(i, NOTE_PASSED, passed, "")) {
		i->passed = passed;
		arrival_flush(r, i);
	}
}

/* Tells the senders that all their data are stored. */
static void
acknowledge(struct receiving *r)
{
	r->told = true;
	for (uint32_t i = 0; i < r->en->x->nodes; i++) {
		struct inlet *in = &r->inlet[i];

		if (in->state == INLET_CLOSED) /* said bye before a restart */
			continue;
		in->state = i == r->en->x->me ? INLET_CLOSED : INLET_TOLD;
		in->told_s = r->clock_s;
		inlet_note(in, NOTE_STORED, inlet_next(in), "");
	}
}

/* Completes the output of each sender whose frames have all arrived. */
static int
settle(struct receiving *r, double *wait_s, struct hp_err *e)
{
	bool all = true;
	int more;

	for (uint32_t i = 0; i < r->en->x->nodes; i++) {
		struct inlet *in = &r->inlet[i];

		if ((more = resume_verify(r, in, e)) == -1)
			return -1;
		if (more == 1)
			*wait_s = 0;
		else if (in->state == INLET_ENDED &&
		    sink_end(&r->sink, i) == 1) {
			if (resume_ended(r, in, e) == -1)
				return -1;
			in->state = INLET_SETTLED;
		}
		all = all && more == 0 && in->state >= INLET_SETTLED;
	}
	/*
	 * Acknowledge the data only after this node has finished its logins at
	 * all machines. Until then, it tells other nodes its progress with
	 * NOTE_PASSED messages. None of these may follow the acknowledgement
	 * NOTE_STORED.
	 */
	all = all &&
	    (!logins_matter(r) || atomic_load(&r->en->passed) == PASSED_ALL);
	if (all && !r->told)
		acknowledge(r);
	return 0;
}

/*
 * Tries again to open the FIFOs that had no reader. The delay between two tries
 * grows.
 */
static int
look(struct receiving *r, double *wait_s, struct hp_err *e)
{
	int readers;

	if (r->look_s <= r->clock_s) {
		if ((readers = sink_retry(&r->sink, e)) == -1)
			return -1;
		r->nap_s = readers < r->readers ? 0 : r->nap_s * 2;
		r->nap_s += NAP_S;
		if (r->nap_s > NAP_MOST_S)
			r->nap_s = NAP_MOST_S;
		r->readers = readers;
		r->look_s = r->clock_s + r->nap_s;
	}
	if ((r->readers > 0 || r->backlog_full) && r->nap_s < *wait_s)
		*wait_s = r->nap_s;
	return 0;
}

/* Fails because the sender was silent for too long. */
static int
too_late(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	const char *how = i->run == 0 ? "not connected after"
	    : i->why == NULL	      ? "silent for"
				      : "and did not come back for";
	char text[NOTE_TEXT];

	snprintf(text, sizeof text, "%s%s%s %g s", i->why != NULL ? i->why : "",
	    i->why != NULL ? " " : "", how, r->en->x->options.timeout_s);
	return engine_lost(
	    r->en, &r->failure, i->rank, inlet_unreached(i), text, e);
}

/*
 * Waits a limited time for the last message of the sender (the bye), then
 * closes the connection. The bye says that the sender has recorded that all its
 * data are stored. Even if the sender is restarted, it does not ask again.
 */
static void
let_go(struct receiving *r, struct inlet *i)
{
	double timeout_s = r->en->x->options.timeout_s, until_s;

	if (channel_is_open(&i->channel))
		until_s = i->told_s + timeout_s;
	else if (i->why != NULL)
		until_s = i->heard_s + (i->restarts ? timeout_s : LINGER_S);
	else /* only a killed process was connected */
		until_s = i->told_s + (i->restarts ? 2 * timeout_s : LINGER_S);
	if (until_s < r->clock_s) {
		inlet_hang_up(i);
		i->state = INLET_CLOSED;
	}
}

/* Sends a heartbeat to one sender and checks its timeout, if these are due. */
static int
beat(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	if (i->state == INLET_CLOSED)
		return 0;
	if (logins_matter(r) && i->state < INLET_TOLD)
		tell_passed(r, i);
	if (i->state == INLET_TOLD) {
		arrival_flush(r, i);
		let_go(r, i);
		return 0;
	}
	/*
	 * While the inlet has no room, this node does not read the connection.
	 * So the sender's silence does not count.
	 */
	if (channel_is_open(&i->channel) && !inlet_room(i))
		i->heard_s = r->clock_s;
	/*
	 * i->run is 0: the sender has never connected to this node. This
	 * process also connects to that peer, to send to it, and there finds a
	 * better reason than silence. So the peer's silence does not count
	 * until this process has reached all peers.
	 */
	if (i->run == 0 && !atomic_load(&r->en->reached))
		i->heard_s = r->clock_s;
	if (i->heard_s + r->en->lost_s < r->clock_s)
		return too_late(r, i, e);
	if (i->told_s + r->en->beat_s <= r->clock_s) {
		i->told_s = r->clock_s;
		inlet_tell(i);
		arrival_flush(r, i);
	}
	return 0;
}

static void
watch(struct pollfd *p, int fd, short events)
{
	*p = (struct pollfd){ .fd = fd, .events = events };
}

int
receiving_turn(
    struct receiving *r, struct pollfd *set, double *wait_s, struct hp_err *e)
{
	bool now = false;

	if (arrival_local(r, e) == -1 || look(r, wait_s, e) == -1 ||
	    settle(r, wait_s, e) == -1)
		return -1;
	accept_expire(r);
	watch(set + AT_LISTENER, accept_fd(r), POLLIN);
	watch(set + AT_LOCAL,
	    inlet_room(&r->inlet[r->en->x->me]) ? r->en->local.to_consumer : -1,
	    POLLIN);
	for (size_t i = 0; i < r->backlog.n; i++)
		now |= channel_watch(&r->backlog.slot[i].channel,
		    set + AT_BACKLOG + i, true, false);
	set += AT_BACKLOG + r->backlog.n;
	for (uint32_t i = 0; i < r->en->x->nodes; i++, set += A_NODE) {
		struct inlet *in = &r->inlet[i];
		bool reads = inlet_room(in) || in->state != INLET_OPEN;

		if (i != r->en->x->me && beat(r, in, e) == -1)
			return -1;
		if (reads || in->out_len > 0)
			now |= channel_watch(
			    &in->channel, set, reads, in->out_len > 0);
		else
			watch(set, -1, 0);
		watch(set + 1, in->ready ? sink_poll_fd(&r->sink, i) : -1,
		    POLLOUT);
	}
	if (now)
		*wait_s = 0;
	return 0;
}

static int
serve_node(struct receiving *r, struct inlet *i, const struct pollfd *set,
    struct hp_err *e)
{
	short may = set->fd == -1 || !channel_is_open(&i->channel)
	    ? 0
	    : channel_polled(&i->channel, set);

	if ((may & POLLIN) != 0) {
		if (inlet_room(i) || i->state != INLET_OPEN) {
			if (arrival_read(r, i, e) == -1)
				return -1;
		} else
			arrival_lost(r, i, channel_why(&i->channel));
	}
	if ((may & POLLOUT) != 0)
		arrival_flush(r, i);
	if (set[1].revents != 0)
		return arrival_write(r, i, e);
	return 0;
}

int
receiving_serve(struct receiving *r, const struct pollfd *set, struct hp_err *e)
{
	const struct pollfd *node = set + AT_BACKLOG + r->backlog.n;

	if (set[AT_LOCAL].revents != 0)
		localqueue_clear(r->en->local.to_consumer);
	for (uint32_t i = 0; i < r->en->x->nodes; i++, node += A_NODE)
		if (serve_node(r, &r->inlet[i], node, e) == -1)
			return -1;
	/*
	 * Accept last, because an accepted connection replaces the old
	 * connection of an inlet.
	 */
	for (size_t i = 0; i < r->backlog.n; i++)
		accept_hello(r, &r->backlog.slot[i], set + AT_BACKLOG + i);
	if (set[AT_LISTENER].revents != 0)
		return accept_new(r, e);
	return 0;
}

bool
receiving_done(const struct receiving *r)
{
	for (uint32_t i = 0; i < r->en->x->nodes; i++)
		if (r->inlet[i].state != INLET_CLOSED)
			return false;
	return r->told;
}
