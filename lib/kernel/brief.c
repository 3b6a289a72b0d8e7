#include <stdlib.h>

#include "kernel/brief.h"

/*
 * Returns the brief of bucket k, which tells how the keys of the bucket are
 * shortened. The keys lie between the bucket's bound and the next bound. Both
 * are bounds of 8 bytes of the key. If all strings of the bucket also agree in
 * the first `more` of these bytes, their keys begin `more` bytes later, so the
 * bounds are shifted.
 */
static struct brief
between(const struct spread *s, size_t k, size_t more, bool flip)
{
	uint64_t low = k > 0 ? s->bound[k] : 0;
	uint64_t high = k + 1 < s->buckets ? s->bound[k + 1] - 1 : UINT64_MAX;

	low <<= 8 * more;
	high = high << 8 * more | (((uint64_t)1 << 8 * more) - 1);

	return (struct brief){ flip ? ~high : low,
		high == low ? 0 : (unsigned)__builtin_clzll(high - low) };
}

struct brief *
briefs_new(const struct tree *t, bool flip, struct hp_err *e)
{
	struct brief *b = calloc(t->buckets + 1, sizeof *b);
	size_t more;

	if (b == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu buckets", t->buckets);
		return NULL;
	}
	for (size_t i = 0; i < t->nodes; i++) {
		const struct node *n = &t->node[i];

		/*
		 * If `ends` is set, the sample strings of the node have equal
		 * bytes here, so there are no bounds between its buckets. The
		 * structs of these buckets stay zeroed, and brief_make then
		 * uses the top bits of the key.
		 */
		for (size_t k = 0; !n->ends && k < n->spread.buckets; k++) {
			if (n->to[k] & TREE_NODE)
				continue;
			more = t->leaf[n->to[k]].depth - n->at;
			if (more < 8)
				b[n->to[k]] = between(
				    &n->spread, k, more, flip);
		}
	}
	return b;
}
