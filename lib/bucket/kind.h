#ifndef HP_BUCKET_KIND_H
#define HP_BUCKET_KIND_H

/*
 * The kinds of elements that buckets hold.
 *
 *  kind     element                      for
 *  lines    the line without its prefix  short lines whose key is all of them
 *  moved    the record                   short records, if ties need no order
 *  briefs   8 bytes: key and distance    other records with the key in them
 *  entries  16 bytes: key and address    all others
 *
 * A function of a kind works on many elements at once: on the keys that the
 * reader has collected, on a chunk, or on a bucket.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bucket/division.h"
#include "bucket/engine.h"
#include "kernel/entry.h"
#include "kernel/pile.h"

struct loader;
struct reader;

struct kind {
	bool briefs;	 /* their buckets need struct brief */
	bool has_prefix; /* elements lack what all in a bucket begin with */

	/* The plan has chosen this kind: sets the engine's fields about
	 * elements, and what the input reserves for them. */
	void (*choose)(struct buckets *);
	/* Appends the reader's records to the buckets to[i].  -1 when the
	 * memory is used up. */
	int (*put)(struct reader *, const uint16_t *to);
	/* How many elements a list has. */
	size_t (*count)(const struct buckets *, const struct list *);
	/* The keys of at most `most` elements, evenly from all lists of a
	 * bucket.  Returns how many. */
	size_t (*sample)(const struct buckets *, const struct bucket *,
	    struct span *key, size_t most);
	/* Appends the elements of a chunk to the buckets of the division.  -1
	 * when the memory is used up. */
	int (*divide)(const struct buckets *, const struct division *,
	    struct pile *, const struct chunk *);
	/* Entries of the next elements of a bucket, at most `room`, unsorted;
	 * their keys are undefined.  Returns how many. */
	size_t (*load)(struct loader *, struct entry *, size_t room);
	/* Sorted entries of a whole bucket of at most `room` elements.  Returns
	 * how many. */
	size_t (*sort)(struct loader *, struct entry *, size_t room);
};

#endif
