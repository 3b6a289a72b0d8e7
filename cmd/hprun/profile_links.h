#ifndef HP_CMD_HPRUN_PROFILE_LINKS_H
#define HP_CMD_HPRUN_PROFILE_LINKS_H

/*
 * Measures the link of each host that has none in the cluster file, for
 * --profile.  The bytes pass through the connection of the host's agent, which
 * carries the input and the result of a run.  First each host moves bytes
 * alone; this gives the rates of the hosts.  Then all hosts move bytes at the
 * same time; this gives the rate of the launcher.
 */

#include "run.h"
#include "share/cluster.h"

/* Returns whether the cluster file lacks the link of some host. */
bool profile_lacks_links(const struct run *);
/*
 * Measures the links of hosts, their logins and their empty steps. Stores the
 * results in v, by rank, and in the launcher. Both are zeroed before.
 */
int
profile_links(struct run *, struct node *v, struct launcher *, struct hp_err *);

#endif
