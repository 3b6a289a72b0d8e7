#ifndef HP_DOC_DIGEST_H
#define HP_DOC_DIGEST_H

/*
 * The digest member of a plan: SHA-256 of a text that lists what the nodes'
 * times are computed from. hp-plan(5) defines the text; jq can produce it too.
 */

#include "base/err.h"
#include "share/cluster.h"

enum {
	DIGEST_HEX = 64
};

/*
 * Computes the digest of the cluster, as it is after cluster_cut and
 * cluster_flat. cost is the plan's member `cost`. Node names are left out,
 * because no time depends on them. item_bytes is the size of an item if the
 * plan is for a whole run, otherwise 0. O(nodes + points).
 */
void doc_digest(const struct cluster *, const char *cost, double item_bytes,
    char digest[DIGEST_HEX + 1]);

#endif
