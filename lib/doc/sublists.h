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
	uint64_t nodes; /* number of nodes the sublists are for; 0: unknown */
	/*
	 * How the ends were chosen, and from how many candidates. NULL:
	 * unknown.
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
 * `nodes` must have the same one, above every rank. If probes is not NULL, a
 * document of candidates, or an empty one, is accepted too. Sorted, n
 * candidates are the ends of n sublists, and one more sublist follows. Then
 * *probes becomes true.
 */
int doc_sublists_read(
    const char *path, struct sublists *, bool *probes, struct hp_err *);

#endif
