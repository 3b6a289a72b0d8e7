#ifndef HP_CMD_HPSIM_TALKS_H
#define HP_CMD_HPSIM_TALKS_H

/*
 * The documents that pass between the launcher and the nodes until all know the
 * sublists. A talk is a step that all nodes perform at the same time: each node
 * gets a document, and answers.
 */

#include "opts.h"
#include "work.h"

enum {
	TALKS = 24 /* at most; exact has at most 10 rounds of two */
};

struct talk {
	const char *step;
	double to_node; /* bytes of the document that every node gets */
	double answers; /* bytes of the answers of all nodes together */
	/* what the launcher does with the answers; NULL: nothing */
	const char *then;
};

struct talks {
	struct talk talk[TALKS];
	size_t n;
	struct talk last; /* after the sort of psop; .step is NULL: none */
};

/*
 * Estimates the documents of a method from the formulas that hpsplit(1) uses
 * for its candidates. A key is taken to be as long as an item.
 */
int talks_make(
    const struct opts *, const struct work *, struct talks *, struct hp_err *);

#endif
