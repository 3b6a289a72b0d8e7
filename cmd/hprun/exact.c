/*
 * The method `exact`: each node sorts first.  Rounds of counting then find
 * pivots that give every node exactly its share.  Finally the nodes merge
 * (multisequence selection, Varman et al. 1991; histogram sort with sampling).
 * If there are few records, all of them are sampled, and nothing is counted.
 */

#include "first.h"
#include "methods.h"
#include "pivots.h"

/* Counts how many records of each run lie before each candidate. */
static int
count(struct run *run, struct hp_err *e)
{
	return join_candidates(run, e) == -1 ? -1 : count_runs(run, e);
}

/*
 * The pivots are not exact yet: takes new candidates near them, between the
 * nearest known positions.
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
exact(struct run *run, struct hp_err *e)
{
	if (sort_runs(run, e) == -1 || sample_runs(run, SAMPLE_PLAN, e) == -1 ||
	    until_exact(run, count, narrow, e) == -1 ||
	    adopt_sublists(run, "next.jsonl", e) == -1)
		return -1;
	return merge_runs(run, e);
}
