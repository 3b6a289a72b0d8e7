#include "kernel/entry.h"
#include "record/key.h"

void
view_init(struct view *v, const struct order *o)
{
	*v = (struct view){ .order = o,
		.kind = o->format.kind == FORMAT_NUMBER ? VIEW_NUMBER
		    : o->slice				? VIEW_SLICE
							: VIEW_BUILT,
		.stages = o->tie ? 2 : 1,
		.key_most = KEY_MOST };
	v->flip[0] = o->slice && o->flip;
	v->flip[1] = o->global.reverse;
}

uint64_t
number_load(const struct order *o, const unsigned char *at)
{
	const struct format *f = &o->format;
	uint64_t key = 0, top = (uint64_t)1 << 63;

	/*
	 * If the number has fewer than 8 bytes, shift it to the left. So its
	 * sign bit becomes the top bit of `key`.
	 */
	memcpy(&key, at, f->size);
	if (f->big_endian)
		key = be64toh(key);
	else
		key = le64toh(key) << (64 - 8 * f->size);
	if (f->number == NUMBER_FLOAT && (key & top) != 0)
		key = ~key;
	else if (f->number != NUMBER_UNSIGNED)
		key ^= top;
	return o->flip ? ~key : key;
}

static int
span_compare(struct span a, struct span b, size_t depth, bool flip)
{
	size_t alen = depth < a.len ? a.len - depth : 0;
	size_t blen = depth < b.len ? b.len - depth : 0;
	int c = memcmp(a.at + a.len - alen, b.at + b.len - blen,
	    alen < blen ? alen : blen);

	if (c == 0)
		c = (alen > blen) - (alen < blen);
	return flip ? -c : c;
}

static int
compare_records(const struct view *v, uint64_t a, uint64_t b, bool primary)
{
	struct span x = view_record(v, a), y = view_record(v, b);

	return order_compare(v->order, x.at, x.len, y.at, y.len, primary);
}

int
view_compare(
    const struct view *v, uint64_t a, uint64_t b, unsigned stage, size_t depth)
{
	uint64_t x, y;
	int c;

	if (v->kind == VIEW_NUMBER) {
		x = view_load(v, a, 0, 0);
		y = view_load(v, b, 0, 0);
		return (x > y) - (x < y);
	}
	do {
		c = span_compare(view_bytes(v, a, stage),
		    view_bytes(v, b, stage), depth, v->flip[stage]);
		if (c == 0 &&
		    view_is_cut(v, stage, view_bytes(v, a, stage).len))
			return compare_records(v, a, b, false);
		depth = 0;
	} while (c == 0 && ++stage < v->stages);
	return c;
}

bool
view_same(const struct view *v, uint64_t a, uint64_t b)
{
	struct span x, y;

	if (v->kind == VIEW_NUMBER)
		return view_load(v, a, 0, 0) == view_load(v, b, 0, 0);
	x = view_bytes(v, a, 0);
	y = view_bytes(v, b, 0);
	return x.len == y.len && memcmp(x.at, y.at, x.len) == 0 &&
	    (!view_is_cut(v, 0, x.len) || compare_records(v, a, b, true) == 0);
}
