#ifndef HP_DOC_PROFILE_H
#define HP_DOC_PROFILE_H

/* Writes a profile as a node line of hp-cluster(5). */

#include <stdio.h>

#include "base/err.h"
#include "profile/command.h"
#include "profile/link.h"
#include "profile/profile.h"

struct profile_node {
	const char *name;
	const char *workload;
	const char *key; /* key.h; NULL: none */
	const struct param *param;
	size_t nparams;
	const struct profile *profile;
};

/*
 * Checks the names in a profile. Fails with HP_USAGE if a name is not allowed
 * in a cluster. Uses no measured values, so it can be called before measuring.
 */
int doc_profile_check(const struct profile_node *, struct hp_err *);
/*
 * Writes the measured speeds of a node as a line of a cluster document. If the
 * measured command failed at some size, the largest size at which it succeeded
 * becomes the node's capacity.
 */
int doc_profile_write(FILE *, const struct profile_node *, struct hp_err *);

/*
 * Writes a node line with the measured link of a host. `name` may be the same
 * as `host`. Fails with HP_USAGE if the name or the host is not allowed in a
 * cluster.
 */
int doc_link_write(FILE *, const char *name, const char *host,
    const struct link_rates *, struct hp_err *);
int doc_link_check(const char *name, const char *host, struct hp_err *);

#endif
