#ifndef HP_CMD_HPSIM_PLATFORM_H
#define HP_CMD_HPSIM_PLATFORM_H

/*
 * The machines as SimGrid knows them: each has a link to a switch without
 * limits. The launcher is host "L", the node of rank 7 host "n7". The group 7
 * of nodes has two hosts, "g7" and "t7", on the same link, so that its nodes
 * can send to each other.
 */

#include "movers.h"

enum {
	HOST_NAME = 32
};

/*
 * Starts SimGrid and creates the hosts. SimGrid ends the process if it lacks
 * memory.
 */
int platform_make(const struct work *, const struct movers *, bool half_duplex,
    struct hp_err *);

/* Stores the name of a host. */
void platform_node(const struct work *, size_t rank, char name[HOST_NAME]);
void platform_mover(const struct work *, const struct movers *, size_t mover,
    char name[HOST_NAME]);
void platform_twin(size_t mover, char name[HOST_NAME]);

#endif
