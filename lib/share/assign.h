#ifndef HP_SHARE_ASSIGN_H
#define HP_SHARE_ASSIGN_H

/*
 * Whole sublists to nodes of unlike speed: the largest sublist first, each to
 * the node that would be done with it, and with all it has got before, the
 * earliest.  The task queue of sorting by over-partitioning (Li and Sevcik
 * 1994; Cérin, Koskas, Jemni, Fkaier 2004, section 2.2; Graham 1969 for equal
 * machines).
 *
 * That alone leaves slow nodes short of up to one of the smallest sublists.  So
 * then, as long as the last node to be done gets done earlier by it, one of its
 * sublists is exchanged for another node's, or given away, until all are done
 * within 0.01 % of each other.
 */

#include "base/err.h"
#include "share/cluster.h"

/*
 * to[i] becomes the rank that gets the sublist of size[i] items; a node's time
 * is the sum of its curve's times of its sublists, and it gets no more items
 * than the curve's limit.  Ties go to the lower sublist and the lower rank.
 * HP_NOSHARE when a sublist fits nowhere, largest first.
 * O(n (log n + nodes)), and O(n log n) for each of at most 4 n exchanges.
 */
int share_assign(const struct cluster *, const uint64_t *size, size_t n,
    uint32_t *to, struct hp_err *);

#endif
