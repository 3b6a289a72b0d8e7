#ifndef HP_DOC_WEIGHTS_H
#define HP_DOC_WEIGHTS_H

/*
 * Reads the weights of items from a file with one number on each line, 0 or
 * above. It is the only document that is not JSON.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "share/prefix.h"

struct weights {
	/* [n + 1]: sum[i] is the weight of the first i items together */
	struct prefix *sum;
	uint64_t n;
	size_t cap;
};

/* Reads the file; "-" is standard input.  The error names file and line. */
int doc_weights_read(const char *path, struct weights *, struct hp_err *);
void weights_fini(struct weights *);

#endif
