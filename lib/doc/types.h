#ifndef HP_DOC_TYPES_H
#define HP_DOC_TYPES_H

/*
 * Profiles of node types: node lines of hp-cluster(5) with a member `key`. A
 * node gets the times of the line that has its key.
 */

#include <stdio.h>

#include "base/err.h"

/*
 * Copies the node lines of the cluster file. The file `types` has lines of node
 * types. A node line without points gets the times of the first type that has
 * the node's key. They replace the node's speed.
 *   key[n]  the key of each node, by rank
 * Fails with HP_INPUT if a node line without points has a key of no type.
 */
int doc_types_apply(const char *cluster, const char *types, char *const *key,
    size_t n, FILE *out, struct hp_err *);

#endif
