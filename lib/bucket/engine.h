#ifndef HP_BUCKET_ENGINE_H
#define HP_BUCKET_ENGINE_H

/*
 * The state of the engine for records. Only the files of lib/bucket use it.
 *
 * A batch is sorted in three phases, each by all threads:
 *
 *   1. Reading (reading.h). One pass over the input finds the records and
 *      appends an element for each to the list of its bucket. Buckets are
 *      ranges of keys, in order, chosen from a sample (plan.h). There are four
 *      kinds of elements (kind.h). Short records are copied, so that later
 *      phases find them in the cache. Others have a key and an address.
 *   2. Refining (refine.h). Buckets too large for the cache are divided again.
 *   3. Emitting (emit.h). Each thread takes the next bucket, sorts its elements
 *      in the cache, gathers their records in a buffer and writes them.
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
 * A bucket holds all records of one range of keys. Its elements are the records
 * themselves or short stand-ins for them. Two records are compared in two
 * stages. Stage 0 compares the primary keys. If these are equal, stage 1
 * compares the whole records. The records of a bucket agree in the first
 * `depth` bytes that stage `stage` compares. If `stage` is 1, their primary
 * keys are equal.
 */
struct bucket {
	struct list *list; /* the elements: one list per thread */
	size_t n, bytes;   /* number and bytes of the elements */
	/*
	 * for lines only: the prefix that all these lines share; the elements
	 * in `list` omit it
	 */
	struct span prefix;
	size_t depth;
	unsigned stage;
	struct brief brief; /* how keys are shortened to brief elements */
	bool equal;	    /* all have the same key */
	/*
	 * The keys were truncated, so `equal` says nothing about the bytes that
	 * are missing. The whole records must be compared.
	 */
	bool cut;
	/*
	 * the bucket needs no sorting: its records are equal in all stages of
	 * the comparison
	 */
	bool sorted;
};

struct buckets {
	struct batch batch; /* must be the first member */
	struct view view;
	struct input *in;
	unsigned threads;
	/*
	 * number of threads that write; it includes spare threads, which run
	 * while other threads wait for a disk
	 */
	unsigned writers;
	/* kind of the elements, chosen by buckets_plan */
	const struct kind *kind;
	/*
	 * size in bytes of an element, which stands for a record in a bucket;
	 * for lines, size of a struct entry
	 */
	size_t element;
	/*
	 * A brief element (a number of 8 bytes) contains the distance of its
	 * record from this address.
	 */
	unsigned char *base;
	unsigned off_bits;	     /* bits of such an offset */
	const struct kernel *kernel; /* sorts brief elements */
	bool in_order;		     /* equal records keep the input order */
	/*
	 * A bucket with more elements than this is divided before it is sorted.
	 */
	size_t leaf;
	size_t leaf_bytes; /* the same in bytes; for lines only */
	size_t part;	   /* target size of a bucket, in elements */
	size_t part_bytes; /* the same in bytes; for lines only */
	size_t gather;	   /* bytes that a thread writes at once */
	size_t want;	   /* number of buckets to ask for */

	struct arena arena;
	struct heap *heap;	  /* one per thread */
	struct division division; /* divides the input into the first buckets */
	bool planned;
	struct rounds rounds;
	struct bucket *bucket;
	size_t nbuckets;
	struct list **lists; /* the arrays that contain the buckets' lists */
	size_t nlists;
	struct hp_err *err; /* one per writer */
};

#endif
