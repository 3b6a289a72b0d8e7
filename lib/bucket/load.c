#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "bucket/load.h"
#include "bucket/text.h"

enum {
	AHEAD = 16 /* records that are prefetched */
};

/* The next element of list i. */
static const void *
loader_head(const struct loader *l, unsigned i)
{
	return l->at[i].chunk->data + l->pos[i];
}

static void
loader_skip(struct loader *l, unsigned i, size_t bytes)
{
	l->pos[i] += bytes;
	if (l->pos[i] == walk_bytes(&l->at[i])) {
		walk_next(&l->at[i]);
		l->pos[i] = 0;
	}
}

/* Up to `room` bytes. */
static size_t
load_plain(struct loader *l, unsigned char *x, size_t room)
{
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

/* Each list has rising addresses: together they come as the input had them. */
static size_t
load_in_order(struct loader *l, unsigned char *x, size_t room)
{
	const struct buckets *b = l->buckets;
	size_t n;

	for (n = 0; n < room; n++, x += b->element) {
		const void *least = NULL, *y;
		const unsigned char *low = NULL, *at;
		unsigned from = 0;

		for (unsigned i = 0; i < b->threads; i++) {
			if (walk_bytes(&l->at[i]) == 0)
				continue;
			y = loader_head(l, i);
			at = buckets_at(b, buckets_place(b, y));
			if (least == NULL || at < low) {
				least = y;
				low = at;
				from = i;
			}
		}
		if (least == NULL)
			break;
		memcpy(x, least, b->element);
		loader_skip(l, from, b->element);
	}
	return n;
}

/* Have the chunk behind this one come to the cache, a record's share of it
 * while the record at s is looked at. */
static inline void
prefetch_behind(const struct chunk *c, const unsigned char *s)
{
	const unsigned char *next = (const void *)c->next;

	if (next == NULL)
		return;
	next += s - (const unsigned char *)c;
	__builtin_prefetch(next);
	__builtin_prefetch(next + 64);
}

/* Entries of up to `room` lines. */
static size_t
load_lines(struct loader *l, struct entry *x, size_t room)
{
	const struct view *v = &l->buckets->view;
	size_t depth = l->bucket->depth, n = 0;
	const unsigned char *s, *end;

	for (; l->now < l->buckets->threads; l->now++) {
		struct walk *at = &l->at[l->now];

		for (; walk_bytes(at) > 0; walk_next(at)) {
			s = at->chunk->data + l->pos[l->now];
			end = at->chunk->data + at->chunk->used;
			for (; s < end && n < room; n++) {
				prefetch_behind(at->chunk, s);
				x[n].place = text_next(&s);
				x[n].key = view_load(v, x[n].place, 0, depth);
			}
			l->pos[l->now] = 0;
			if (s < end) {
				l->pos[l->now] = (size_t)(s - at->chunk->data);
				return n;
			}
		}
	}
	return n;
}

/* Brief elements for up to `room` records that were moved. */
static size_t
load_moved(struct loader *l, uint64_t *brief, size_t room)
{
	const struct buckets *b = l->buckets;
	const struct bucket *u = l->bucket;
	size_t n = 0;

	for (; l->now < b->threads; l->now++) {
		struct walk *at = &l->at[l->now];

		while (walk_bytes(at) > 0) {
			const unsigned char *s = loader_head(l, l->now);
			uint64_t off = buckets_off(b, s);
			struct span key = buckets_bytes(b, off, u->stage);

			if (n == room)
				return n;
			prefetch_behind(at->chunk, s);
			brief[n++] = brief_make(&u->brief,
			    span_load(key, u->depth, b->view.flip[u->stage]),
			    off, b->off_bits);
			loader_skip(l, l->now, b->element);
		}
	}
	return n;
}

/* Up to `room` elements that are not lines; returns how many. */
static size_t
load_elements(struct loader *l, void *x, size_t room)
{
	const struct buckets *b = l->buckets;

	if (b->moved)
		return load_moved(l, x, room);
	/* Brief ones come in order by being sorted. */
	if (b->in_order && b->threads > 1 && (!b->brief || l->bucket->sorted))
		return load_in_order(l, x, room);
	return load_plain(l, x, room * b->element) / b->element;
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

/* Of entries with the same primary key only the first. */
static size_t
unique(struct loader *l, struct entry *x, size_t n)
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

static uint64_t
place_of(struct loader *l, struct span record)
{
	struct span *d;

	if (__builtin_expect(record.len < PLACE_LONG, 1))
		return place_make(record.at, record.len);
	d = &l->distant[l->ndistant++];
	*d = record;
	return place_make(d, PLACE_LONG);
}

/* Entries for n brief elements, whose bits they have for keys. */
static void
expand(struct loader *l, const uint64_t *brief, struct entry *x, size_t n)
{
	const struct buckets *b = l->buckets;
	bool line = b->in->format->kind == FORMAT_LINE;

	for (size_t i = 0; i < n; i++) {
		if (line && i + AHEAD < n) {
			const unsigned char *at = buckets_at(
			    b, buckets_brief_off(b, brief[i + AHEAD]));

			__builtin_prefetch(at);
			__builtin_prefetch(at + 64);
		}
		x[i].key = brief[i] >> b->off_bits;
		x[i].place = place_of(l,
		    input_record(
			b->in, buckets_at(b, buckets_brief_off(b, brief[i]))));
	}
}

/* Those that agree in the bits that were sorted. */
static void
sort_ties(struct loader *l, struct entry *x, size_t n)
{
	const struct view *v = &l->buckets->view;
	const struct bucket *u = l->bucket;
	size_t i, j;

	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && x[j].key == x[i].key; j++)
			if (j + AHEAD < n)
				view_prefetch(x[j + AHEAD].place, u->depth);
		if (j - i == 1)
			continue;
		for (size_t k = i; k < j; k++)
			x[k].key = view_load(v, x[k].place, u->stage, u->depth);
		entries_sort(
		    v, x + i, j - i, (void *)l->tmp, u->stage, u->depth);
	}
}

static size_t
sort_brief(struct loader *l, struct entry *x, size_t room)
{
	uint64_t *brief = (void *)l->tmp;
	size_t n = load_elements(l, brief, room);

	if (!l->bucket->sorted)
		l->buckets->kernel->sort_8(brief, brief + l->cap, n);
	expand(l, brief, x, n);
	if (!l->bucket->sorted)
		sort_ties(l, x, n);
	return n;
}

static size_t
sort_entries(struct loader *l, struct entry *x, size_t room)
{
	const struct view *v = &l->buckets->view;
	const struct bucket *u = l->bucket;
	struct entry *tmp = (void *)l->tmp;
	size_t n = l->buckets->text ? load_lines(l, x, room)
				    : load_elements(l, x, room);

	if (u->sorted)
		return n;
	/* Where the keys of a stage have ended they are not those of the next
	 * one yet. */
	if (u->stage > 0 && u->depth == 0) {
		for (size_t i = 0; i < n; i++)
			x[i].key = view_load(v, x[i].place, u->stage, 0);
		entries_sort(v, x, n, tmp, u->stage, 0);
	} else if (u->equal)
		entries_deepen(v, x, n, tmp, u->stage, u->depth);
	else
		entries_sort(v, x, n, tmp, u->stage, u->depth);
	return n;
}

size_t
loader_sort(struct loader *l, struct entry *x, size_t room)
{
	size_t n = l->buckets->brief ? sort_brief(l, x, room)
				     : sort_entries(l, x, room);

	return l->buckets->view.order->unique ? unique(l, x, n) : n;
}

size_t
loader_next(struct loader *l, struct entry *x, size_t room)
{
	size_t n;

	if (l->buckets->text)
		return load_lines(l, x, room);
	if (!l->buckets->brief)
		return load_elements(l, x, room);
	n = load_elements(l, l->tmp, room);
	expand(l, (void *)l->tmp, x, n);
	return n;
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
