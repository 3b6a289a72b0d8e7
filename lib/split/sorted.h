#ifndef HP_SPLIT_SORTED_H
#define HP_SPLIT_SORTED_H

/* Cuts sorted records by binary search. */

#include "split/cut.h"

/*
 * Finds where each of n sublists ends in sorted records, as a byte offset from
 * the start of the range. The last sublist ends with the range. Reads O(log
 * records) records per sublist. Fails with HP_INPUT if the records that it
 * reads are not in order.
 */
int cut_sorted(const struct records *, struct classifier *, size_t n,
    uint64_t *end, struct hp_err *);

#endif
