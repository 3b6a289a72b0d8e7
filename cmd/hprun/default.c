#include "base/size.h"
#include "default.h"
#include "files.h"
#include "method.h"
#include "room.h"
#include "words.h"

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

void
default_method(struct run *run)
{
	if (run->unknown && method_may_be_range(run) && all_on_hosts(run) &&
	    fits_memory(run))
		run->o.algorithm = DEMAND_RANGE;
	if (divides_by_key(run) && !run->o.algorithm_given &&
	    !room_for_range(run))
		run->o.algorithm = DEMAND_EXACT;
}
