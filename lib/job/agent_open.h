#ifndef HP_JOB_AGENT_OPEN_H
#define HP_JOB_AGENT_OPEN_H

/* Opens and closes the directories of the nodes. */

#include "job/agent_own.h"

int agent_open(struct agent *, const struct message *, struct hp_err *);
/* Closes all nodes and removes directories that are not kept. */
void agent_close(struct agent *);
const struct agent_node *agent_node(const struct agent *, uint64_t rank);

#endif
