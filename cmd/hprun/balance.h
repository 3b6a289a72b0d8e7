#ifndef HP_CMD_HPRUN_BALANCE_H
#define HP_CMD_HPRUN_BALANCE_H

/*
 * Compares the record counts and checksums of two sides, for each node or for
 * all nodes together.  A run and `hprun --do compare` use the same words to
 * select what is compared:
 *
 * 	from|to|all TEXT LEFT... -- RIGHT... -- NODE...
 *
 * from  compares each node's own sums, which are in the files PREFIX.RANK
 * to    compares by receiving node: the member `sublist` names it, or
 *       without that member the rank in the file name
 * all   compares the totals over all nodes
 *
 * If a file name has no rank, its sums belong to the nodes named by `sublist`.
 */

#include "base/err.h"

/*
 * Calls `say` with "NODE: TEXT" for each node whose two sides differ.  Returns
 * 0 if none differs, 1 if any differs, and -1 with the error set.
 */
int
balance(const char *const *words, void (*say)(void *context, const char *line),
    void *context, struct hp_err *);

int compare_do(char *words[], struct hp_err *);

#endif
