/*
 * Runs a job on records.  Each node gets a contiguous part of the input, which
 * the command reads.
 */

#include "deal.h"
#include "gather.h"
#include "links.h"
#include "map.h"
#include "room.h"
#include "store.h"

int
map_records(struct run *run, struct hp_err *e)
{
	if (links_source(run, e) == -1 || room_check(run, false, e) == -1 ||
	    job_weights(run, e) == -1 || store_input(run, e) == -1 ||
	    room_check(run, true, e) == -1 || deal_count(run, e) == -1 ||
	    job_plan(run, e) == -1 || deal_input(run, e) == -1 ||
	    job_run(run, e) == -1)
		return -1;
	return gather(run, e);
}
