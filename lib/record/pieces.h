#ifndef HP_RECORD_PIECES_H
#define HP_RECORD_PIECES_H

/*
 * Records whose bytes come in pieces. A piece may begin and end inside a
 * record.
 */

#include <stddef.h>

#include "base/err.h"
#include "record/format.h"

struct pieces {
	const struct format *format; /* must outlive the pieces */
	/* the beginning of a record whose end is still to come */
	unsigned char *part;
	size_t len, cap;
};

/* Takes a record; a line is passed without its delimiter. */
typedef int pieces_call(
    void *context, const unsigned char *record, size_t len, struct hp_err *);

/* Begins with no bytes. Reuses the memory of earlier records. */
void pieces_begin(struct pieces *, const struct format *);
/* Does nothing on a zeroed struct. */
void pieces_fini(struct pieces *);
/*
 * Calls the function for each record that the bytes complete.  Fails if it
 * returns -1, or with HP_NOMEM if a record does not fit into memory.
 */
int pieces_add(struct pieces *, const unsigned char *, size_t, pieces_call *,
    void *context, struct hp_err *);
/*
 * Passes on a last line that lacks its delimiter. Fails with HP_INPUT if the
 * last record of fixed size is incomplete.
 */
int pieces_end(struct pieces *, pieces_call *, void *context, struct hp_err *);

#endif
