#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "actions.h"
#include "doc/candidates.h"
#include "doc/sublists.h"
#include "split/exact.h"

/* The input of the action pivots: the candidates and counts of all nodes. */
struct input {
	struct candidates c;
	struct tally tally;
	uint64_t total; /* number of records to divide */
	/* for each candidate, the estimated number of smaller records */
	double *below;
};

static void
input_fini(struct input *in)
{
	pivots_fini(&in->c.list);
	free(in->c.records);
	tally_fini(&in->tally);
	free(in->below);
}

static int
read_document(const char *path, void *arg, struct hp_err *e)
{
	struct input *in = arg;

	return doc_candidates_read(path, &in->c, &in->tally, e);
}

/*
 * Adds up the records of all nodes.  If there are counts, every node must have
 * counted.  The sum must equal the number of records in the plan.  With -u it
 * may differ, because -u drops records.
 */
static int
add_up(const struct job *j, struct input *in, struct hp_err *e)
{
	const struct tally_sums *counted = &in->tally.rank;

	if (counted->n > j->plan.nodes)
		return hp_fail(e, HP_INPUT,
		    "a count is for rank %zu, but the plan has only %zu nodes",
		    counted->n - 1, j->plan.nodes);
	in->total = 0;
	for (size_t i = 0; i < j->plan.nodes; i++) {
		if (counted->n > 0)
			in->c.records[i] = tally_get(counted, i);
		in->total += in->c.records[i];
	}
	if (j->o->order.unique)
		return 0;
	if (counted->n > 0 && in->total != j->plan.n)
		return hp_fail(e, HP_INPUT,
		    "the counts add up to %" PRIu64
		    " records, but the plan is for %" PRIu64,
		    in->total, j->plan.n);
	in->total = j->plan.n;
	return 0;
}

static int
read_input(const struct job *j, const struct method *m, struct input *in,
    struct hp_err *e)
{
	size_t p = in->c.nodes = j->plan.nodes;

	in->c.records = calloc(p + 1, sizeof *in->c.records);
	if (in->c.records == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", p);
	for (size_t i = 0; i < p && !j->o->order.unique; i++)
		in->c.records[i] = j->plan.share[i].n;
	if (job_each_document(j, read_document, in, e) == -1 ||
	    add_up(j, in, e) == -1)
		return -1;
	pivots_sort(&in->c.list);
	pivots_unique(&in->c.list);
	in->below = reallocarray(NULL, in->c.list.n + 1, sizeof *in->below);
	if (in->below == NULL)
		return hp_fail(e, HP_NOMEM, "%zu candidates", in->c.list.n);
	return m->sorted ? select_regular(&in->c, in->below, e)
			 : select_random(&in->c, in->below, e);
}

/*
 * Chooses the candidates nearest to the targets.  Each ends one of n sublists.
 */
static int
select_all(const struct input *in, const uint64_t *target, size_t n,
    struct sublists *l, struct hp_err *e)
{
	struct sublist *s;

	for (size_t i = 0; i < n; i++) {
		if ((s = sublists_add(l, e)) == NULL)
			return -1;
		if (i + 1 < n &&
		    select_nearest(
			&in->c, in->below, target[i], in->total, s, e) == -1)
			return -1;
	}
	return 0;
}

/*
 * Returns whether all records of all nodes are candidates.  In that case, the
 * index of a candidate in the list is the number of smaller records, so nothing
 * need be counted.
 */
static bool
all_are_candidates(const struct input *in)
{
	uint64_t records = 0;

	for (size_t i = 0; i < in->c.nodes; i++)
		records += in->c.records[i];
	return in->c.list.n == records && records == in->total;
}

/*
 * Evaluates a round of the exact method.  Computes how many records are smaller
 * than each candidate, and narrows the brackets around the targets.  If all
 * records are candidates, the round needs no counts.
 */
static int64_t
refine(const struct input *in, struct sublists *l, struct hp_err *e)
{
	bool counted = in->tally.rank.n > 0;
	size_t n = in->c.list.n;
	uint64_t *below, sum = 0;
	int64_t open = -1;

	if (in->tally.sublist.n > n + 1)
		return hp_fail(e, HP_INPUT,
		    "a count is for sublist %zu, but there are only %zu",
		    in->tally.sublist.n - 1, n + 1);
	below = reallocarray(NULL, n + 1, sizeof *below);
	if (below == NULL)
		return hp_fail(e, HP_NOMEM, "%zu candidates", n);
	for (size_t i = 0; i < n; i++)
		below[i] = counted ? (sum += tally_get(&in->tally.sublist, i))
				   : i;
	open = exact_refine(l, &in->c.list, below, e);
	free(below);
	return open;
}

/*
 * Reads the sublists that the previous round wrote, and checks that they fit
 * the plan.
 */
static int
read_state(const struct job *j, const uint64_t *target, struct sublists *l,
    struct hp_err *e)
{
	const char *path = j->o->refine;

	if (doc_sublists_read(path, l, NULL, e) == -1)
		return -1;
	if (l->n != j->plan.nodes)
		return hp_fail(e, HP_INPUT,
		    "%s: %zu sublists, but the plan has %zu nodes", path, l->n,
		    j->plan.nodes);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].open != NULL && l->v[i].open->target != target[i])
			return hp_fail(e, HP_INPUT,
			    "%s: sublist %zu has the target %" PRIu64
			    ", but the plan requires %" PRIu64,
			    path, i, l->v[i].open->target, target[i]);
	return 0;
}

/*
 * Does one round of the exact method.  Without counts, and if not all records
 * are candidates, chooses the ends of the sublists by estimated positions.
 * Returns the number of sublists whose end is not exact yet, or -1.
 */
static int64_t
exact(const struct job *j, const struct input *in, const uint64_t *target,
    struct sublists *l, struct hp_err *e)
{
	int64_t open = 0;

	if (j->o->refine != NULL) {
		if (read_state(j, target, l, e) == -1)
			return -1;
	} else if (select_all(in, target, j->plan.nodes, l, e) == -1 ||
	    exact_init(l, target, in->total, e) == -1)
		return -1;
	if (in->tally.rank.n > 0 || all_are_candidates(in))
		return refine(in, l, e);
	for (size_t i = 0; i < l->n; i++)
		open += l->v[i].open != NULL;
	return open;
}

/* Returns total * n / of, without overflow. */
static uint64_t
part(uint64_t total, uint64_t n, uint64_t of)
{
	return of == 0 ? 0 : (uint64_t)((unsigned __int128)total * n / of);
}

/*
 * Returns true if the action fails without candidates.  If two or more nodes
 * get records, a candidate must separate them; otherwise one node would get all
 * records.
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

/*
 * Chooses the ends of the sublists.  There is one sublist for each node; psop
 * has many sublists, which get their nodes later.
 */
static int64_t
choose(const struct job *j, const struct method *m, const struct input *in,
    size_t n, struct sublists *l, struct hp_err *e)
{
	bool psop = m->demand == DEMAND_PSOP;
	uint64_t *target = reallocarray(NULL, n, sizeof *target);
	int64_t open;

	if (target == NULL)
		return hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; i < n; i++)
		target[i] = psop
		    ? part(in->total, i + 1, n)
		    : part(in->total,
			  j->plan.share[i].offset + j->plan.share[i].n,
			  j->plan.n);
	if (m->demand == DEMAND_EXACT)
		open = exact(j, in, target, l, e);
	else
		open = select_all(in, target, n, l, e);
	free(target);
	return open;
}

static int
put_sublists(const struct job *j, const struct method *m,
    const struct input *in, uint64_t sum, struct sublists *l, struct hp_err *e)
{
	struct sublists_note note = { j->plan.nodes, m->name, in->c.list.n,
		NAN };
	int rc = 0;

	if (!m->sorted)
		note.probability = demand_probability(
		    sum, m->demand == DEMAND_PSOP ? l->n - 1 : in->c.list.n);
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
 * Returns the number of sublists.  There is one for each node.  psop makes
 * more, limited by the number of candidates and by half of the records.  A
 * sublist should have more than one record: n*log(n) of 1 is 0, so assign would
 * give all such sublists to one node.
 */
static size_t
sublists_wanted(const struct job *j, const struct method *m,
    const struct input *in, uint64_t sum)
{
	uint64_t n = j->o->count_given ? j->o->count : demand_sublists(sum);

	if (m->demand != DEMAND_PSOP)
		return j->plan.nodes;
	if (!j->o->count_given && n > in->total / 2)
		n = in->total / 2;
	return n == 0 ? 1 : n > in->c.list.n ? in->c.list.n + 1 : n;
}

int
action_pivots(struct job *j, struct hp_err *e)
{
	const struct method *m = job_method(j, e);
	struct input in = { 0 };
	struct sublists l = { 0 };
	uint64_t sum;
	int64_t open;
	int rc = -1;

	if (m == NULL)
		return -1;
	if (!m->pivots)
		return hp_fail(e, HP_USAGE,
		    "algorithm '%s': is for the action sample only", m->name);
	if (j->o->refine != NULL && m->demand != DEMAND_EXACT)
		return hp_fail(e, HP_USAGE, "--refine needs -a exact");
	if (j->o->count_given && m->demand != DEMAND_PSOP)
		return hp_fail(e, HP_USAGE, "-c needs -a psop");
	if (job_plan(j, e) == -1 || job_performance(j, &sum, e) == -1 ||
	    read_input(j, m, &in, e) == -1)
		goto out;
	if (in.c.list.n == 0 && needs_candidates(j, m)) {
		job_none(j, "candidate", e);
		goto out;
	}
	open = choose(j, m, &in, sublists_wanted(j, m, &in, sum), &l, e);
	if (open == -1 || put_sublists(j, m, &in, sum, &l, e) == -1)
		goto out;
	rc = 0;
	if (open > 0) {
		e->kind = HP_NO;
		rc = -1;
	}
out:
	sublists_fini(&l);
	input_fini(&in);
	return rc;
}
