#include <string.h>

#include "bucket/lines.h"
#include "bucket/loader.h"
#include "bucket/reader.h"
#include "bucket/text.h"
#include "input/blocks.h"

static void
choose(struct buckets *b)
{
	/*
	 * Equal lines have the same bytes, so the order among them does not
	 * matter.
	 */
	b->in_order = false;
	b->in->passing = b->in->copied = true;
	b->in->per_record = TEXT_HEAD;
}

static uint64_t
copy_long(struct reader *r, struct span line)
{
	void *copy = heap_bytes(r->pile->heap, line.len);

	if (copy == NULL)
		return 0;
	memcpy(copy, line.at, line.len);
	return reader_place(r, copy, line.len);
}

/*
 * Appends one line to the list of bucket `to`. A line of 64 KiB or more is
 * copied only if its block of input text will be reused. Otherwise the line
 * stays where it is (input_keep), and the text before it is dropped.
 */
static int
put_line(struct reader *r, struct span line, size_t to)
{
	size_t depth = r->buckets->division.tree.leaf[to].depth;
	uint64_t place;

	line.at += depth;
	line.len -= depth;
	if (line.len <= TEXT_NEAR_MOST)
		return text_put_near(r->pile, to, line);
	if (line.len < PLACE_LONG)
		place = text_keep(r->pile->heap, line);
	else if (r->block.passes)
		place = copy_long(r, line);
	else {
		place = reader_place(r, line.at, line.len);
		input_keep(
		    r->buckets->in, &r->block, line.at, line.at + line.len);
	}
	return place == 0 ? -1 : text_put_far(r->pile, to, place);
}

static int
put(struct reader *r, const uint16_t *to)
{
	for (size_t i = 0; i < r->n; i++)
		if (put_line(r, r->key[i], to[i]) == -1)
			return -1;
	return 0;
}

static size_t
count(const struct buckets *b, const struct list *l)
{
	(void)b;
	return l->n;
}

static size_t
sample(const struct buckets *b, const struct bucket *k, struct span *key,
    size_t most)
{
	size_t step = k->n / most + 1, n = 0, i = 0;
	uint64_t place;

	for (unsigned w = 0; w < b->threads; w++) {
		struct walk at = list_walk(&k->list[w]);

		for (; walk_bytes(&at) > 0; walk_next(&at)) {
			const unsigned char *s = at.chunk->data;
			const unsigned char *end = s + at.chunk->used;

			while (s < end) {
				place = text_next(&s);
				if (i++ % step == 0)
					key[n++] = place_span(place);
			}
		}
	}
	return n;
}

static int
divide(const struct buckets *b, const struct division *d, struct pile *p,
    const struct chunk *c)
{
	const unsigned char *s = c->data, *end = s + c->used;
	struct span line;
	uint64_t place;
	size_t to, depth;
	bool near;

	(void)b;
	while (s < end) {
		near = text_near(s);
		place = text_next(&s);
		line = place_span(place);
		to = tree_find(&d->tree, line);
		depth = d->tree.leaf[to].depth;
		if (near) {
			line.at += depth;
			line.len -= depth;
		} else
			place = text_skip(place, depth);
		if ((near ? text_put_near(p, to, line)
			  : text_put_far(p, to, place)) == -1)
			return -1;
	}
	return 0;
}

static size_t
load(struct loader *l, struct entry *x, size_t room)
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
				loader_prefetch(at->chunk, s);
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

static size_t
sort(struct loader *l, struct entry *x, size_t room)
{
	size_t n = load(l, x, room);

	loader_sort(l, x, n);
	return n;
}

const struct kind kind_lines = {
	.has_prefix = true,
	.choose = choose,
	.put = put,
	.count = count,
	.sample = sample,
	.divide = divide,
	.load = load,
	.sort = sort,
};
