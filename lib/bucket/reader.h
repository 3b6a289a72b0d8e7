#ifndef HP_BUCKET_READER_H
#define HP_BUCKET_READER_H

/*
 * The reader of one thread. It collects some records before it looks up their
 * buckets, because looking up many records at once takes less time per record.
 */

#include <stddef.h>
#include <stdint.h>

#include "bucket/engine.h"
#include "input/input.h"
#include "kernel/entry.h"
#include "kernel/pile.h"
#include "kernel/tree.h"
#include "record/order.h"

struct reader {
	struct buckets *buckets;
	struct pile *pile; /* the lists that this thread fills */
	struct block block;
	struct keybuf buf;
	size_t longest; /* bytes of the longest record */
	/*
	 * The n collected records and their keys. If a key was built from parts
	 * of the record, record[i] points to a struct built, which contains the
	 * key.
	 */
	struct span record[TREE_MANY];
	struct span key[TREE_MANY];
	size_t n;
};

/*
 * Returns the place (address and length in 8 bytes, see entry.h) of the len
 * bytes at `at`. Returns 0 if memory is full.
 */
static inline uint64_t
reader_place(struct reader *r, const void *at, size_t len)
{
	struct span *s;

	if (__builtin_expect(len < PLACE_LONG, 1))
		return place_make(at, len);
	if ((s = heap_bytes(r->pile->heap, sizeof *s)) == NULL)
		return 0;
	*s = (struct span){ at, len };
	return place_make(s, PLACE_LONG);
}

#endif
