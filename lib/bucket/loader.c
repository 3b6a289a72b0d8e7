#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "bucket/loader.h"
#include "kernel/entries.h"

size_t
loader_copy(struct loader *l, void *to, size_t room)
{
	unsigned char *x = to;
	size_t n = 0, k;

	while (l->now < l->buckets->threads && n < room) {
		k = walk_bytes(&l->at[l->now]);
		if (k == 0) {
			l->now++;
			continue;
		}
		k -= l->pos[l->now];
		k = k < room - n ? k : room - n;
		memcpy(x + n, loader_head(l, l->now), k);
		loader_skip(l, l->now, k);
		n += k;
	}
	return n;
}

void
loader_sort(struct loader *l, struct entry *x, size_t n)
{
	const struct view *v = &l->buckets->view;
	const struct bucket *u = l->bucket;
	struct entry *tmp = (void *)l->tmp;

	if (u->sorted)
		return;
	/*
	 * All records of the bucket have the same primary key, and the loaded
	 * keys are parts of it. Load the first 8 bytes of the whole records
	 * instead, because these decide.
	 */
	if (u->stage > 0 && u->depth == 0) {
		for (size_t i = 0; i < n; i++)
			x[i].key = view_load(v, x[i].place, u->stage, 0);
		entries_sort(v, x, n, tmp, u->stage, 0);
	} else if (u->equal)
		entries_deepen(v, x, n, tmp, u->stage, u->depth);
	else
		entries_sort(v, x, n, tmp, u->stage, u->depth);
}

void
loader_drop(struct loader *l, const struct entry *x, size_t n)
{
	const struct buckets *b = l->buckets;

	if (l->dropped == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		dropped_records(l->dropped, b->in->format, l->bucket->prefix,
		    view_record(&b->view, x[i].place), 1);
}

size_t
loader_unique(struct loader *l, struct entry *x, size_t n)
{
	const struct view *v = &l->buckets->view;
	size_t k = 1;

	if (n == 0)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (!view_same(v, x[k - 1].place, x[i].place))
			x[k++] = x[i];
		else
			loader_drop(l, &x[i], 1);
	return k;
}

void
loader_start(struct loader *l, const struct bucket *k)
{
	l->now = 0;
	l->bucket = k;
	for (unsigned i = 0; i < l->buckets->threads; i++) {
		l->at[i] = list_walk(&k->list[i]);
		l->pos[i] = 0;
	}
}

int
loader_init(
    struct loader *l, const struct buckets *b, size_t cap, struct hp_err *e)
{
	*l = (struct loader){ .buckets = b, .cap = cap };
	l->at = calloc(b->threads, sizeof *l->at);
	l->pos = calloc(b->threads, sizeof *l->pos);
	l->tmp = space_take((cap + 1) * sizeof(struct entry));
	l->distant = space_take((cap + 1) * sizeof *l->distant);
	if (l->at == NULL || l->pos == NULL || l->tmp == NULL ||
	    l->distant == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	return 0;
}

void
loader_fini(struct loader *l)
{
	free(l->at);
	free(l->pos);
	space_give(l->tmp, (l->cap + 1) * sizeof(struct entry));
	space_give(l->distant, (l->cap + 1) * sizeof *l->distant);
	*l = (struct loader){ 0 };
}
