/*
 * The method `psop`, over-partitioning.  Random samples bound many small
 * sublists.  The nodes count the records of each sublist.  The sublists are
 * assigned to nodes, beginning with the largest, and each node sorts its
 * sublists (Cérin and Gaudiot 2000, 2.2; Cérin et al.  2005, 4.2, H-PSOP).
 */

#include "last.h"
#include "methods.h"
#include "pivots.h"

int
psop(struct run *run, struct hp_err *e)
{
	if (sample_parts(run, e) == -1 || choose_pivots(run, e) == -1 ||
	    count_parts(run, e) == -1 || assign_sublists(run, e) == -1 ||
	    sort_sublists(run, e) == -1)
		return -1;
	return find_sublists(run, e);
}
