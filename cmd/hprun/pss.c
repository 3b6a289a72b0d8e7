/*
 * The method `pss`.  Pivots are chosen among random samples of the unsorted
 * input.  Each node cuts its part, and sorts the records that it receives
 * (Cérin, Koskas, Jemni, Fkaier 2005, 4.1, H-PSS).
 */

#include "last.h"
#include "methods.h"
#include "pivots.h"

int
pss(struct run *run, struct hp_err *e)
{
	if (sample_parts(run, e) == -1 || choose_pivots(run, e) == -1)
		return -1;
	return sort_sublists(run, e);
}
