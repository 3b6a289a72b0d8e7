#ifndef HP_DOC_LEARNED_H
#define HP_DOC_LEARNED_H

/*
 * The members `points` and `learned` of a node's line in hp-cluster(5), which
 * hold what was learned from finished runs.
 */

#include <jansson.h>

#include "profile/history.h"

/*
 * Computes the node's points from its runs and its measured points, and stores
 * them in its line.  The runs are sorted by size.  Returns -1 if memory is
 * short.
 */
int doc_learned_set(json_t *node, struct past_run *, size_t nruns);

#endif
