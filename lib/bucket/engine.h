#ifndef HP_BUCKET_ENGINE_H
#define HP_BUCKET_ENGINE_H

/*
 * The state of the engine for records, which only the files of lib/bucket use.
 *
 * A batch is sorted in three phases, each by all threads:
 *
 *  1. Reading (reading.h).  One pass over the input finds the records and
 * appends an element for each to the list of its bucket.  The buckets are
 * ranges of keys, in order, chosen by a sample (plan.h).  There are four kinds
 * of elements (kind.h): for short records the records themselves, so that later
 *     phases find them in the cache; for others a key and an address.
 *  2. Refining (refine.h).  Buckets too large for the cache are divided again.
 *  3. Emitting (emit.h).  Each thread takes the next bucket, sorts its elements
 *     in the cache, gathers their records in a buffer and writes them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "bucket/division.h"
#include "bucket/rounds.h"
#include "input/input.h"
#include "kernel/brief.h"
#include "kernel/entry.h"
#include "kernel/kernel.h"
#include "kernel/pile.h"
#include "run/batch.h"

struct kind;

/*
 * A range of keys.  Its elements have the first `depth` bytes of stage `stage`
 * (entry.h) in common; their keys are the 8 bytes behind these.
 */
struct bucket {
	struct list *list;  /* the elements: one list for each thread */
	size_t n, bytes;    /* of the elements */
	struct span prefix; /* of lines: what all begin with, not in the list */
	size_t depth;
	unsigned stage;
	struct brief brief; /* how a key is shortened to a number */
	bool equal;	    /* all have the same key */
	bool cut;	    /* equal, and the keys are cut off behind it */
	bool sorted;	    /* all are equal; any order will do */
};

struct buckets {
	struct batch batch; /* first */
	struct view view;
	struct input *in;
	unsigned threads;
	unsigned writers; /* threads, and spare ones for while a disk is slow */
	const struct kind *kind; /* of the elements; chosen by the plan */
	size_t element;		 /* bytes of one; of a line, of its entry */
	unsigned char *base;	 /* distances in brief elements are from here */
	unsigned off_bits;	 /* of such a distance */
	const struct kernel *kernel; /* sorts brief elements */
	bool in_order;		     /* equal records stay in input order */
	size_t leaf;	   /* elements that one thread sorts at once, at most */
	size_t leaf_bytes; /* the same in bytes; of lines only */
	size_t part;	   /* elements that a bucket should have */
	size_t part_bytes; /* the same in bytes; of lines only */
	size_t gather;	   /* bytes that a thread writes at once */
	size_t want;	   /* buckets */

	struct arena arena;
	struct heap *heap;	  /* one for each thread */
	struct division division; /* into the first buckets */
	bool planned;
	struct rounds rounds;
	struct bucket *bucket;
	size_t nbuckets;
	struct list **lists; /* the arrays that the buckets' lists lie in */
	size_t nlists;
	struct hp_err *err; /* one for each writer */
};

/* The end of the record at s, without a delimiter; the text ends at end. */
static inline const unsigned char *
buckets_record_end(
    const struct format *f, const unsigned char *s, const unsigned char *end)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return s + f->size;
	p = memchr(s, f->delim, (size_t)(end - s));
	return p == NULL ? end : p;
}

#endif
