#ifndef HP_DOC_SUBLISTS_H
#define HP_DOC_SUBLISTS_H

/*
 * The sublist lines of hp-sublists(5); doc/candidates.h and doc/extents.h have
 * the others.
 */

#include <stdio.h>

#include "base/err.h"
#include "split/pivot.h"

/* What is the same on each sublist line. */
struct sublists_note {
	uint64_t nodes; /* that they are for; 0: not told */
	/* What the ends were chosen from; NULL: not told. */
	const char *method;
	uint64_t candidates;
	double probability; /* NAN: there is no such bound */
};

int doc_sublist_write(FILE *, uint64_t number, const struct sublist *,
    const struct sublists_note *, struct hp_err *);
/*
 * The sublist lines must be numbered 0, 1, ... in order, and tell all the same
 * number of nodes, above their ranks, where they tell it.  A document of
 * candidates, or nothing, does as well where probes is not NULL: sorted they
 * are the ends of as many sublists and a last one, and *probes becomes true.
 */
int doc_sublists_read(
    const char *path, struct sublists *, bool *probes, struct hp_err *);

#endif
