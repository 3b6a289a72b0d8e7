#ifndef HP_CMD_HPRUN_PROFILE_LINKS_H
#define HP_CMD_HPRUN_PROFILE_LINKS_H

/*
 * --profile measures the link of each host that has none in the cluster file:
 * its rates through the connection of its agent, which carries the input and
 * the result of a run.
 *
 * Each host first moves bytes alone, then all hosts at the same time.  The
 * first rates are those of the hosts, the rate of all together is that of the
 * launcher.
 */

#include "run.h"

/* Returns whether the link of some host is to be measured. */
bool profile_lacks_links(const struct run *);
/* Measures the links and adds them to the cluster file. */
int profile_links(struct run *, struct hp_err *);

#endif
