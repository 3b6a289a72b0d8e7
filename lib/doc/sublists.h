#ifndef HP_DOC_SUBLISTS_H
#define HP_DOC_SUBLISTS_H

/*
 * Reads and writes the sublist lines of hp-sublists(5). doc/candidates.h and
 * doc/extents.h handle its other lines.
 */

#include <stdio.h>

#include "base/err.h"
#include "split/pivot.h"

/* Values that are the same on every sublist line. */
struct sublists_note {
	/* number of nodes for which the sublists were made; 0: unknown */
	uint64_t nodes;
	/*
	 * The method that chose the ends of the sublists, and the number of
	 * candidates that it had. If the method is NULL, both are unknown.
	 */
	const char *method;
	uint64_t candidates;
	/* see hp-sublists(5); NAN: unknown */
	double probability;
};

int doc_sublist_write(FILE *, uint64_t number, const struct sublist *,
    const struct sublists_note *, struct hp_err *);
/*
 * Reads sublist lines, numbered 0, 1, ... in order. All lines with a member
 * `nodes` must have the same number, which is above every rank. If probes is
 * not NULL, the document may also have only candidate lines, or no lines. Then
 * *probes becomes true, n candidates become the ends of n sublists, and one
 * more sublist follows the last candidate.
 */
int doc_sublists_read(
    const char *path, struct sublists *, bool *probes, struct hp_err *);

#endif
