#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "actions.h"
#include "doc/candidates.h"
#include "doc/sublists.h"
#include "split/exact.h"

/* What the candidates and counts say. */
struct hearing {
	struct candidates c;
	struct tally tally;
	uint64_t total; /* records that are divided */
	double *below;	/* estimates, for each candidate */
};

static void
hearing_fini(struct hearing *h)
{
	pivots_fini(&h->c.list);
	free(h->c.records);
	tally_fini(&h->tally);
	free(h->below);
}

static int
read_hearing(const char *path, void *arg, struct hp_err *e)
{
	struct hearing *h = arg;

	return doc_candidates_read(path, &h->c, &h->tally, e);
}

/*
 * Counts, once there are any, are of all nodes.  The plan is for all records,
 * but with -u: then equal ones have been dropped since.
 */
static int
add_up(const struct job *j, struct hearing *h, struct hp_err *e)
{
	const struct tally_sums *counted = &h->tally.rank;

	if (counted->n > j->plan.nodes)
		return hp_fail(e, HP_INPUT,
		    "a count of rank %zu, the plan has %zu nodes",
		    counted->n - 1, j->plan.nodes);
	h->total = 0;
	for (size_t i = 0; i < j->plan.nodes; i++) {
		if (counted->n > 0)
			h->c.records[i] = tally_get(counted, i);
		h->total += h->c.records[i];
	}
	if (j->o->order.unique)
		return 0;
	if (counted->n > 0 && h->total != j->plan.n)
		return hp_fail(e, HP_INPUT,
		    "the counts add up to %" PRIu64
		    " records, the plan is for %" PRIu64,
		    h->total, j->plan.n);
	h->total = j->plan.n;
	return 0;
}

static int
hear(const struct job *j, const struct method *m, struct hearing *h,
    struct hp_err *e)
{
	size_t p = h->c.nodes = j->plan.nodes;

	h->c.records = calloc(p + 1, sizeof *h->c.records);
	if (h->c.records == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", p);
	for (size_t i = 0; i < p && !j->o->order.unique; i++)
		h->c.records[i] = j->plan.share[i].n;
	if (job_each_document(j, read_hearing, h, e) == -1 ||
	    add_up(j, h, e) == -1)
		return -1;
	pivots_sort(&h->c.list);
	pivots_unique(&h->c.list);
	h->below = reallocarray(NULL, h->c.list.n + 1, sizeof *h->below);
	if (h->below == NULL)
		return hp_fail(e, HP_NOMEM, "%zu candidates", h->c.list.n);
	return m->sorted ? select_regular(&h->c, h->below, e)
			 : select_random(&h->c, h->below, e);
}

/* n sublists that end nearest to the targets. */
static int
select_all(const struct hearing *h, const uint64_t *target, size_t n,
    struct sublists *l, struct hp_err *e)
{
	struct sublist *s;

	for (size_t i = 0; i < n; i++) {
		if ((s = sublists_add(l, e)) == NULL)
			return -1;
		if (i + 1 < n &&
		    select_nearest(
			&h->c, h->below, target[i], h->total, s, e) == -1)
			return -1;
	}
	return 0;
}

/* From counts of all records between the candidates. */
static int64_t
refine(const struct hearing *h, struct sublists *l, struct hp_err *e)
{
	size_t n = h->c.list.n;
	uint64_t *below, sum = 0;
	int64_t open = -1;

	if (h->tally.sublist.n > n + 1)
		return hp_fail(e, HP_INPUT,
		    "a count of sublist %zu, the candidates bound %zu",
		    h->tally.sublist.n - 1, n + 1);
	below = reallocarray(NULL, n + 1, sizeof *below);
	if (below == NULL)
		return hp_fail(e, HP_NOMEM, "%zu candidates", n);
	for (size_t i = 0; i < n; i++)
		below[i] = sum += tally_get(&h->tally.sublist, i);
	open = exact_refine(l, &h->c.list, below, e);
	free(below);
	return open;
}

/* The sublists of the round before, which must be of this plan. */
static int
read_state(const struct job *j, const uint64_t *target, struct sublists *l,
    struct hp_err *e)
{
	const char *path = j->o->refine;

	if (doc_sublists_read(path, l, NULL, e) == -1)
		return -1;
	if (l->n != j->plan.nodes)
		return hp_fail(e, HP_INPUT,
		    "%s: %zu sublists, the plan has %zu nodes", path, l->n,
		    j->plan.nodes);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].open != NULL && l->v[i].open->target != target[i])
			return hp_fail(e, HP_INPUT,
			    "%s: sublist %zu is to end at %" PRIu64
			    ", in the plan at %" PRIu64,
			    path, i, l->v[i].open->target, target[i]);
	return 0;
}

/*
 * One round.  Without counts the candidates give a first guess; the answer is
 * no as long as a sublist does not end where it is to end.
 */
static int64_t
exact(const struct job *j, const struct hearing *h, const uint64_t *target,
    struct sublists *l, struct hp_err *e)
{
	int64_t open = 0;

	if (j->o->refine != NULL) {
		if (read_state(j, target, l, e) == -1)
			return -1;
	} else if (select_all(h, target, j->plan.nodes, l, e) == -1 ||
	    exact_init(l, target, h->total, e) == -1)
		return -1;
	if (h->tally.rank.n > 0)
		return refine(h, l, e);
	for (size_t i = 0; i < l->n; i++)
		open += l->v[i].open != NULL;
	return open;
}

/* total * n / of. */
static uint64_t
part(uint64_t total, uint64_t n, uint64_t of)
{
	return of == 0 ? 0 : (uint64_t)((unsigned __int128)total * n / of);
}

/*
 * Two sublists with records need a place between them, and only a candidate is
 * one.  Without any, all records would go to one node.
 */
static bool
needs_candidates(const struct job *j, const struct method *m)
{
	size_t shares = 0;

	if (m->demand == DEMAND_PSOP && j->o->count_given && j->o->count == 1)
		return false;
	for (size_t i = 0; i < j->plan.nodes; i++)
		shares += j->plan.share[i].n > 0;
	return shares > 1;
}

/* Sublists for the nodes, each of one, or many for none yet. */
static int64_t
choose(const struct job *j, const struct method *m, const struct hearing *h,
    size_t n, struct sublists *l, struct hp_err *e)
{
	bool psop = m->demand == DEMAND_PSOP;
	uint64_t *target = reallocarray(NULL, n, sizeof *target);
	int64_t open;

	if (target == NULL)
		return hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; i < n; i++)
		target[i] = psop
		    ? part(h->total, i + 1, n)
		    : part(h->total,
			  j->plan.share[i].offset + j->plan.share[i].n,
			  j->plan.n);
	if (m->demand == DEMAND_EXACT)
		open = exact(j, h, target, l, e);
	else
		open = select_all(h, target, n, l, e);
	free(target);
	return open;
}

static int
put_sublists(const struct job *j, const struct method *m,
    const struct hearing *h, uint64_t sum, struct sublists *l, struct hp_err *e)
{
	struct sublists_note note = { j->plan.nodes, m->name, h->c.list.n,
		NAN };
	int rc = 0;

	if (!m->sorted)
		note.probability = demand_probability(
		    sum, m->demand == DEMAND_PSOP ? l->n - 1 : h->c.list.n);
	for (size_t i = 0; rc == 0 && i < l->n; i++) {
		struct sublist s = l->v[i];

		if (m->demand != DEMAND_PSOP) {
			s.assigned = true;
			s.rank = i;
			s.node = j->plan.share[i].node;
		}
		rc = doc_sublist_write(stdout, i, &s, &note, e);
	}
	return rc;
}

/*
 * One for each node; over-partitioning has more, as candidates allow.  Not so
 * many that a sublist is one record: n log n of 1 is nothing, and assign would
 * give all of them to one node.
 */
static size_t
sublists_wanted(const struct job *j, const struct method *m,
    const struct hearing *h, uint64_t sum)
{
	uint64_t n = j->o->count_given ? j->o->count : demand_sublists(sum);

	if (m->demand != DEMAND_PSOP)
		return j->plan.nodes;
	if (!j->o->count_given && n > h->total / 2)
		n = h->total / 2;
	return n == 0 ? 1 : n > h->c.list.n ? h->c.list.n + 1 : n;
}

int
action_pivots(struct job *j, struct hp_err *e)
{
	const struct method *m = job_method(j, e);
	struct hearing h = { 0 };
	struct sublists l = { 0 };
	uint64_t sum;
	int64_t open;
	int rc = -1;

	if (m == NULL)
		return -1;
	if (!m->pivots)
		return hp_fail(
		    e, HP_USAGE, "algorithm '%s': for sample only", m->name);
	if (job_plan(j, e) == -1 || job_performance(j, &sum, e) == -1 ||
	    hear(j, m, &h, e) == -1)
		goto out;
	if (h.c.list.n == 0 && needs_candidates(j, m)) {
		job_none(j, "candidate", e);
		goto out;
	}
	open = choose(j, m, &h, sublists_wanted(j, m, &h, sum), &l, e);
	if (open == -1 || put_sublists(j, m, &h, sum, &l, e) == -1)
		goto out;
	rc = 0;
	if (open > 0) {
		e->kind = HP_NO;
		rc = -1;
	}
out:
	sublists_fini(&l);
	hearing_fini(&h);
	return rc;
}
