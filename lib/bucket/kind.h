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
	/*
	 * whether elements omit the prefix that all lines of their bucket have
	 * in common
	 */
	bool has_prefix;

	/*
	 * Prepares the engine for this kind of elements: sets the size of an
	 * element, and how much memory the input must reserve per record.
	 */
	void (*choose)(struct buckets *);
	/*
	 * Appends an element to bucket to[i] for each record i that the reader
	 * has collected. Returns -1 if memory is full.
	 */
	int (*put)(struct reader *, const uint16_t *to);
	/* Returns how many elements the list contains. */
	size_t (*count)(const struct buckets *, const struct list *);
	/*
	 * Stores up to `most` keys of a bucket in key[]. The keys are taken at
	 * equal distances from all of its lists. Returns how many it stored.
	 */
	size_t (*sample)(const struct buckets *, const struct bucket *,
	    struct span *key, size_t most);
	/*
	 * Distributes the elements of a chunk (one block of a list) over the
	 * buckets of the division. Returns -1 if memory is full.
	 */
	int (*divide)(const struct buckets *, const struct division *,
	    struct pile *, const struct chunk *);
	/*
	 * Converts up to `room` more elements of a bucket to entries. The
	 * entries are unsorted, and their member `key` is undefined. Returns
	 * the number of entries.
	 */
	size_t (*load)(struct loader *, struct entry *, size_t room);
	/*
	 * Converts all elements of a bucket, at most `room`, to sorted entries.
	 * Returns the number of entries.
	 */
	size_t (*sort)(struct loader *, struct entry *, size_t room);
};

#endif
