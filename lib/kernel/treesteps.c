#include <stdlib.h>

#include "kernel/treesteps.h"

int
tree_grow(void **array, size_t n, size_t size, struct hp_err *e)
{
	void *p = *array;

	if ((n & (n - 1)) != 0)
		return 0;
	if ((p = reallocarray(p, n == 0 ? 1 : 2 * n, size)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	*array = p;
	return 0;
}

/*
 * Divides the targets (buckets or tree nodes) with the indices from .. end - 1
 * into `parts` ranges with about equal shares of the sample. Returns the first
 * target of range k. `last` is the first target of the range before it.
 * start[i] is the index of target i's first sample string.
 */
static size_t
cut(const size_t *start, size_t from, size_t end, size_t last, size_t k,
    size_t parts)
{
	size_t want = start[from] + (start[end] - start[from]) * k / parts;
	size_t most = end - (parts - k), i = last + 1;

	while (i < most && start[i + 1] <= want)
		i++;
	if (i < most && start[i] < want &&
	    start[i + 1] - want < want - start[i])
		i++;
	return i;
}

/*
 * A search step compares 8 bytes of a string with up to 8 bounds, and so
 * chooses one of 9 ways. Builds the steps that choose among the targets
 * (buckets or tree nodes) with the indices from .. end - 1 of node n. Stores
 * the first of these steps in *target.
 */
static int
build_steps(struct tree *t, const struct node *n, const size_t *start,
    size_t from, size_t end, uint16_t *target, struct hp_err *e)
{
	size_t parts = end - from < STEP_WAYS ? end - from : STEP_WAYS;
	size_t at = from, next, id;
	struct step s = { .at = (uint32_t)n->at };
	void *array = t->step;

	if (parts == 1) {
		id = n->to[from];
		*target = id & TREE_NODE ? t->node[id ^ TREE_NODE].step
					 : (uint16_t)id;
		return 0;
	}
	if (tree_grow(&array, id = t->steps, sizeof s, e) == -1)
		return -1;
	t->step = array;
	t->steps++;
	for (size_t k = 0; k < STEP_WAYS; k++, at = next) {
		if (k > 0)
			s.most[k - 1] = k < parts ? n->spread.bound[at] - 1
						  : UINT64_MAX;
		next = k + 1 < parts ? cut(start, from, end, at, k + 1, parts)
				     : end;
		if (k >= parts)
			s.to[k] = s.to[k - 1];
		else if (build_steps(t, n, start, at, next, &s.to[k], e) == -1)
			return -1;
	}
	t->step[id] = s;
	*target = (uint16_t)(id | TREE_NODE);
	return 0;
}

int
tree_steps(
    struct tree *t, struct node *n, const size_t *start, struct hp_err *e)
{
	return build_steps(t, n, start, 0, n->spread.buckets, &n->step, e);
}

int
tree_first(
    struct tree *t, const struct node *n, const size_t *start, struct hp_err *e)
{
	const struct spread *s = &n->spread;
	size_t from, end;

	t->grid = s->grid;
	t->first_at = n->at;
	t->first = calloc(s->grid.cells, sizeof *t->first);
	if (t->first == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (size_t c = 0; c < s->grid.cells; c++) {
		from = s->cell[c] & ~(size_t)SPREAD_SEARCH;
		end = s->cell[c] == from
		    ? from
		    : s->cell[c + 1] & ~(size_t)SPREAD_SEARCH;
		if (build_steps(t, n, start, from, end + 1, &t->first[c], e) ==
		    -1)
			return -1;
	}
	return 0;
}

int
tree_one_first(struct tree *t, struct hp_err *e)
{
	if ((t->first = calloc(1, sizeof *t->first)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	t->grid.cells = 1;
	t->first[0] = t->root & TREE_NODE ? t->node[0].step : t->root;
	return 0;
}
