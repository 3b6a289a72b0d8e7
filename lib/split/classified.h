#ifndef HP_SPLIT_CLASSIFIED_H
#define HP_SPLIT_CLASSIFIED_H

/* Reads records together with the sublists to which they belong. */

#include "record/stream.h"
#include "split/classify.h"

struct classified {
	struct reader *in;
	struct classifier *by;
	/*
	 * The index of a record is its offset, from the first record, and not
	 * its number.
	 */
	bool by_offset;
	uint64_t index; /* index of the next record that is read */
	/* Private. */
	const unsigned char *at, *end; /* text that is not yet classified */
	struct span record[CLASSIFY_MOST];
	size_t to[CLASSIFY_MOST];
	size_t n, next;
};

/*
 * Returns 1, the next record without its delimiter, and the number of its
 * sublist.  The record is valid until the next call.  Returns 0 at the end of
 * the input and -1 on an error, like reader_next.
 */
int classified_next(
    struct classified *, struct span *record, size_t *to, struct hp_err *);

#endif
