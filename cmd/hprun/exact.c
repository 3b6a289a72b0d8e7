/*
 * The method `exact`.  Each node sorts its part first.  Then rounds of counting
 * find pivots that give every node exactly its share, and the nodes merge
 * (multisequence selection, Varman et al.  1991; histogram sort with sampling).
 * If there are few records, all of them are candidates, and no round is needed.
 */

#include "first.h"
#include "methods.h"
#include "pivots.h"

/*
 * Counts, in the sorted file of each node, the records before each candidate.
 */
static int
count(struct run *run, struct hp_err *e)
{
	return join_candidates(run, e) == -1 ? -1 : count_runs(run, e);
}

/*
 * Takes new candidates between the positions that enclose each inexact pivot,
 * and counts the records before them.
 */
static int
narrow(struct run *run, struct hp_err *e)
{
	if (adopt_sublists(run, "next.jsonl", e) == -1 ||
	    sample_runs(run, SAMPLE_SUBLISTS, e) == -1)
		return -1;
	return count(run, e);
}

int
exact_search(struct run *run, struct hp_err *e)
{
	if (sample_runs(run, SAMPLE_PLAN, e) == -1 ||
	    until_exact(run, count, narrow, e) == -1)
		return -1;
	return adopt_sublists(run, "next.jsonl", e);
}

int
exact(struct run *run, struct hp_err *e)
{
	if (sort_runs(run, e) == -1 || exact_search(run, e) == -1)
		return -1;
	return merge_runs(run, e);
}
