#include "net/engine.h"

static bool
room(const struct engine *en, uint32_t rank)
{
	if (rank == en->x->me)
		return inlet_room(&en->inlet[rank]);
	return outlet_room(&en->outlet[rank]);
}

static void
deliver(struct engine *en, uint32_t rank, struct parcel *p)
{
	if (rank == en->x->me)
		inlet_put(&en->inlet[rank], p);
	else
		outlet_put(&en->outlet[rank], p);
}

static void
end(struct engine *en, uint32_t rank)
{
	if (rank == en->x->me)
		en->inlet[rank].state = INLET_ENDED;
	else
		outlet_end(&en->outlet[rank]);
}

static int
fill_from_parts(struct engine *en, uint32_t rank, struct hp_err *e)
{
	int rc = parts_next(&en->parts, rank, &en->spare, e);

	if (rc == -1)
		return -1;
	if (rc == 1)
		deliver(en, rank, &en->spare);
	else
		end(en, rank);
	return 0;
}

int
traffic_fill(struct engine *en, struct hp_err *e)
{
	struct framed *f = &en->framed;
	uint32_t n = en->x->nodes;

	if (f->ready && room(en, f->parcel.frame.sublist)) {
		deliver(en, f->parcel.frame.sublist, &f->parcel);
		f->ready = false;
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t rank = (en->x->me + k) % n;

		if (!room(en, rank))
			continue;
		if (en->x->path == NULL && f->state == FRAMED_DONE)
			end(en, rank);
		else if (en->x->path != NULL &&
		    fill_from_parts(en, rank, e) == -1)
			return -1;
	}
	return 0;
}

int
traffic_send(struct engine *en, struct outlet *o, struct hp_err *e)
{
	ssize_t n = outlet_write(o);

	if (n == -1)
		return links_lost(en, o->rank, channel_why(&o->channel), e);
	if (n > 0)
		o->wrote_s = en->clock_s;
	return 0;
}

int
traffic_receive(struct engine *en, struct inlet *in, struct hp_err *e)
{
	switch (inlet_read(in, en->x->me, e)) {
	case -1:
		return -1;
	case PARCEL_EOF:
		return links_lost(en, in->rank, channel_why(&in->channel), e);
	default:
		in->heard_s = en->clock_s;
		return 0;
	}
}

int
traffic_drain(struct engine *en, struct inlet *in, struct hp_err *e)
{
	int rc = sink_put(&en->sink, in->rank, &in->parcel, e);

	if (rc == 1) {
		in->ready = false;
		parcel_clear(&in->parcel);
	}
	return rc == -1 ? -1 : 0;
}

/* All that came is in its place: the senders may go. */
static int
acknowledge(struct engine *en, struct hp_err *e)
{
	if (sink_commit(&en->sink, e) == -1)
		return -1;
	en->committed = true;
	for (uint32_t i = 0; i < en->x->nodes; i++)
		inlet_note(
		    &en->inlet[i], NOTE_STORED, en->inlet[i].totals.frames, "");
	return 0;
}

int
traffic_settle(struct engine *en, struct hp_err *e)
{
	bool all = true;

	for (uint32_t i = 0; i < en->x->nodes; i++) {
		struct inlet *in = &en->inlet[i];

		if (in->state == INLET_ENDED && !in->ready &&
		    sink_end(&en->sink, i) == 1)
			in->state = INLET_SETTLED;
		all = all && in->state >= INLET_SETTLED;
	}
	if (!all)
		return 0;
	if (!en->committed && acknowledge(en, e) == -1)
		return -1;
	for (uint32_t i = 0; i < en->x->nodes; i++) {
		struct inlet *in = &en->inlet[i];

		if (in->state == INLET_CLOSED)
			continue;
		if (links_flush(en, in, e) == -1)
			return -1;
		if (in->out_len == 0)
			inlet_close(in);
	}
	return 0;
}
