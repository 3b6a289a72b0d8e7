/*
 * The method `psrs`.  Each node sorts its part first.  Pivots are chosen among
 * regular samples of the sorted parts, and the nodes merge.  No node gets more
 * than twice its share (Cérin, Koskas, Jemni, Fkaier 2005, H-PSRS; after Shi
 * and Schaeffer 1992).
 */

#include "first.h"
#include "methods.h"
#include "pivots.h"

int
psrs_search(struct run *run, struct hp_err *e)
{
	if (sample_runs(run, SAMPLE_PLAN, e) == -1)
		return -1;
	return choose_pivots(run, e);
}

int
psrs(struct run *run, struct hp_err *e)
{
	if (sort_runs(run, e) == -1 || psrs_search(run, e) == -1)
		return -1;
	return merge_runs(run, e);
}
