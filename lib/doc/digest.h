#ifndef HP_DOC_DIGEST_H
#define HP_DOC_DIGEST_H

/*
 * Computes the member `digest` of a plan: the SHA-256 hash of a text that lists
 * the data from which the nodes' times are computed. hp-plan(5) defines the
 * text, so other programs, such as jq, can produce it too.
 */

#include "base/err.h"
#include "share/cluster.h"

enum {
	DIGEST_HEX = 64
};

/*
 * Computes the digest of a cluster to which cluster_cut and cluster_flat were
 * applied. `cost` is the plan's member `cost`. Node names are left out, because
 * no time depends on them. item_bytes is the size of an item if the plan is for
 * a whole run, otherwise 0. O(nodes + points).
 */
void doc_digest(const struct cluster *, const char *cost, double item_bytes,
    char digest[DIGEST_HEX + 1]);

#endif
