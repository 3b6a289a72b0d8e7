#ifndef HP_CMD_HPRUN_MEMORY_H
#define HP_CMD_HPRUN_MEMORY_H

/* Divides a machine's memory and processors among its nodes. */

#include "run.h"

/* Reads -S; the default is half of the memory. */
int memory_parse(struct run *, struct hp_err *);
/* Gives the nodes of a machine equal parts; used until there is a plan. */
void memory_equal(struct run *);
/* Gives each node a part in proportion to its share of the plan. */
void memory_share(struct run *);
/* Adds the node's -S and --parallel. */
void memory_words(const struct run *, size_t rank, struct words *);

#endif
