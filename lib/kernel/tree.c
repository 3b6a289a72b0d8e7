#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/tree.h"
#include "kernel/treebuild.h"

static void
reverse_targets(uint16_t *to, size_t n, size_t last)
{
	for (size_t i = 0; i < n; i++)
		if (!(to[i] & TREE_NODE))
			to[i] = (uint16_t)(last - to[i]);
}

/* Numbers the buckets in reverse. */
static void
reverse_buckets(struct tree *t)
{
	size_t last = t->buckets - 1;

	for (size_t i = 0; i < t->nodes; i++) {
		struct node *n = &t->node[i];

		reverse_targets(&n->below, 1, last);
		reverse_targets(&n->above, 1, last);
		reverse_targets(&n->step, 1, last);
		reverse_targets(n->to, n->spread.buckets + n->ends, last);
	}
	for (size_t i = 0; i < t->steps; i++)
		reverse_targets(t->step[i].to, STEP_WAYS, last);
	reverse_targets(&t->root, 1, last);
	reverse_targets(t->first, t->grid.cells, last);
	for (size_t i = 0; i < t->buckets / 2; i++) {
		struct leaf l = t->leaf[i];

		t->leaf[i] = t->leaf[last - i];
		t->leaf[last - i] = l;
	}
}

/*
 * Compares the beginning of s with the prefix that all strings of a node share.
 * Returns a number below, equal to or above 0.
 */
static int
compare_path(const struct tree *t, const struct node *n, struct span s)
{
	size_t len = s.len < n->at ? s.len : n->at;
	int c = memcmp(
	    s.at + n->depth, n->path + (n->depth - t->base), len - n->depth);

	return c == 0 && s.len < n->at ? -1 : c;
}

size_t
tree_find(const struct tree *t, struct span s)
{
	unsigned to = t->root;

	while (to & TREE_NODE) {
		const struct node *n = &t->node[to ^ TREE_NODE];
		int c = n->at == n->depth ? 0 : compare_path(t, n, s);

		if (c != 0)
			to = c < 0 ? n->below : n->above;
		else if (n->ends)
			to = n->to[s.len > n->at];
		else
			to = n->to[spread_bucket(
			    &n->spread, span_load(s, n->at, false))];
	}
	return to;
}

int
tree_init(struct tree *t, struct span *sample, size_t n, size_t depth,
    size_t want, bool flip, struct hp_err *e)
{
	*t = (struct tree){ .base = depth,
		.vectors = n > 0 && kernel_avx512() != NULL };
	if (tree_build(t, sample, n, want, e) == -1)
		return -1;
	if (flip)
		reverse_buckets(t);
	return 0;
}

void
tree_fini(struct tree *t)
{
	for (size_t i = 0; i < t->nodes; i++) {
		free(t->node[i].path);
		free(t->node[i].to);
		spread_fini(&t->node[i].spread);
	}
	for (size_t i = 0; i < t->paths; i++)
		free(t->path[i]);
	free(t->path);
	free(t->step);
	free(t->first);
	free(t->node);
	free(t->leaf);
	*t = (struct tree){ 0 };
}
