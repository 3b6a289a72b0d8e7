/*
 * A job on numbered items: the command itself knows what item {first} and the
 * {count} - 1 items after it are.
 */

#include "gather.h"
#include "job.h"
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
