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
	/* elements lack the prefix that all in a bucket share */
	bool has_prefix;

	/*
	 * Called when the plan has chosen this kind. Sets the engine's fields
	 * about elements and the input's memory reserve.
	 */
	void (*choose)(struct buckets *);
	/*
	 * Appends the reader's record i to bucket to[i], for all records.
	 * Returns -1 if memory is full.
	 */
	int (*put)(struct reader *, const uint16_t *to);
	/* Returns the number of elements in a list. */
	size_t (*count)(const struct buckets *, const struct list *);
	/*
	 * Stores the keys of at most `most` elements, evenly from all lists of
	 * a bucket. Returns their number.
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
	 * Makes entries of the next elements of a bucket, at most `room`. They
	 * are unsorted and their keys are undefined. Returns their number.
	 */
	size_t (*load)(struct loader *, struct entry *, size_t room);
	/*
	 * Makes sorted entries of a whole bucket, which has at most `room`
	 * elements. Returns their number.
	 */
	size_t (*sort)(struct loader *, struct entry *, size_t room);
};

#endif
