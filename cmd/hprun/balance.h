#ifndef HP_CMD_HPRUN_BALANCE_H
#define HP_CMD_HPRUN_BALANCE_H

/*
 * Compares sums of records: those on the one side with those on the other, of
 * each node or of all together.  A run and `hprun --do compare` share the words
 * that tell what is compared:
 *
 *	from|to|all TEXT LEFT... -- RIGHT... -- NODE...
 *
 * from  each node by what it told itself, the sums of file PREFIX.RANK
 * to    each node by what is for it: the member `sublist`, else the file's rank
 * all   all nodes together
 *
 * Sums in a file without a rank are those of the nodes that `sublist` names.
 */

#include "base/err.h"

/*
 * Calls `say` with "NODE: TEXT" for each node whose sides differ.  Returns 0,
 * or 1 if any differs, or -1 with the error.
 */
int
balance(const char *const *words, void (*say)(void *context, const char *line),
    void *context, struct hp_err *);

int compare_do(char *words[], struct hp_err *);

#endif
