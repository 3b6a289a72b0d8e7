#include <stdlib.h>

#include "base/random.h"
#include "share/rounds.h"
#include "split/cut.h"
#include "split/exact.h"
#include "split/sorted.h"

static int
no_memory(struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM, "a bracket");
}

/*
 * Sets the end of the sublist to the position `place`. If `place` is NULL, the
 * sublist extends to the end of all records.
 */
static int
end_at(struct sublist *s, const struct pivot *place, struct hp_err *e)
{
	struct pivot copy = { 0 };

	if (place != NULL && pivot_copy(&copy, place) == -1)
		return no_memory(e);
	pivot_fini(&s->until);
	s->bounded = place != NULL;
	s->until = copy;
	return 0;
}

static int
hit(struct sublist *s, const struct pivot *place, struct hp_err *e)
{
	bracket_free(s->open);
	s->open = NULL;
	return end_at(s, place, e);
}

static bool
has_bracket(const struct sublists *l, size_t i, const struct bracket *b)
{
	const struct bracket *open = i < l->n ? l->v[i].open : NULL;

	return open != NULL && open->low.below == b->low.below;
}

/*
 * Finds the next bracket (the range in which the end of a sublist is searched),
 * beginning with sublist *i. Stores in *n how many sublists share this bracket,
 * and advances *i past them. Returns NULL if there are no more brackets.
 */
static struct bracket *
next_bracket(const struct sublists *l, size_t *i, size_t *n)
{
	struct bracket *b;

	while (*i < l->n && l->v[*i].open == NULL)
		++*i;
	if (*i == l->n)
		return NULL;
	b = l->v[*i].open;
	for (*n = 0; has_bracket(l, *i, b); ++*i)
		++*n;
	return b;
}

/*
 * Divides the candidates of the next round among the brackets. A bracket is the
 * range of records in which the ends of one or more sublists are searched. Each
 * end gets the same number of candidates. If a bracket has fewer records than
 * that, all its records become candidates. The second and third pass of the
 * loop divide the candidates that such brackets do not need among the others.
 */
static void
set_steps(struct sublists *l)
{
	uint64_t left, records = 0, open = 0, each, size;
	struct bracket *b;
	size_t n;

	for (size_t i = 0; (b = next_bracket(l, &i, &n)) != NULL;)
		records += b->high.below - b->low.below;
	left = rounds_candidates(l->n, records);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].open != NULL) {
			l->v[i].open->every = 0;
			open++;
		}
	for (int turn = 0; turn < 3 && open > 0; turn++) {
		each = left / open;
		for (size_t i = 0; (b = next_bracket(l, &i, &n)) != NULL;) {
			if (b->every == 1)
				continue;
			size = b->high.below - b->low.below;
			b->every = (size + each * n - 1) / (each * n);
			if (b->every > 1 || turn == 2)
				continue;
			left -= size;
			open -= n;
		}
	}
	for (size_t i = 1; i < l->n; i++)
		if (l->v[i].open != NULL && l->v[i].open->every == 0)
			l->v[i].open->every = l->v[i - 1].open->every;
}

int
exact_init(struct sublists *l, const uint64_t *target, uint64_t total,
    struct hp_err *e)
{
	static const struct pivot least;

	for (size_t i = 0; i < l->n; i++) {
		struct sublist *s = &l->v[i];

		if (target[i] == 0 || target[i] == total) {
			/*
			 * target[i] is how many of all records should lie
			 * before the end of sublist i. If it is 0, the sublist
			 * ends before the first record. If it is `total`, the
			 * sublist has no end and takes all remaining records.
			 */
			if (hit(s, target[i] == total ? NULL : &least, e) == -1)
				return -1;
			continue;
		}
		if ((s->open = calloc(1, sizeof *s->open)) == NULL)
			return no_memory(e);
		s->open->target = target[i];
		s->open->high.below = total;
	}
	set_steps(l);
	return 0;
}

static int
move_edge(
    struct edge *edge, const struct pivot *to, uint64_t below, struct hp_err *e)
{
	struct pivot copy;

	if (pivot_copy(&copy, to) == -1)
		return no_memory(e);
	pivot_fini(&edge->at);
	*edge = (struct edge){ true, copy, below };
	return 0;
}

/*
 * The sublist should end after b->target records, at a position between two
 * known ones. Until a later round finds it, the sublist ends at the known
 * position that is nearer to the target.
 */
static int
approach(struct sublist *s, struct hp_err *e)
{
	static const struct pivot least;
	const struct bracket *b = s->open;

	if (b->target - b->low.below <= b->high.below - b->target)
		return end_at(s, b->low.bounded ? &b->low.at : &least, e);
	return end_at(s, b->high.bounded ? &b->high.at : NULL, e);
}

static int
refine(struct sublist *s, const struct pivots *probe, const uint64_t *below,
    struct hp_err *e)
{
	struct bracket *b = s->open;
	size_t low = 0, high = probe->n, middle;
	struct pivot after;

	/*
	 * Find the first candidate that has at least `target` records before
	 * it.
	 */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (below[middle] < b->target)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < probe->n) {
		if (below[low] == b->target)
			return hit(s, &probe->v[low], e);
		if (below[low] < b->high.below &&
		    move_edge(&b->high, &probe->v[low], below[low], e) == -1)
			return -1;
	}
	if (low > 0) {
		/*
		 * below[low - 1] records lie before this candidate. So one more
		 * lies before the position just after it.
		 */
		after = probe->v[low - 1];
		after.index++;
		if (below[low - 1] + 1 == b->target)
			return hit(s, &after, e);
		if (below[low - 1] + 1 > b->low.below &&
		    move_edge(&b->low, &after, below[low - 1] + 1, e) == -1)
			return -1;
	}
	return approach(s, e);
}

int64_t
exact_refine(struct sublists *l, const struct pivots *probe,
    const uint64_t *below, struct hp_err *e)
{
	int64_t open = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].open != NULL) {
			if (refine(&l->v[i], probe, below, e) == -1)
				return -1;
			open += l->v[i].open != NULL;
		}
	set_steps(l);
	return open;
}

uint64_t
exact_phase(const struct bracket *b, uint64_t rank)
{
	return random_mix(
		   rank * RANDOM_STEP + b->low.below + (b->high.below << 32)) %
	    b->every;
}

int
exact_begin(const struct sampling *s, const struct records *r, uint64_t every,
    struct hp_err *e)
{
	struct bracket all = { .every = every };

	return sample_every(s, r, exact_phase(&all, s->rank), r->n, every, e);
}

static int
add_edge(struct sublists *bounds, const struct edge *edge,
    const struct pivot *unbounded, struct hp_err *e)
{
	const struct pivot *at = edge->bounded ? &edge->at : unbounded;
	struct sublist *s = sublists_add(bounds, e);

	if (s == NULL)
		return -1;
	s->bounded = at != NULL;
	if (at != NULL && pivot_copy(&s->until, at) == -1)
		return no_memory(e);
	return 0;
}

/*
 * Lists the two ends of each bracket (range of records still to search), in the
 * form of a list of sublists.
 */
static int
list_edges(const struct sublists *l, struct sublists *bounds, struct hp_err *e)
{
	static const struct pivot least;
	static const struct edge end;
	const struct bracket *b;
	size_t n;

	for (size_t i = 0; (b = next_bracket(l, &i, &n)) != NULL;)
		if (add_edge(bounds, &b->low, &least, e) == -1 ||
		    add_edge(bounds, &b->high, NULL, e) == -1)
			return -1;
	return add_edge(bounds, &end, NULL, e);
}

/*
 * Chooses candidates from each bracket (range of records still to search) at
 * regular distances. `edge` has the byte offsets of the two ends of each
 * bracket.
 */
static int
sample_between(const struct sampling *s, const struct records *r,
    const struct sublists *l, const uint64_t *edge, struct hp_err *e)
{
	const struct bracket *b;
	uint64_t low, high;
	size_t n;

	for (size_t i = 0; (b = next_bracket(l, &i, &n)) != NULL;) {
		low = records_index(r, *edge++);
		high = records_index(r, *edge++);
		if (sample_every(s, r, low + exact_phase(b, s->rank), high,
			b->every, e) == -1)
			return -1;
	}
	return 0;
}

int
exact_sample(const struct sampling *s, const struct records *r,
    const struct sublists *l, struct hp_err *e)
{
	struct sublists bounds = { 0 };
	struct classifier by = { 0 };
	uint64_t *edge = NULL;
	int rc = -1;

	if (list_edges(l, &bounds, e) == -1 ||
	    classify_init(&by, &bounds, s->order, s->rank, e) == -1)
		goto out;
	by.together = false;
	edge = reallocarray(NULL, bounds.n, sizeof *edge);
	if (edge == NULL)
		no_memory(e);
	else if (cut_sorted(r, &by, bounds.n, edge, e) == 0)
		rc = sample_between(s, r, l, edge, e);
out:
	free(edge);
	classify_fini(&by);
	sublists_fini(&bounds);
	return rc;
}
