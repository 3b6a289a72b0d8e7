#ifndef HP_CMD_HPRUN_FETCHED_H
#define HP_CMD_HPRUN_FETCHED_H

/*
 * Checks the stored parts of the result while the launcher fetches them from
 * the hosts.  The proof then uses what has arrived, and does not depend on what
 * a host says of its own file.  Parts that the merges return as streams are
 * checked by collect.h instead.
 */

#include "checktap.h"
#include "doc/parts.h"
#include "run.h"

struct fetched {
	struct checktap *tap; /* by the index of the part */
	const struct parts *parts;
};

/* Returns whether the launcher checks what this node's parts contain. */
bool fetches(const struct run *, size_t rank);
/* The parts must exist as long as the struct. */
int fetched_init(struct fetched *, const struct run *, const struct parts *,
    struct hp_err *);
/* Does nothing on a zeroed struct. */
void fetched_fini(struct fetched *);
/* Writes summary.R, with a line for each part of node R, after the transfer. */
int fetched_write(const struct fetched *, size_t rank, struct hp_err *);

#endif
