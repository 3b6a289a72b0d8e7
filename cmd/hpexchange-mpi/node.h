#ifndef HP_CMD_HPEXCHANGE_MPI_NODE_H
#define HP_CMD_HPEXCHANGE_MPI_NODE_H

/* The exchange of one node, between MPI_Init and MPI_Finalize. */

#include "net/exchange.h"
#include "watchdog.h"

struct node;

/*
 * Begins to send notes to the other nodes and to receive theirs.  The names
 * must exist as long as the node.
 */
struct node *node_new(const char *const *name, uint32_t nodes, uint32_t me,
    struct watch *, struct hp_err *);
/*
 * Sends and receives the records of the node.  The members of struct exchange
 * about connections are not used.
 *   window  frames that may be in transit between two nodes
 */
int node_run(struct node *, const struct exchange *, uint32_t window,
    struct exchange_totals *, struct hp_err *);
/*
 * Tells the other nodes why this node fails.  After that, the process must end
 * by _exit(2), which also ends the threads of node_run.  It must not call MPI
 * again, because the call may hang.
 */
void node_quit(struct node *, const struct hp_err *);
/*
 * Frees the node.  Call it only after node_run has succeeded: after a failure,
 * threads may still use the node.
 */
void node_free(struct node *);

#endif
