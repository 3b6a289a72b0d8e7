#ifndef HP_DOC_CANDIDATES_H
#define HP_DOC_CANDIDATES_H

/*
 * The candidate and count lines of hp-sublists(5), from which the ends of
 * sublists are chosen.
 */

#include <stdio.h>

#include "doc/lines.h"
#include "split/select.h"
#include "split/tally.h"

/* The members key, rank and index; the caller frees the key. */
int doc_place(const struct doc_in *, struct pivot *, struct hp_err *);

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

#endif
