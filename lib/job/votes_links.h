#ifndef HP_JOB_VOTES_LINKS_H
#define HP_JOB_VOTES_LINKS_H

/*
 * Lists the bad links between nodes, from the reports of the nodes (votes.h).
 */

#include "job/votes.h"

/*
 * Nodes a and b of different machines. At least one of them reports that it
 * could not reach the other node, or that it lost that node.
 */
struct votes_link {
	size_t a, b; /* ranks */
	bool cut;    /* both ends miss each other */
	enum miss_why miss;
	double seconds;
};

/*
 * Lists the bad links, from the reports of the nodes.
 *   machine  number of each node's machine, by rank
 *   link     the result; the caller frees it, also after an error
 */
int votes_links(const struct votes_node *, size_t n, const size_t *machine,
    struct votes_link **link, size_t *links, struct hp_err *);

#endif
