#ifndef HP_DOC_UNREACHED_H
#define HP_DOC_UNREACHED_H

/*
 * The unreached lines of hp-trace(5): which peers a node did not reach in an
 * exchange, for how long and why. hpexchange --report writes them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum miss_why {
	MISS_SILENT,   /* connected, but nothing arrived */
	MISS_BROKEN,   /* the connection broke and could not be restored */
	MISS_NEVER,    /* never connected */
	MISS_REFUSED,  /* its machine refused the connection */
	MISS_NO_ROUTE, /* no route to its machine */
	MISS_ENDED,    /* its process was connected, but has ended */
	MISS_DAMAGED,  /* everything received was damaged */
	MISS_KEY       /* it uses another key */
};

/* A peer that a node did not reach. */
struct miss {
	uint64_t peer; /* its rank */
	enum miss_why why;
	double seconds; /* time without any data from the peer */
	bool back;	/* data arrived from the peer again later */
};

struct misses {
	struct miss *v;
	size_t n, cap;
};

void misses_fini(struct misses *);

/*
 * Parses a reason as it is spelt in the document, such as "silent". Returns -1
 * if the word is unknown.
 */
int miss_parse(const char *word, enum miss_why *);

/*
 * Reads the lines in which node `rank` reports which peers it does not reach.
 * The run has `nodes` nodes. Fails if a line was reported by another node, if
 * two lines are about the same peer, or if a line has unknown members.
 */
int doc_misses_read(const char *path, uint64_t rank, uint64_t nodes,
    struct misses *, struct hp_err *);
/*
 * Replaces the file atomically: writes PATH.new and renames it to PATH. `node`
 * has the names of the nodes, indexed by rank.
 */
int doc_misses_replace(const char *path, uint64_t rank, const char *const *node,
    const struct misses *, struct hp_err *);

#endif
