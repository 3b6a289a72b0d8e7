#ifndef HP_CMD_HPRUN_MEMORY_H
#define HP_CMD_HPRUN_MEMORY_H

/*
 * Memory and processors, of which the nodes of a machine have parts.
 */

#include "run.h"

/* -S; half of the memory without it. */
int memory_parse(struct run *, struct hp_err *);
/* Equal parts, until there is a plan. */
void memory_equal(struct run *);
/* Parts in proportion to the nodes' shares of the plan. */
void memory_share(struct run *);
/* Adds the node's -S and --parallel. */
void memory_words(const struct run *, size_t rank, struct words *);

#endif
