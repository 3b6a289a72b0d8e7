#ifndef HP_CMD_HPRUN_PROFILE_H
#define HP_CMD_HPRUN_PROFILE_H

/*
 * --profile: the nodes whose speed was never measured are measured, all at
 * once, and the cluster file is written anew.
 */

#include "doc/measured.h"
#include "run.h"

int profile_nodes(struct run *, struct hp_err *);

/* How many of n records can be sorted four times, if n take the makespan. */
uint64_t foreseen_records(uint64_t n, double makespan, double seconds);
/* Replaces the cluster file, by way of a new file beside it. */
int profile_replace(const char *cluster, const char *new,
    const char *const *profile, size_t nprofiles, const struct node_start *,
    size_t nstarts, bool nearer, struct hp_err *);

#endif
