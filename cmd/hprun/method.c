#include <string.h>

#include "base/size.h"
#include "files.h"
#include "method.h"
#include "room.h"
#include "words.h"

bool
method_may_be_range(const struct run *run)
{
	const struct opts *o = &run->o;

	return !o->algorithm_given && o->mode == MODE_SORT && !o->dry &&
	    o->in_place == NULL && o->keep == NULL && o->leave == NULL &&
	    run->beside != NULL && o->profile_s == 0 &&
	    o->profile_key == NULL && !o->shared && !o->random &&
	    !o->order.unique && strcmp(o->method, "auto") == 0 &&
	    (o->transport == NULL || !way_find(o->transport)->collective);
}

/*
 * Returns whether the input, its copy and the result fit in the memory of the
 * launcher.  Dividing the input then takes less time than an exchange.
 * Otherwise the launcher's disk reads and writes the input twice more.
 */
static bool
fits_memory(const struct run *run)
{
	uint64_t bytes = files_input_bytes(run);

	return bytes > 0 && bytes <= mem_limit() / 4;
}

static bool
all_on_hosts(const struct run *run)
{
	for (size_t i = 0; i < run->nodes; i++)
		if (run->node[i].host == NULL)
			return false;
	return true;
}

void
method_choose(struct run *run)
{
	if (run->unknown && method_may_be_range(run) && all_on_hosts(run) &&
	    fits_memory(run))
		run->o.algorithm = DEMAND_RANGE;
	if (divides_by_key(run) && !run->o.algorithm_given &&
	    !room_for_range(run))
		run->o.algorithm = DEMAND_EXACT;
}
