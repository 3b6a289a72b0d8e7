#ifndef HP_CMD_HPEXCHANGE_MPI_NODE_H
#define HP_CMD_HPEXCHANGE_MPI_NODE_H

/* The exchange of one node, between MPI_Init and MPI_Finalize. */

#include "net/exchange.h"
#include "watchdog.h"

struct node;

/* Begins to talk with the other nodes.  The names must outlive the node. */
struct node *node_new(const char *const *name, uint32_t nodes, uint32_t me,
    struct watch *, struct hp_err *);
/*
 * Runs the exchange.  Its members for connections are not used.
 *   window  frames that may be under way between two nodes
 */
int node_run(struct node *, const struct exchange *, uint32_t window,
    struct exchange_totals *, struct hp_err *);
/*
 * Tells the other nodes why this one fails.  Then the process must end by
 * _exit(2), which also ends the threads of node_run, and without another call
 * of MPI, which may hang.
 */
void node_quit(struct node *, const struct hp_err *);
/* Call it only after node_run has succeeded. */
void node_free(struct node *);

#endif
