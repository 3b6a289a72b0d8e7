#ifndef HP_CHECK_PIECECHECK_H
#define HP_CHECK_PIECECHECK_H

/*
 * Checks records while their bytes pass through a program, so that nothing has
 * to read them a second time. The bytes arrive in pieces, which may begin and
 * end inside a record.
 */

#include "check/check.h"
#include "record/pieces.h"

struct piececheck {
	struct check check;
	struct pieces pieces; /* a record that is not complete yet */
};

/*
 * Starts a check of no records. The order must be complete (order_ready) and
 * must outlive the check. The struct must be zeroed before its first use; the
 * memory of an earlier check is reused.
 */
void piececheck_begin(struct piececheck *, const struct order *);
/* Does nothing on a zeroed struct. */
void piececheck_fini(struct piececheck *);
/*
 * Adds a piece of data. Records out of order are counted in the summary; they
 * are no error. Fails with HP_NOMEM if a record does not fit into memory.
 */
int piececheck_add(
    struct piececheck *, const unsigned char *, size_t, struct hp_err *);
/*
 * Ends the data. A last line that lacks its delimiter counts as if it had one.
 * Fails with HP_INPUT if a last record of fixed size is incomplete.
 */
int piececheck_end(struct piececheck *, struct hp_err *);
/* Frees all memory except that of the summary. */
void piececheck_rest(struct piececheck *);

#endif
