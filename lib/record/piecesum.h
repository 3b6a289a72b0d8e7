#ifndef HP_RECORD_PIECESUM_H
#define HP_RECORD_PIECESUM_H

/*
 * Computes the checksum of records (base/sum.h) while their bytes pass through
 * a program, so that nothing has to read them a second time. The bytes arrive
 * in pieces, which may begin and end inside a record. The checksum does not
 * depend on the order of the records.
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

/*
 * Starts a checksum without records. Memory of an earlier checksum is reused.
 */
void piecesum_begin(struct piecesum *, const struct format *);
/*
 * Adds a piece of data. Fails with HP_NOMEM if a record does not fit into
 * memory.
 */
int
piecesum_add(struct piecesum *, const unsigned char *, size_t, struct hp_err *);
/*
 * Ends the data. A last line that lacks its delimiter counts as if it had one,
 * as in hpsort. Fails with HP_INPUT if a last record of fixed size is
 * incomplete.
 */
int piecesum_end(struct piecesum *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void piecesum_fini(struct piecesum *);

#endif
