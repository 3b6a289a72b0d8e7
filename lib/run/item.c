#include "record/key.h"
#include "run/item.h"

static int
compare_spans(struct span a, struct span b, bool flip)
{
	int c = key_cmp(a.at, a.len, b.at, b.len);

	return flip ? -c : c;
}

static int
compare_built(const struct view *v, const struct item *a, const struct item *b)
{
	int c = key_cmp(a->key.bytes, a->key.len, b->key.bytes, b->key.len);

	if (c != 0 || !item_is_cut(v, a))
		return c;
	return order_compare(v->order, a->record.at, a->record.len,
	    b->record.at, b->record.len, false);
}

int
item_compare(const struct view *v, const struct item *a, const struct item *b)
{
	int c;

	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	if (v->kind == VIEW_NUMBER)
		return 0;
	if (v->kind == VIEW_BUILT)
		return compare_built(v, a, b);
	c = compare_spans(
	    view_slice(v, a->record), view_slice(v, b->record), v->flip[0]);
	if (c == 0 && v->stages > 1)
		c = compare_spans(a->record, b->record, v->flip[1]);
	return c;
}

struct span
item_primary(const struct view *v, const struct item *i)
{
	if (v->kind == VIEW_BUILT && !item_is_cut(v, i))
		return (struct span){ i->key.bytes, i->key.primary };
	return v->kind == VIEW_SLICE ? view_slice(v, i->record) : i->record;
}

bool
item_repeats(
    const struct view *v, const struct item *i, struct span primary, bool cut)
{
	struct span s = item_primary(v, i);

	if (cut != item_is_cut(v, i))
		return false;
	if (cut)
		return order_compare(v->order, s.at, s.len, primary.at,
			   primary.len, true) == 0;
	return s.len == primary.len && memcmp(s.at, primary.at, s.len) == 0;
}
