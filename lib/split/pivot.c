#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "split/pivot.h"

int
pivot_cmp(const struct pivot *a, const struct pivot *b)
{
	int c = key_cmp(a->key, a->len, b->key, b->len);

	if (c == 0)
		c = (a->rank > b->rank) - (a->rank < b->rank);
	if (c == 0)
		c = (a->index > b->index) - (a->index < b->index);
	return c;
}

int
pivot_copy(struct pivot *to, const struct pivot *from)
{
	unsigned char *key = malloc(from->len + 1);

	if (key == NULL)
		return -1;
	if (from->len > 0)
		memcpy(key, from->key, from->len);
	*to = *from;
	to->key = key;
	return 0;
}

void
pivot_fini(struct pivot *p)
{
	free(p->key);
	*p = (struct pivot){ 0 };
}

int
pivots_add(struct pivots *l, struct pivot p, struct hp_err *e)
{
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1) {
		free(p.key);
		return hp_fail(e, HP_NOMEM, "%zu candidates", l->n + 1);
	}
	l->v[l->n++] = p;
	return 0;
}

int
pivots_add_key(struct pivots *l, const struct key *key,
    const struct pivot *place, struct hp_err *e)
{
	struct pivot borrowed = *place, copy;

	/*
	 * A cast from const would cause a warning, so memcpy copies the pointer
	 * to the key. pivot_copy does not change the key.
	 */
	memcpy(&borrowed.key, &key->bytes, sizeof borrowed.key);
	borrowed.len = key->len;
	if (pivot_copy(&copy, &borrowed) == -1)
		return hp_fail(
		    e, HP_NOMEM, "a candidate of %zu bytes", key->len);
	return pivots_add(l, copy, e);
}

static int
compare(const void *a, const void *b)
{
	return pivot_cmp(a, b);
}

void
pivots_sort(struct pivots *l)
{
	if (l->n > 1)
		qsort(l->v, l->n, sizeof *l->v, compare);
}

void
pivots_unique(struct pivots *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (n > 0 && pivot_cmp(&l->v[n - 1], &l->v[i]) == 0)
			pivot_fini(&l->v[i]);
		else
			l->v[n++] = l->v[i];
	}
	l->n = n;
}

void
pivots_fini(struct pivots *l)
{
	for (size_t i = 0; i < l->n; i++)
		pivot_fini(&l->v[i]);
	free(l->v);
	*l = (struct pivots){ 0 };
}

void
bracket_free(struct bracket *b)
{
	if (b == NULL)
		return;
	pivot_fini(&b->low.at);
	pivot_fini(&b->high.at);
	free(b);
}

struct sublist *
sublists_add(struct sublists *l, struct hp_err *e)
{
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1) {
		hp_fail(e, HP_NOMEM, "%zu sublists", l->n + 1);
		return NULL;
	}
	l->v[l->n] = (struct sublist){ 0 };
	return &l->v[l->n++];
}

void
sublists_fini(struct sublists *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].node);
		pivot_fini(&l->v[i].until);
		bracket_free(l->v[i].open);
	}
	free(l->v);
	*l = (struct sublists){ 0 };
}
