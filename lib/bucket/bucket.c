#include <stdlib.h>
#include <string.h>

#include "bucket/bucket.h"
#include "bucket/kind.h"

void
buckets_forget(struct buckets *b)
{
	for (size_t i = 0; i < b->nlists; i++)
		free(b->lists[i]);
	free(b->lists);
	free(b->bucket);
	b->lists = NULL;
	b->bucket = NULL;
	b->nlists = b->nbuckets = 0;
}

static int
keep_lists(struct buckets *b, struct list *l, struct hp_err *e)
{
	struct list **grown = reallocarray(
	    b->lists, b->nlists + 1, sizeof *grown);

	if (grown == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	b->lists = grown;
	b->lists[b->nlists++] = l;
	return 0;
}

/*
 * Stores in k->prefix the prefix that all lines of bucket k share. It has two
 * parts: the prefix of the bucket that was divided, and the bytes that the
 * lines of k share after it. The memory lives as long as the batch.
 */
static int
make_prefix(struct buckets *b, const struct division *d, struct bucket *k)
{
	size_t n = d->prefix.len + k->depth;
	unsigned char *s = heap_bytes(&b->heap[0], n + 1);

	if (s == NULL)
		return -1;
	if (d->prefix.len > 0)
		memcpy(s, d->prefix.at, d->prefix.len);
	memcpy(s + d->prefix.len, k->prefix.at, k->depth);
	k->prefix = (struct span){ s, n };
	k->depth = 0;
	return 0;
}

/*
 * Returns bucket number i of a division. All members are set, except those that
 * describe its elements.
 */
static struct bucket
describe(const struct buckets *b, const struct division *d, size_t i)
{
	struct bucket k = { .stage = d->stage };
	struct leaf l;

	l = d->tree.leaf[i];
	k.prefix.at = l.path;
	k.depth = l.depth;
	k.equal = l.equal;
	if (d->brief != NULL)
		k.brief = d->brief[i];
	if (l.ended && view_is_cut(&b->view, k.stage, k.depth))
		k.cut = k.equal = true;
	else if (l.ended && k.stage + 1 < b->view.stages) {
		k.stage++;
		k.depth = 0;
		k.brief = (struct brief){ 0 };
	} else
		k.sorted = l.ended;
	return k;
}

int
buckets_collect(struct buckets *b, const struct division *d,
    const struct pile *pile, struct bucket **out, struct hp_err *e)
{
	struct list *l = calloc(d->n * b->threads, sizeof *l);

	if (l == NULL || keep_lists(b, l, e) == -1) {
		free(l);
		return hp_fail(e, HP_NOMEM, "sort: out of memory");
	}
	for (size_t i = 0; i < d->n; i++, l += b->threads) {
		struct bucket k = describe(b, d, i);

		k.list = l;
		for (unsigned w = 0; w < b->threads; w++) {
			l[w] = pile[w].list[i];
			k.bytes += l[w].bytes;
			k.n += b->kind->count(b, &l[w]);
		}
		if (k.n > 0 && b->kind->has_prefix &&
		    make_prefix(b, d, &k) == -1)
			return hp_fail(e, HP_NOMEM, "sort: out of memory");
		if (k.n > 0)
			*(*out)++ = k;
	}
	return 0;
}
