#ifndef HP_RECORD_PIECESUM_H
#define HP_RECORD_PIECESUM_H

/*
 * The order-free checksum of records (base/sum.h) whose bytes come in pieces. A
 * piece may begin and end inside a record, so no other pass reads the records.
 */

#include <stdint.h>

#include "base/err.h"
#include "base/sum.h"
#include "record/pieces.h"

struct piecesum {
	struct pieces pieces;
	struct sum sum;
	uint64_t records, bytes; /* bytes count a delimiter for each line */
};

/* Begins a sum of no records. Reuses the memory of an earlier sum. */
void piecesum_begin(struct piecesum *, const struct format *);
/* Fails with HP_NOMEM if a record does not fit into memory. */
int
piecesum_add(struct piecesum *, const unsigned char *, size_t, struct hp_err *);
/*
 * Counts a last line that lacks its delimiter as if it had one, like hpsort.
 * Fails with HP_INPUT if the last record of fixed size is incomplete.
 */
int piecesum_end(struct piecesum *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void piecesum_fini(struct piecesum *);

#endif
