/*
 * Runs a job on numbered items.  The command gets the numbers {first} and
 * {count}, and knows itself what these items are.
 */

#include "count.h"
#include "gather.h"
#include "links.h"
#include "progress.h"

int
count_items(struct run *run, struct hp_err *e)
{
	run->records = run->o.count;
	if (links_source(run, e) == -1 || job_weights(run, e) == -1 ||
	    job_plan(run, e) == -1)
		return -1;
	progress_measure(run);
	if (job_run(run, e) == -1)
		return -1;
	return gather(run, e);
}
