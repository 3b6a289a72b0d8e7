#ifndef HP_CMD_HPSOLVE_MODEL_H
#define HP_CMD_HPSOLVE_MODEL_H

/*
 * The execution times of the nodes: from the cluster, and from options that
 * apply to all nodes. --check takes missing options from the plan.
 */

#include "doc/digest.h"
#include "opts.h"
#include "share/plan.h"

struct model {
	struct cluster cluster;
	struct cost cost;
	struct plan said; /* cost, beyond, at and digest, for the plan */
};

/* Reads the nodes from --speeds or from the cluster file. */
int model_read(const struct opts *, struct model *, struct hp_err *);
/*
 * Takes options that the command line does not give from the plan, which must
 * outlive the options.
 */
int opts_default(struct opts *, const struct plan *, struct hp_err *);
/* Sets the time function of each node. */
int model_set(const struct opts *, struct model *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void model_fini(struct model *);

#endif
