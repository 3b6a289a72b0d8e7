#ifndef HP_JOB_VOTES_COVER_H
#define HP_JOB_VOTES_COVER_H

/*
 * The smallest sets of vertices that touch every edge of a graph: vertex
 * covers.  Edges are few, or a few vertices have most of them: a vertex with
 * more edges than a cover has vertices is in every such cover (Buss and
 * Goldsmith 1993), and for what is left both ends of an edge are tried in turn.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct cover_edge {
	size_t a, b;
};

/*
 * Calls `found` with every cover of the least size, up to `most` vertices, some
 * of them more than once.  Returns the size; 0: there is none of at most so
 * many, or it would take too long to find; SIZE_MAX: out of memory.
 */
size_t cover_least(const struct cover_edge *, size_t edges, size_t vertices,
    size_t most, void (*found)(void *context, const bool *in), void *context,
    struct hp_err *);

#endif
