#ifndef HP_JOB_VOTES_COVER_H
#define HP_JOB_VOTES_COVER_H

/*
 * Minimum vertex covers: the smallest sets of vertices that touch every edge of
 * a graph.  A vertex with more edges than a cover has vertices is in every such
 * cover (Buss and Goldsmith 1993).  For each remaining edge, both ends are
 * tried in turn.  This is fast if edges are few or a few vertices have most of
 * them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct cover_edge {
	size_t a, b;
};

/*
 * Calls `found` with every minimum cover, some of them more than once. Returns
 * the size of these covers. Returns 0 if every cover has more than `most`
 * vertices, or if the search would take too long. Returns SIZE_MAX if memory
 * runs out.
 */
size_t cover_least(const struct cover_edge *, size_t edges, size_t vertices,
    size_t most, void (*found)(void *context, const bool *in), void *context,
    struct hp_err *);

#endif
