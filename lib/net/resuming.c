#include <stdlib.h>

#include "net/receiving.h"

static bool
keeps(const struct receiving *r, const struct inlet *i)
{
	return r->ledger != NULL && i->rank != r->en->x->me;
}

/* What a sender had sent to the process before. */
static int
take_up(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	struct ledger *l = &r->ledger[i->rank];
	struct ledger_state s;
	uint64_t bytes = UINT64_MAX; /* where it has its name */
	char *path;
	int rc;

	if (!r->en->done && sink_file(&r->sink, i->rank, &bytes, e) == -1)
		return -1;
	if ((path = keep_path(&r->en->keep, "ledger", i->rank)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", r->en->keep.path);
	rc = ledger_open(l, path, i->rank, r->en->x->me, bytes, &s, e);
	free(path);
	if (rc == -1)
		return -1;
	i->run = s.hello.run;
	i->call = s.hello.call;
	i->returns = i->run != 0 && (s.hello.flags & HELLO_RETURNS) != 0;
	i->totals = s.totals;
	i->told = s.totals.frames;
	i->inside = s.inside;
	if (l->ended)
		i->state = l->left ? INLET_CLOSED : INLET_ENDED;
	if (r->en->done) {
		i->state = resuming_owes(r, i) ? INLET_TOLD : INLET_CLOSED;
		return 0;
	}
	return sink_resume(&r->sink, i->rank, i->totals.bytes, e);
}

int
resuming_open(struct receiving *r, struct hp_err *e)
{
	const struct exchange *x = r->en->x;

	if (x->keep == NULL)
		return 0;
	r->told = r->en->done;
	r->ledger = calloc(x->nodes, sizeof *r->ledger);
	if (r->ledger == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	for (uint32_t i = 0; i < x->nodes; i++)
		r->ledger[i] = LEDGER_NONE;
	if (parcel_init(&r->room, e) == -1)
		return -1;
	for (uint32_t i = 0; i < x->nodes; i++)
		if (i != x->me && take_up(r, &r->inlet[i], e) == -1)
			return -1;
	/* What is ours is not sent: it is begun anew. */
	if (!r->en->done)
		return sink_resume(&r->sink, x->me, 0, e);
	r->inlet[x->me].state = INLET_CLOSED;
	return 0;
}

void
resuming_close(struct receiving *r)
{
	for (uint32_t i = 0; r->ledger != NULL && i < r->en->x->nodes; i++)
		ledger_close(&r->ledger[i]);
	free(r->ledger);
	parcel_fini(&r->room);
}

/* Who it was that sent the first. */
static int
begin(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	struct hello h = r->en->mine;

	h.from = i->rank;
	h.to = r->en->x->me;
	h.run = i->run;
	h.call = i->call;
	h.flags = i->returns ? HELLO_RETURNS : 0;
	return ledger_begin(&r->ledger[i->rank], &h, e);
}

int
resuming_stored(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	if (!keeps(r, i))
		return 0;
	if (begin(r, i, e) == -1)
		return -1;
	return ledger_add(&r->ledger[i->rank], i->parcel.bytes, e);
}

int
resuming_ended(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	if (!keeps(r, i))
		return 0;
	if (begin(r, i, e) == -1)
		return -1;
	return ledger_end(&r->ledger[i->rank], &i->totals, e);
}

int
resuming_left(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	return keeps(r, i) ? ledger_leave(&r->ledger[i->rank], inlet_next(i), e)
			   : 0;
}

bool
resuming_owes(const struct receiving *r, const struct inlet *i)
{
	return keeps(r, i) && i->returns && !r->ledger[i->rank].left;
}

int
resuming_verify(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	uint64_t bytes;
	int part;

	if (!keeps(r, i) || r->en->done ||
	    r->ledger[i->rank].seen_at >= r->ledger[i->rank].old_at)
		return 0;
	part = sink_file(&r->sink, i->rank, &bytes, e);
	return part == -1
	    ? -1
	    : ledger_verify(&r->ledger[i->rank], part, &r->room, e);
}
