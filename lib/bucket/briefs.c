#include <string.h>

#include "bucket/briefs.h"
#include "bucket/fixed.h"
#include "bucket/reader.h"
#include "bucket/refine.h"
#include "kernel/entries.h"

enum {
	AHEAD = 16 /* prefetch distance, in lines */
};

size_t
briefs_kept(const struct buckets *b, size_t record)
{
	size_t part = refine_part(b) * (b->element + record);
	size_t lists = b->in_order ? b->threads : 1;
	size_t lost = lists * CHUNK / 2 + sizeof(struct bucket) +
	    b->threads * (2 * sizeof(struct list) + sizeof(void *));

	return (
	    size_t)((double)b->in->cap * (double)lost / (double)(part + lost));
}

static void
choose(struct buckets *b)
{
	size_t record = b->view.order->format.size;

	fixed_choose(b, sizeof(uint64_t));
	b->base = b->in->base;
	b->off_bits = briefs_off_bits(b->in->reserved);
	b->in->per_record = b->element + 1;
	if (b->in_order && record > 0)
		b->in->cap -= briefs_kept(b, record);
}

static inline uint64_t
off_of(const struct buckets *b, uint64_t brief)
{
	return brief & (((uint64_t)1 << b->off_bits) - 1);
}

static const unsigned char *
record_of(const struct buckets *b, const void *element)
{
	uint64_t brief;

	memcpy(&brief, element, sizeof brief);
	return b->base + off_of(b, brief);
}

static struct span
bytes_of(const struct buckets *b, const void *element, unsigned stage)
{
	struct span s = input_record(b->in, record_of(b, element));

	return stage > 0 ? s : view_slice(&b->view, s);
}

static void
prefetch(const struct buckets *b, const void *element, size_t depth)
{
	__builtin_prefetch(
	    record_of(b, element) + b->view.order->slice_off + depth);
}

static inline int
put_record(const struct buckets *b, const struct division *d, struct pile *p,
    size_t to, struct span key, const unsigned char *record)
{
	uint64_t *brief = pile_put(p, to, sizeof *brief);

	if (brief == NULL)
		return -1;
	*brief = brief_make(&d->brief[to],
	    span_load(key, d->tree.leaf[to].depth, b->view.flip[d->stage]),
	    briefs_off(b, record), b->off_bits);
	return 0;
}

static int
put_element(const struct buckets *b, const struct division *d, struct pile *p,
    size_t to, struct span key, const void *element)
{
	return put_record(b, d, p, to, key, record_of(b, element));
}

static int
put(struct reader *r, const uint16_t *to)
{
	const struct buckets *b = r->buckets;

	for (size_t i = 0; i < r->n; i++)
		if (put_record(b, &b->division, r->pile, to[i], r->key[i],
			r->record[i].at) == -1)
			return -1;
	return 0;
}

static size_t
sample(const struct buckets *b, const struct bucket *k, struct span *key,
    size_t most)
{
	return fixed_sample(b, k, key, most, bytes_of);
}

static int
divide(const struct buckets *b, const struct division *d, struct pile *p,
    const struct chunk *c)
{
	return fixed_divide(b, d, p, c, bytes_of, prefetch, put_element);
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

/*
 * Makes an entry (key and address of a record) for each of n brief elements. A
 * brief element contains only some bits of the key, so the entry has only these
 * bits, too.
 */
static void
expand(struct loader *l, const uint64_t *brief, struct entry *x, size_t n)
{
	const struct buckets *b = l->buckets;
	bool line = b->in->format->size == 0;

	for (size_t i = 0; i < n; i++) {
		/*
		 * The loop below reads the whole line to find its end, so
		 * prefetch the line.
		 */
		if (line && i + AHEAD < n) {
			const unsigned char *at = record_of(
			    b, &brief[i + AHEAD]);

			__builtin_prefetch(at);
			__builtin_prefetch(at + 64);
		}
		x[i].key = brief[i] >> b->off_bits;
		x[i].place = place_of(
		    l, input_record(b->in, record_of(b, &brief[i])));
	}
}

/*
 * Sorts each group of adjacent entries whose keys are equal. The entries have
 * only the key bits that fit into an element, so the rest of the keys must be
 * compared.
 */
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

size_t
briefs_load(struct loader *l, struct entry *x, size_t room, briefs_loader *load)
{
	uint64_t *brief = (void *)l->tmp;
	size_t n = load(l, brief, room);

	expand(l, brief, x, n);
	return n;
}

size_t
briefs_sort(struct loader *l, struct entry *x, size_t room, briefs_loader *load)
{
	uint64_t *brief = (void *)l->tmp;
	size_t n;

	if (l->bucket->sorted)
		return briefs_load(l, x, room, load);
	n = load(l, brief, room);
	l->buckets->kernel->sort_8(brief, brief + l->cap, n);
	expand(l, brief, x, n);
	sort_ties(l, x, n);
	return n;
}

/*
 * Copies up to `room` elements of the bucket to `brief`, in any order. But if
 * all keys of the bucket are equal, nothing sorts the elements afterwards. So
 * if equal records must stay in the order of the input, copies them in that
 * order.
 */
static size_t
load_briefs(struct loader *l, uint64_t *brief, size_t room)
{
	const struct buckets *b = l->buckets;

	if (b->in_order && b->threads > 1 && l->bucket->sorted)
		return fixed_load_in_order(l, (void *)brief, room, record_of);
	return loader_copy(l, brief, room * sizeof *brief) / sizeof *brief;
}

static size_t
load(struct loader *l, struct entry *x, size_t room)
{
	return briefs_load(l, x, room, load_briefs);
}

static size_t
sort(struct loader *l, struct entry *x, size_t room)
{
	return briefs_sort(l, x, room, load_briefs);
}

const struct kind kind_briefs = {
	.briefs = true,
	.choose = choose,
	.put = put,
	.count = fixed_count,
	.sample = sample,
	.divide = divide,
	.load = load,
	.sort = sort,
};
