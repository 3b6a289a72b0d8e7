#ifndef HP_CMD_HPRUN_GATHER_H
#define HP_CMD_HPRUN_GATHER_H

/*
 * The result, out of the nodes' parts of it.  A file gets all parts at once,
 * each where it belongs, and its name once it is proven.  Standard output gets
 * one node after the other.
 */

#include "doc/parts.h"
#include "run.h"

int gather(struct run *, struct hp_err *);
/* Notes the sizes of the nodes' results, as pieces.R. */
int gather_sizes(const struct stage *, struct hp_err *);
/* leave.c: the parts stay on the nodes, and get their names there. */
int leave(struct run *, const struct parts *, struct hp_err *);
/* --do left NODE PATH...: tells where the parts are, as the file `summary`. */
int left_do(char *words[], struct hp_err *);
/* Lays out the parts of the result: parts.jsonl. */
int lay_out(struct run *, struct parts *, struct hp_err *);

#endif
