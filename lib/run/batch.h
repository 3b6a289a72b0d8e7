#ifndef HP_RUN_BATCH_H
#define HP_RUN_BATCH_H

/*
 * A batch is a set of records that fits into memory. If the input is larger
 * than memory, each batch becomes one sorted run. Two engines read, sort and
 * write batches: one for numbers and one for all other records. Each engine's
 * struct begins with struct batch, and callers use only this part.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/pile.h"
#include "run/dropped.h"
#include "run/output.h"

struct batch;

struct batch_ops {
	/*
	 * Reads the next batch. Returns 1 if memory is full and input remains,
	 * 0 at the end of the input, and -1 on an error.
	 */
	int (*read)(struct batch *, struct hp_err *);
	/*
	 * Sorts the batch, writes it and empties the memory. Sets *records to
	 * the number of records written. With -u, repeated records are left
	 * out.
	 */
	int (*write)(struct batch *, struct output *, uint64_t *records,
	    struct hp_err *);
	/* Frees the batch and all that it holds. */
	void (*fini)(struct batch *);
};

struct batch {
	const struct batch_ops *ops;
	struct arena *arena; /* holds the records; empty between batches */
	/*
	 * The batch counts how often each value occurs, and stores no records.
	 * The counts never fill the memory, so the whole input is one batch.
	 */
	bool counted;
	uint64_t records, bytes; /* number of records and bytes in this batch */
	/*
	 * length in bytes of the longest record so far, in all batches; 0 for
	 * numbers
	 */
	_Atomic size_t longest;
	/*
	 * counts and checksum of the records that -u has left out so far, in
	 * all batches
	 */
	struct dropped dropped;
};

/* batch may be NULL. */
static inline void
batch_fini(struct batch *b)
{
	if (b != NULL)
		b->ops->fini(b);
}

#endif
