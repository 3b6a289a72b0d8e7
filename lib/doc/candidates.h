#ifndef HP_DOC_CANDIDATES_H
#define HP_DOC_CANDIDATES_H

/*
 * Reads and writes the candidate and count lines of hp-sublists(5). A candidate
 * is a record that may become the end of a sublist. A count says how many
 * records of a node sort before a candidate.
 */

#include <stdio.h>

#include "doc/lines.h"
#include "split/select.h"
#include "split/tally.h"

/*
 * Reads the members key, rank and index of the current line, which name one
 * record. The caller frees the key. The value of the member `text` is not read:
 * doc_set_place computes it from the key.
 */
int doc_place(const struct doc_in *, struct pivot *, struct hp_err *);
/*
 * Sets the members key, rank and index of an object. If the key is printable
 * text of at most 64 bytes, also sets `text`. Returns 0, or -1 if memory is
 * short.
 */
int doc_set_place(json_t *, const struct pivot *);

/*
 * Write a line of type `candidate` or `count` of a JSON document. A candidate
 * is a record that may become the boundary of a sublist. `records` is the
 * number of all records in the node's input.
 */
int doc_candidate_write(
    FILE *, const struct pivot *, uint64_t records, struct hp_err *);
int doc_count_write(
    FILE *, uint64_t sublist, uint64_t rank, uint64_t records, struct hp_err *);
/*
 * Appends the document's candidates to the list, without sorting the list, and
 * adds the document's counts to the tally. The caller first sets c->nodes and
 * c->records. If a candidate line gives the number of records of its node, this
 * number replaces the one in c->records.
 */
int doc_candidates_read(
    const char *path, struct candidates *, struct tally *, struct hp_err *);
/* Reads a document that has count lines only. */
int doc_counts_read(const char *path, struct tally *, struct hp_err *);

#endif
