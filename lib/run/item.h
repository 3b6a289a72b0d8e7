#ifndef HP_RUN_ITEM_H
#define HP_RUN_ITEM_H

/*
 * A record and its key. A merge first compares `prefix`, the first eight bytes
 * of the keys. If these are equal, it compares the whole keys.
 */

#include <stdint.h>

#include "kernel/entry.h"
#include "record/key.h"
#include "record/order.h"

struct item {
	struct span record;
	/*
	 * The key, if keys are built from parts of a record (VIEW_BUILT).
	 * Otherwise unused. A long key is truncated.
	 */
	struct key key;
	uint64_t prefix;
};

/*
 * Sets the key and the prefix from the record. If keys are built from parts of
 * a record (VIEW_BUILT), stores the bytes of the key in buf. Returns -1 if
 * there is no memory.
 */
static inline int
item_load(const struct view *v, struct item *i, struct keybuf *buf)
{
	switch (v->kind) {
	case VIEW_NUMBER:
		i->prefix = number_load(v->order, i->record.at);
		break;
	case VIEW_SLICE:
		i->prefix = span_load(view_slice(v, i->record), 0, v->flip[0]);
		break;
	case VIEW_BUILT:
		buf->most = v->key_most;
		if (order_key(v->order, i->record.at, i->record.len, buf,
			&i->key) == -1)
			return -1;
		i->prefix = load_top(i->key.bytes, i->key.len);
		break;
	}
	return 0;
}

/*
 * Returns a number below, equal to or above 0 if a sorts before, with or after
 * b.
 */
int
item_compare(const struct view *, const struct item *a, const struct item *b);
/*
 * Returns true if the key was too long, so that only its first bytes were
 * built.
 */
static inline bool
item_is_cut(const struct view *v, const struct item *i)
{
	return view_is_cut(v, 0, i->key.len);
}

/*
 * Returns the bytes of the primary key. Returns the whole record if the record
 * is a number, or if only the first bytes of a long key were built.
 */
struct span item_primary(const struct view *, const struct item *);
/*
 * Returns true if the item's primary key equals `primary`. If the key was too
 * long to be stored, `cut` is set, and `primary` is a whole record instead of a
 * key.
 */
bool item_repeats(
    const struct view *, const struct item *, struct span primary, bool cut);

#endif
