#ifndef HP_DOC_WEIGHTS_H
#define HP_DOC_WEIGHTS_H

/*
 * The weights of items: a number that is not negative on each line.  The only
 * document that is no JSON.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct weights {
	double *sum; /* [n + 1] the weight of the first i items */
	uint64_t n;
	size_t cap;
};

/* Reads the file; "-" is standard input.  The error names file and line. */
int doc_weights_read(const char *path, struct weights *, struct hp_err *);
void weights_fini(struct weights *);

#endif
