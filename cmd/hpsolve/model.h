#ifndef HP_CMD_HPSOLVE_MODEL_H
#define HP_CMD_HPSOLVE_MODEL_H

/*
 * The execution times of the nodes.  They come from the cluster file, and from
 * options that apply to all nodes.  --check takes options that are not given
 * from the plan.
 */

#include "doc/digest.h"
#include "opts.h"
#include "share/plan.h"

struct model {
	struct cluster cluster;
	struct cost cost;
	/* cost, parameters and digest for the plan that is written */
	struct plan said;
};

/* Reads the nodes from --speeds or from the cluster file. */
int model_read(const struct opts *, struct model *, struct hp_err *);
/*
 * Takes options that are missing in the command line from the plan.  The plan
 * must exist as long as the options.
 */
int opts_default(struct opts *, const struct plan *, struct hp_err *);
/* Sets the function of each node that gives its time for n items. */
int model_set(const struct opts *, struct model *, struct hp_err *);
/*
 * Puts the name of the cluster file before the text of an error of the kind
 * HP_INPUT, which the nodes of the file have caused.  Returns -1.
 */
int model_blame(const struct opts *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void model_fini(struct model *);

#endif
