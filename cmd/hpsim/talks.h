#ifndef HP_CMD_HPSIM_TALKS_H
#define HP_CMD_HPSIM_TALKS_H

/*
 * The documents that the launcher and the nodes exchange until all nodes know
 * the sublists.  A talk is a step that all nodes perform at the same time: each
 * node receives a document and sends an answer.
 */

#include "opts.h"
#include "work.h"

enum {
	/* most talks; the exact method has at most 10 rounds of two */
	TALKS = 24
};

struct talk {
	const char *step;
	double to_node; /* bytes of the document that every node gets */
	double each;	/* bytes that each node answers */
	/* further bytes that all nodes answer, in proportion to their items */
	double answers;
	/*
	 * step of the launcher after all answers, such as "pivots"; NULL: none
	 */
	const char *then;
};

struct talks {
	struct talk talk[TALKS];
	size_t n;
	/* talk of psop after the sort; .step is NULL for other methods */
	struct talk last;
};

/*
 * Estimates the sizes of a method's documents, by the formulas with which
 * hpsplit(1) computes the number of candidates.  Assumes that a key is as long
 * as an item.
 */
int talks_make(
    const struct opts *, const struct work *, struct talks *, struct hp_err *);

#endif
