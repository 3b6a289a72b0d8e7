#ifndef HP_DOC_SUBLISTS_H
#define HP_DOC_SUBLISTS_H

/*
 * The candidate, sublist and count lines of hp-sublists(5); its extent lines
 * are in doc/extents.h.
 */

#include <stdio.h>

#include "base/err.h"
#include "split/pivot.h"
#include "split/select.h"
#include "split/tally.h"

/* records: how many the node's input has. */
int doc_candidate_write(
    FILE *, const struct pivot *, uint64_t records, struct hp_err *);
int doc_count_write(
    FILE *, uint64_t sublist, uint64_t rank, uint64_t records, struct hp_err *);
/*
 * Adds the candidates of the document to the list, which is not sorted here,
 * and its counts to the tally.  c->nodes and c->records are set before; a
 * candidate that tells how many records its node has overrides those.
 */
int doc_candidates_read(
    const char *path, struct candidates *, struct tally *, struct hp_err *);
/* A document of counts alone. */
int doc_counts_read(const char *path, struct tally *, struct hp_err *);

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
