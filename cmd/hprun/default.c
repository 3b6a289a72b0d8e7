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

/* Returns whether several nodes, some of them on hosts, can sort in batches. */
static bool
batches_are_best(const struct run *run)
{
	return run->nodes > 1 && run->remote && !run->limited &&
	    fits_memory(run);
}

void
default_method(struct run *run)
{
	/* If speeds and links are known, the plans have chosen (estimate.h). */
	if ((run->unknown || !run->linked) && method_may_be_range(run) &&
	    batches_are_best(run))
		run->o.algorithm = DEMAND_RANGE;
	/* The hosts may have no share in the plan, or may all be lost. */
	if (divides_by_key(run) && !run->o.algorithm_given &&
	    (!run->remote || !room_for_range(run)))
		run->o.algorithm = DEMAND_EXACT;
}
