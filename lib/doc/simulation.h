#ifndef HP_DOC_SIMULATION_H
#define HP_DOC_SIMULATION_H

/* Writes the last line that hpsim(1) prints: the result of a simulation. */

#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct simulation {
	uint64_t n; /* items */
	size_t nodes;
	const char *algorithm; /* that of hprun -a */
	double item_bytes;     /* mean size of an item */
	size_t groups;	       /* senders that the exchange had */
	double makespan;       /* seconds from the start to the end */
};

int doc_simulation_write(FILE *, const struct simulation *, struct hp_err *);

#endif
