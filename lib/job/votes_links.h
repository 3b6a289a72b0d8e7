#ifndef HP_JOB_VOTES_LINKS_H
#define HP_JOB_VOTES_LINKS_H

/*
 * Finds the links between nodes that the nodes' reports say are bad (votes.h).
 */

#include "job/votes.h"

/*
 * Two nodes of different machines. At least one of them reports that it cannot
 * reach the other, or that the other was lost.
 */
struct votes_link {
	size_t a, b; /* ranks */
	bool cut;    /* both ends miss each other */
	enum miss_why miss;
	double seconds;
};

/*
 * Lists the links that count.
 *   machine  number of each node's machine, by rank
 *   link     the result; the caller frees it, also after an error
 */
int votes_links(const struct votes_node *, size_t n, const size_t *machine,
    struct votes_link **link, size_t *links, struct hp_err *);

#endif
