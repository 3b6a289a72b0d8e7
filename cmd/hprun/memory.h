#ifndef HP_CMD_HPRUN_MEMORY_H
#define HP_CMD_HPRUN_MEMORY_H

/*
 * Divides the memory and the processors of a machine among the nodes that run
 * on it.
 */

#include "run.h"

/* Parses the option -S.  The default is half of the memory. */
int memory_parse(struct run *, struct hp_err *);
/*
 * Gives all nodes on a machine equal amounts of memory.  This division is used
 * until there is a plan.
 */
void memory_equal(struct run *);
/*
 * Gives each node an amount of memory in proportion to its planned share of the
 * records.
 */
void memory_share(struct run *);
/*
 * Adds the options -S and --parallel for a program that node `rank` runs. The
 * program may use at most so many threads; 0: all processors of the node.
 */
void
memory_words(const struct run *, size_t rank, uint64_t threads, struct words *);

#endif
