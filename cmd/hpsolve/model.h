#ifndef HP_CMD_HPSOLVE_MODEL_H
#define HP_CMD_HPSOLVE_MODEL_H

/*
 * Where the times of the nodes come from: the cluster, and what the command
 * line, or else the plan that is checked, says about all nodes alike.
 */

#include "doc/digest.h"
#include "opts.h"
#include "share/plan.h"

struct model {
	struct cluster cluster;
	struct cost cost;
	struct plan said; /* cost, beyond, at and digest, for the plan's line */
};

/* Reads the nodes, those of the speeds or of the cluster's file. */
int model_read(const struct opts *, struct model *, struct hp_err *);
/*
 * What the command line leaves open is as the plan has it, which must outlive
 * the options.
 */
int opts_default(struct opts *, const struct plan *, struct hp_err *);
/* Gives each node its times. */
int model_set(const struct opts *, struct model *, struct hp_err *);
/* Harmless on a zeroed struct. */
void model_fini(struct model *);

#endif
