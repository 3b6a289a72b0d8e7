#ifndef HP_DOC_DIGEST_H
#define HP_DOC_DIGEST_H

/*
 * The digest in a plan: SHA-256 of a text that states what the times of a
 * cluster come from.  hp-plan(5) defines the text, which jq can write as well.
 */

#include "base/err.h"
#include "share/cluster.h"

enum {
	DIGEST_HEX = 64
};

/*
 * cost is the member `cost` of the plan.  The cluster is as it was read, after
 * cluster_cut and cluster_flat.  Names do not count: times have none.  O(nodes
 * + points).
 */
void doc_digest(
    const struct cluster *, const char *cost, char digest[DIGEST_HEX + 1]);

#endif
