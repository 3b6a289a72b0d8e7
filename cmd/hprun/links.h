#ifndef HP_CMD_HPRUN_LINKS_H
#define HP_CMD_HPRUN_LINKS_H

/*
 * How the nodes find each other in the exchange: cluster.jsonl, which every
 * node gets, with their directories and ports, and with tcp the key of the run.
 */

#include "run.h"

/* The lines of the nodes that take part, as nodes.jsonl. */
int links_source(struct run *, struct hp_err *);
/* -R: a random order is the same on all nodes. */
int links_random(struct run *, struct hp_err *);
int make_links(struct run *, struct hp_err *);
/* A copy of a file of the launcher for every node, and nobody else. */
int put_everywhere(struct run *, const char *file, struct hp_err *);

#endif
