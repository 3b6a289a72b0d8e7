#ifndef HP_DOC_PARTS_H
#define HP_DOC_PARTS_H

/*
 * Documents with which hprun describes a result on several nodes: the parts of
 * the result, and the sums that prove that it is complete. The lines have the
 * forms of hp-sublists(5) and hp-summary(5).
 */

#include <stdio.h>

#include "base/sum.h"
#include "check/summary.h"
#include "doc/extents.h"
#include "doc/lines.h"

/*
 * Number and checksum of the records that a node received as input, sent, or
 * had at the end.
 */
struct part_sum {
	uint64_t from; /* rank of the node that reported it */
	uint64_t to;   /* rank of the node that the records are for */
	uint64_t records, bytes;
	struct sum checksum;
};

struct part_sums {
	struct part_sum *v;
	size_t n, cap;
};

void part_sums_fini(struct part_sums *);
/*
 * Reads the checksums that the node `rank` has reported, from lines of the
 * types sum, summary and dropped. Appends them to the list. If a line has a
 * member `sublist` (from hpcheck --extents), the value of this member is the
 * rank of the node that the records are for. Otherwise the records are for the
 * node `rank` itself.
 */
int doc_sums_read(
    const char *path, uint64_t rank, struct part_sums *, struct hp_err *);

/*
 * A part of the result: which bytes of a node's file it has, and its place in
 * the result.
 */
struct part {
	uint64_t sublist, rank, offset, bytes, records;
	uint64_t at; /* offset in the result */
};

struct parts {
	struct part *v;
	size_t n, cap;
};

void parts_fini(struct parts *);
/*
 * Reads the extents of the file as parts that are stored on node `rank`. Empty
 * extents are left out.
 */
int doc_pieces_read(
    const char *path, uint64_t rank, struct parts *, struct hp_err *);
/*
 * Reads the file deal.jsonl, which has one extent of the input for each node.
 * Stores the extents as parts, including empty ones.
 */
int doc_deal_read(const char *path, struct parts *, struct hp_err *);
/* Adds up the numbers of records on all count lines of a file. */
int doc_total_read(const char *path, uint64_t *records, struct hp_err *);
/*
 * A sorted result consists of parts, which lie in files of several nodes. Sorts
 * the parts by the numbers of their sublists. Joins two successive parts if
 * they are also adjacent in one node's file. Assigns each part its offset in
 * the result; the first offset is `header`.
 */
void parts_lay_out(struct parts *, uint64_t header);
int doc_parts_write(FILE *, const struct parts *, struct hp_err *);
int doc_parts_read(const char *path, struct parts *, struct hp_err *);

/*
 * Reads a file of summaries of the parts that node `rank` stores. The summaries
 * are in the same order as the parts in the node's data file. Stores the
 * summary of part i in summary[i], and sets the number of records of part i.
 * Skips summaries of no records. Fails if a summary and its part have different
 * numbers of bytes.
 */
int doc_summaries_match(const char *path, uint64_t rank, struct parts *,
    struct summary *summary, struct hp_err *);

/*
 * Copies the only line of the file `whole`, a summary, and adds the member
 * parts: [{node, path, offset, records, bytes}]. name and path are indexed by
 * rank.
 */
int doc_left_write(FILE *, const char *whole, const struct parts *,
    const char *const *name, const char *const *path, struct hp_err *);

#endif
