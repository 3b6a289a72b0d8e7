#ifndef HP_BUCKET_KIND_H
#define HP_BUCKET_KIND_H

/*
 * The kinds of elements that buckets contain.
 *
 *   kind     element                      used for
 *   lines    the line without its prefix  short lines that are their own keys
 *   moved    the record                   short records, if ties need no order
 *   briefs   8 bytes: key and offset      other records that contain the key
 *   entries  16 bytes: key and address    all other records
 *
 * Each function of a kind handles many elements at once: those that the reader
 * has collected, a chunk, or a bucket.
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
	bool briefs; /* buckets need a struct brief */
	/* elements omit the prefix that all lines of their bucket share */
	bool has_prefix;

	/*
	 * Called when the plan has chosen this kind. Sets the engine's fields
	 * about elements and the input's memory reserve.
	 */
	void (*choose)(struct buckets *);
	/*
	 * Appends each record i of the reader to bucket to[i]. Returns -1 if
	 * memory is full.
	 */
	int (*put)(struct reader *, const uint16_t *to);
	/* Returns the number of elements in a list. */
	size_t (*count)(const struct buckets *, const struct list *);
	/*
	 * Stores a sample of the keys in a bucket: at most `most` keys, spread
	 * evenly over its lists. Returns their number.
	 */
	size_t (*sample)(const struct buckets *, const struct bucket *,
	    struct span *key, size_t most);
	/*
	 * Appends the elements of a chunk to the buckets of the division.
	 * Returns -1 if memory is full.
	 */
	int (*divide)(const struct buckets *, const struct division *,
	    struct pile *, const struct chunk *);
	/*
	 * Converts the next elements of a bucket to entries, at most `room`.
	 * The entries are unsorted and their keys are undefined. Returns their
	 * number.
	 */
	size_t (*load)(struct loader *, struct entry *, size_t room);
	/*
	 * Converts a whole bucket of at most `room` elements to sorted entries.
	 * Returns their number.
	 */
	size_t (*sort)(struct loader *, struct entry *, size_t room);
};

#endif
