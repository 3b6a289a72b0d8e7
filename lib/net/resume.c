#include <stdlib.h>

#include "net/resume.h"

static bool
keeps(const struct receiving *r, const struct inlet *i)
{
	return r->log != NULL && i->rank != r->en->x->me;
}

/* Restores the session of a sender from its resume log. */
static int
restore(struct receiving *r, struct inlet *i, struct hp_err *e)
{
	struct resume_log *l = &r->log[i->rank];
	struct resumelog_state s;
	/*
	 * size in bytes of the output file for this sender; UINT64_MAX: the
	 * file was already renamed to its target
	 */
	uint64_t bytes = UINT64_MAX;
	char *path;
	int rc;

	if (!r->en->done && sink_file(&r->sink, i->rank, &bytes, e) == -1)
		return -1;
	if ((path = spool_path(&r->en->spool, "ledger", i->rank)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", r->en->spool.path);
	rc = resumelog_open(l, path, i->rank, r->en->x->me, bytes, &s, e);
	free(path);
	if (rc == -1)
		return -1;
	i->run = s.peer.run;
	i->attempt = s.peer.attempt;
	i->restarts = i->run != 0 && s.peer.restarts;
	i->totals = s.totals;
	i->told = s.totals.frames;
	i->inside = s.inside;
	if (l->ended)
		i->state = l->left ? INLET_CLOSED : INLET_ENDED;
	if (r->en->done) {
		i->state = resume_owes(r, i) ? INLET_TOLD : INLET_CLOSED;
		return 0;
	}
	return sink_resume(&r->sink, i->rank, i->totals.bytes, e);
}

int
resume_open(struct receiving *r, struct hp_err *e)
{
	const struct exchange *x = r->en->x;

	if (x->spool == NULL)
		return 0;
	r->told = r->en->done;
	r->log = calloc(x->nodes, sizeof *r->log);
	if (r->log == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	for (uint32_t i = 0; i < x->nodes; i++)
		r->log[i] = RESUMELOG_NONE;
	if (framebuf_init(&r->room, e) == -1)
		return -1;
	for (uint32_t i = 0; i < x->nodes; i++)
		if (i != x->me && restore(r, &r->inlet[i], e) == -1)
			return -1;
	/*
	 * The records that this node sends to itself have no log. Read all of
	 * them from the file again.
	 */
	if (!r->en->done)
		return sink_resume(&r->sink, x->me, 0, e);
	r->inlet[x->me].state = INLET_CLOSED;
	return 0;
}

void
resume_close(struct receiving *r)
{
	for (uint32_t i = 0; r->log != NULL && i < r->en->x->nodes; i++)
		resumelog_close(&r->log[i]);
	free(r->log);
	framebuf_fini(&r->room);
}

/*
 * Begins the resume log for a sender with a record that identifies the sender.
 * Called when the first frame or the end frame of the sender is stored.
 */
static int
begin(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	struct spool_record peer = { .nodes = r->en->x->nodes,
		.from = i->rank,
		.to = r->en->x->me,
		.attempt = i->attempt,
		.run = i->run,
		.restarts = i->restarts };

	return resumelog_begin(&r->log[i->rank], &peer, e);
}

int
resume_stored(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	if (!keeps(r, i))
		return 0;
	if (begin(r, i, e) == -1)
		return -1;
	return resumelog_add(&r->log[i->rank], i->buf.bytes, e);
}

int
resume_ended(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	if (!keeps(r, i))
		return 0;
	if (begin(r, i, e) == -1)
		return -1;
	return resumelog_end(&r->log[i->rank], &i->totals, e);
}

int
resume_bye(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	return keeps(r, i) ? resumelog_bye(&r->log[i->rank], inlet_next(i), e)
			   : 0;
}

bool
resume_owes(const struct receiving *r, const struct inlet *i)
{
	return keeps(r, i) && i->restarts && !r->log[i->rank].left;
}

int
resume_verify(struct receiving *r, const struct inlet *i, struct hp_err *e)
{
	uint64_t bytes;
	int part;

	if (!keeps(r, i) || r->en->done ||
	    r->log[i->rank].seen_at >= r->log[i->rank].old_at)
		return 0;
	part = sink_file(&r->sink, i->rank, &bytes, e);
	return part == -1
	    ? -1
	    : resumelog_verify(&r->log[i->rank], part, &r->room, e);
}
