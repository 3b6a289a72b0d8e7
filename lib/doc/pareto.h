#ifndef HP_DOC_PARETO_H
#define HP_DOC_PARETO_H

/* Writes the plans between the fastest one and the one with least energy. */

#include <stdio.h>

#include "share/pareto.h"

/* Writes one line of `hpsolve --pareto`. */
int doc_pareto_write(FILE *, const struct pareto_plan *, uint64_t block,
    size_t nodes, struct hp_err *);

#endif
