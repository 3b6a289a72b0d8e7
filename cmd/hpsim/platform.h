#ifndef HP_CMD_HPSIM_PLATFORM_H
#define HP_CMD_HPSIM_PLATFORM_H

/*
 * The simulated machines.  Each machine has a link to a switch, which has no
 * limits of its own.  The launcher is host "L", and the node of rank 7 is host
 * "n7".  A group of nodes, such as group 7, has two hosts on the same link,
 * "g7" and "t7", so that its nodes can send to each other.
 */

#include "movers.h"

enum {
	HOST_NAME = 32
};

/*
 * Starts SimGrid and creates the hosts.  If SimGrid lacks memory, it ends the
 * process.
 */
int platform_make(const struct work *, const struct movers *, bool half_duplex,
    struct hp_err *);

/*
 * Stores the host name of a node, of a mover, or of the second host of a group.
 */
void platform_node(const struct work *, size_t rank, char name[HOST_NAME]);
void platform_mover(const struct work *, const struct movers *, size_t mover,
    char name[HOST_NAME]);
void platform_twin(size_t mover, char name[HOST_NAME]);

#endif
