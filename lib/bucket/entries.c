#include "bucket/entries.h"
#include "bucket/fixed.h"
#include "bucket/loader.h"
#include "bucket/reader.h"
#include "record/order.h"

enum {
	/*
	 * expected number of bytes that each key field adds to a key built from
	 * a record
	 */
	KEY_OF_FIELD = 24
};

static void
choose(struct buckets *b)
{
	fixed_choose(b, sizeof(struct entry));
	b->in->per_record = b->element + 1;
	if (b->view.kind == VIEW_BUILT)
		b->in->per_record = b->element + sizeof(struct built) +
		    KEY_OF_FIELD * (b->view.order->nfields + 1);
}

static uint64_t
place_of(const void *element)
{
	return ((const struct entry *)element)->place;
}

static struct span
bytes_of(const struct buckets *b, const void *element, unsigned stage)
{
	return view_bytes(&b->view, place_of(element), stage);
}

static void
prefetch(const struct buckets *b, const void *element, size_t depth)
{
	(void)b;
	view_prefetch(place_of(element), depth);
}

static const unsigned char *
record_of(const struct buckets *b, const void *element)
{
	return view_record(&b->view, place_of(element)).at;
}

static inline int
put_place(const struct buckets *b, const struct division *d, struct pile *p,
    size_t to, struct span key, uint64_t place)
{
	struct entry *x = pile_put(p, to, sizeof *x);

	if (x == NULL)
		return -1;
	*x = (struct entry){ span_load(key, d->tree.leaf[to].depth,
				 b->view.flip[d->stage]),
		place };
	return 0;
}

static int
put_element(const struct buckets *b, const struct division *d, struct pile *p,
    size_t to, struct span key, const void *element)
{
	return put_place(b, d, p, to, key, place_of(element));
}

static int
put(struct reader *r, const uint16_t *to)
{
	const struct buckets *b = r->buckets;
	uint64_t place;

	for (size_t i = 0; i < r->n; i++) {
		place = reader_place(r, r->record[i].at, r->record[i].len);
		if (place == 0 ||
		    put_place(b, &b->division, r->pile, to[i], r->key[i],
			place) == -1)
			return -1;
	}
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

static size_t
load(struct loader *l, struct entry *x, size_t room)
{
	const struct buckets *b = l->buckets;

	if (b->in_order && b->threads > 1)
		return fixed_load_in_order(l, (void *)x, room, record_of);
	return loader_copy(l, x, room * sizeof *x) / sizeof *x;
}

static size_t
sort(struct loader *l, struct entry *x, size_t room)
{
	size_t n = load(l, x, room);

	loader_sort(l, x, n);
	return n;
}

const struct kind kind_entries = {
	.choose = choose,
	.put = put,
	.count = fixed_count,
	.sample = sample,
	.divide = divide,
	.load = load,
	.sort = sort,
};
