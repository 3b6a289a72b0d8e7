#ifndef HP_DOC_PARTS_H
#define HP_DOC_PARTS_H

/*
 * The parts of a result that several nodes have, and the sums that prove it:
 * documents of hprun, made of the lines of hp-sublists(5) and hp-summary(5).
 */

#include <stdio.h>

#include "base/sum.h"
#include "check/summary.h"
#include "doc/extents.h"
#include "doc/lines.h"

/* Records that a node was given, has sent, or has at the end. */
struct part_sum {
	uint64_t from; /* rank of the node that told it */
	uint64_t to;   /* rank of the node that they are for */
	uint64_t records, bytes;
	struct sum checksum;
};

struct part_sums {
	struct part_sum *v;
	size_t n, cap;
};

void part_sums_fini(struct part_sums *);
/*
 * Adds the summary lines of the file, of type sum, summary or dropped.  A line
 * of an extent (hpcheck --extents)
 * is for the node of its member `sublist`; any other is for `rank` itself.
 */
int doc_sums_read(
    const char *path, uint64_t rank, struct part_sums *, struct hp_err *);

/* A part of the result: bytes of a node's file, and where they go. */
struct part {
	uint64_t sublist, rank, offset, bytes, records;
	uint64_t at; /* in the result */
};

struct parts {
	struct part *v;
	size_t n, cap;
};

void parts_fini(struct parts *);
/*
 * The extents of the file as parts; those of no byte are left out.  Each is of
 * the node `rank`.
 */
int doc_pieces_read(
    const char *path, uint64_t rank, struct parts *, struct hp_err *);
/* deal.jsonl: the extents of all nodes as parts, whatever their size. */
int doc_deal_read(const char *path, struct parts *, struct hp_err *);
/* The records of all count lines together. */
int doc_total_read(const char *path, uint64_t *records, struct hp_err *);
/*
 * Sorts the parts by sublist, joins neighbours of one node, and lays them out
 * from offset `header` of the result on.
 */
void parts_lay_out(struct parts *, uint64_t header);
int doc_parts_write(FILE *, const struct parts *, struct hp_err *);
int doc_parts_read(const char *path, struct parts *, struct hp_err *);

/*
 * The summaries of the parts of one node, in the order of its file: each must
 * be of as many bytes as its part, whose `records` are set.  Appends them to
 * *summary, by the index of the part; those of no record are passed over.
 */
int doc_summaries_match(const char *path, uint64_t rank, struct parts *,
    struct summary *summary, struct hp_err *);

/*
 * Copies the one summary line of the file `whole`, and adds the member parts:
 * [{node, path, offset, records, bytes}].  name and path: by rank.
 */
int doc_left_write(FILE *, const char *whole, const struct parts *,
    const char *const *name, const char *const *path, struct hp_err *);

#endif
