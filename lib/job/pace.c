#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "job/pace.h"

enum {
	/*
	 * A machine that gets fewer bytes is not held back, and does not hold
	 * back others. An agent reports only after each MiB how many bytes its
	 * command has taken, so the fraction of a small part is too coarse.
	 */
	LEAST_BYTES = 16 << 20,
	MOVED_LEAST = 1 << 20, /* bytes; less is as good as nothing */
	STILL_MOST = 8	       /* ticks */
};

/* A machine may have taken this fraction more than the slowest machine. */
#define AHEAD (1.0 / 32)

static double
fraction(const struct machine *m)
{
	return (double)m->pace.taken / (double)m->pace.bytes;
}

static bool
has_pace(const struct machine *m)
{
	return m->pace.bytes >= LEAST_BYTES;
}

static void
find_least(struct paces *p)
{
	p->least = INFINITY;
	for (size_t i = 0; i < p->n; i++)
		if (has_pace(p->v[i]) &&
		    p->v[i]->pace.taken < p->v[i]->pace.bytes)
			p->least = fmin(p->least, fraction(p->v[i]));
}

int
paces_add(struct paces *p, struct machine *m, uint64_t bytes, struct hp_err *e)
{
	if (bytes == 0)
		return 0;
	if (m->pace.bytes == 0) {
		if (ARRAY_ROOM(p->v, p->n, p->cap) == -1)
			return hp_fail(e, HP_NOMEM, "out of memory");
		p->v[p->n++] = m;
	}
	m->pace.bytes += bytes;
	find_least(p);
	return 0;
}

void
paces_taken(struct paces *p, struct machine *m, uint64_t bytes)
{
	p->moved += bytes;
	if (p->moved >= MOVED_LEAST)
		p->moved = p->still = 0;
	m->pace.taken += bytes;
	find_least(p);
}

void
paces_stop(struct paces *p, struct machine *m, uint64_t bytes)
{
	p->held -= m->pace.held;
	m->pace.held = false;
	paces_taken(p, m, bytes);
}

bool
paces_hold(struct paces *p, struct machine *m)
{
	bool hold = !p->off && has_pace(m) && fraction(m) > p->least + AHEAD;

	p->held += hold && !m->pace.held;
	p->held -= !hold && m->pace.held;
	m->pace.held = hold;
	return hold;
}

struct machine *
paces_next(struct paces *p)
{
	for (size_t i = 0; i < p->n && p->held > 0; i++)
		if (p->v[i]->pace.held && !paces_hold(p, p->v[i]))
			return p->v[i];
	return NULL;
}

void
paces_tick(struct paces *p)
{
	if (p->held == 0)
		p->moved = p->still = 0;
	else if (++p->still >= STILL_MOST)
		p->off = true;
}

void
paces_clear(struct paces *p)
{
	for (size_t i = 0; i < p->n; i++)
		p->v[i]->pace = (struct pace){ 0 };
	p->n = p->held = 0;
	p->moved = p->still = 0;
	p->off = false;
}

void
paces_fini(struct paces *p)
{
	paces_clear(p);
	free(p->v);
	*p = (struct paces){ 0 };
}
