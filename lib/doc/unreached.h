#ifndef HP_DOC_UNREACHED_H
#define HP_DOC_UNREACHED_H

/*
 * The unreached lines of hp-trace(5): which peers a node did not reach in an
 * exchange, for how long, and why.  hpexchange --report writes them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum miss_why {
	MISS_SILENT,   /* connected, but nothing arrived */
	MISS_BROKEN,   /* the connection broke, and no new one held */
	MISS_NEVER,    /* it never was connected */
	MISS_REFUSED,  /* its machine refused the connection */
	MISS_NO_ROUTE, /* the network had no way to its machine */
	MISS_ENDED,    /* its process was connected, and had ended */
	MISS_DAMAGED,  /* all that arrived was damaged */
	MISS_KEY       /* it has another key */
};

/* A node misses a peer. */
struct miss {
	uint64_t peer; /* its rank */
	enum miss_why why;
	double seconds; /* without a sign of life */
	bool back;	/* the peer was heard again since */
};

struct misses {
	struct miss *v;
	size_t n, cap;
};

void misses_fini(struct misses *);

/* As the document has it: "silent" and so on; -1: there is no such word. */
int miss_parse(const char *word, enum miss_why *);
const char *miss_word(enum miss_why);

/*
 * The lines of the node `rank`, of a run of so many nodes: none of another
 * node, at most one about each peer, and no other members than these.
 */
int doc_misses_read(const char *path, uint64_t rank, uint64_t nodes,
    struct misses *, struct hp_err *);
/*
 * Replaces the file as a whole, by way of a file PATH.new.  node: names by
 * rank.
 */
int doc_misses_replace(const char *path, uint64_t rank, const char *const *node,
    const struct misses *, struct hp_err *);

#endif
