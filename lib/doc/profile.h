#ifndef HP_DOC_PROFILE_H
#define HP_DOC_PROFILE_H

/*
 * The node line of hp-cluster(5) that a profile makes.
 */

#include <stdio.h>

#include "base/err.h"
#include "profile/command.h"
#include "profile/profile.h"

struct profile_node {
	const char *name;
	const char *workload;
	const struct param *param;
	size_t nparams;
	const struct profile *profile;
};

/* HP_USAGE for names that no cluster may have; looks at no profile. */
int doc_profile_check(const struct profile_node *, struct hp_err *);
/* The largest size that worked is the capacity where a larger one failed. */
int doc_profile_write(FILE *, const struct profile_node *, struct hp_err *);

#endif
