#ifndef HP_RUN_PIVOTS_H
#define HP_RUN_PIVOTS_H

/*
 * Chooses the pivots of a merge by several threads: the records at which the
 * runs are cut. The pivots are taken from samples of all runs.
 */

#include "run/cuts.h"

/* A record sampled from a run. Some samples become pivots. */
struct sample {
	size_t run;
	uint64_t at; /* offset of the record */
	struct source s;
};

/*
 * Takes samples from all runs at equal distances and sorts the samples. Chooses
 * pivots that divide the sorted samples into equal parts.
 */
int pivots_choose(struct cuts *, struct hp_err *);
/* Frees all samples that are no pivots. cuts_hold still needs the pivots. */
void pivots_close_others(struct cuts *);

#endif
