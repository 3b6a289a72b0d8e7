#ifndef HP_RUN_ITEM_H
#define HP_RUN_ITEM_H

/*
 * Records as merges compare them: by the first eight bytes of their keys, and
 * only where these are equal by more.
 */

#include <stdint.h>

#include "kernel/entry.h"
#include "record/order.h"

struct item {
	struct span record;
	struct key key; /* VIEW_BUILT only; of a long one the first bytes */
	uint64_t prefix;
};

/* What its record is compared by; the buffer keeps it for VIEW_BUILT.  -1 when
 * there is no memory. */
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

/* <, =, > 0 as a comes before, with, behind b. */
int
item_compare(const struct view *, const struct item *a, const struct item *b);
/* Was its key too long to be built? */
static inline bool
item_is_cut(const struct view *v, const struct item *i)
{
	return view_is_cut(v, 0, i->key.len);
}

/* The primary key's bytes; where that was cut, and for VIEW_NUMBER, the record.
 */
struct span item_primary(const struct view *, const struct item *);
/* Has it the primary key of another item, which is this, and cut or not? */
bool item_repeats(
    const struct view *, const struct item *, struct span primary, bool cut);

#endif
