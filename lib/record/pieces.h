#ifndef HP_RECORD_PIECES_H
#define HP_RECORD_PIECES_H

/*
 * Splits data into records. The data arrives in pieces, which may begin and end
 * inside a record.
 */

#include <stddef.h>

#include "base/err.h"
#include "record/format.h"

struct pieces {
	const struct format *format; /* must outlive the pieces */
	/* the first bytes of a record whose last bytes have not arrived yet */
	unsigned char *part;
	size_t len, cap;
};

/* Called for each complete record. A line is passed without its delimiter. */
typedef int pieces_call(
    void *context, const unsigned char *record, size_t len, struct hp_err *);

/*
 * Prepares a struct pieces for new data, and keeps memory that it has
 * allocated.
 */
void pieces_begin(struct pieces *, const struct format *);
/* Does nothing on a zeroed struct. */
void pieces_fini(struct pieces *);
/*
 * Adds a piece of data. Calls the function for each record that is now
 * complete. Fails if the function returns -1, or with HP_NOMEM if a record does
 * not fit into memory.
 */
int pieces_add(struct pieces *, const unsigned char *, size_t, pieces_call *,
    void *context, struct hp_err *);
/*
 * Declares that no more data follow. Passes a last line without delimiter to
 * the pieces_call function. Fails with HP_INPUT if a last record of fixed size
 * is incomplete.
 */
int pieces_end(struct pieces *, pieces_call *, void *context, struct hp_err *);

#endif
