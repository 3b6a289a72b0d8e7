#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "memory.h"

/*
 * Parses -S.  Stores the memory in the next smaller unit, so that the amount
 * for each node is an integer.  A percentage remains a percentage, because
 * machines differ in memory.
 */
int
memory_parse(struct run *run, struct hp_err *e)
{
	const char *text = run->o.budget == NULL ? "50%" : run->o.budget;
	static const char units[] = "bKMGT";
	uint64_t bytes, number;
	struct hp_err why = { 0 };
	const char *unit;
	char *end;

	if (size_parse(text, &bytes, &why) == -1)
		return hp_fail(e, why.kind, "-S: %s", why.text);
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno != 0 || number > UINT64_MAX / 1024 || text[0] < '0' ||
	    text[0] > '9')
		return hp_fail(e, HP_USAGE, "-S: '%s' is not a size", text);
	run->memory = number;
	if (*end == '%') {
		run->memory_unit = '%';
		if (number > 100)
			return hp_fail(e, HP_USAGE,
			    "-S: '%s' is more than all memory", text);
		return 0;
	}
	unit = *end == '\0' ? units + 1
			    : strchr(units, *end == 'k' ? 'K' : *end);
	if (unit == NULL) {
		run->memory = bytes;
		run->memory_unit = 'b';
	} else if (unit == units)
		run->memory_unit = 'b';
	else {
		run->memory *= 1024;
		run->memory_unit = unit[-1];
	}
	return 0;
}

void
memory_equal(struct run *run)
{
	for (size_t i = 0; i < run->nodes; i++)
		run->node[i].part = run->memory / run->node[i].neighbours;
}

void
memory_share(struct run *run)
{
	uint64_t *sum = calloc(run->nodes, sizeof *sum);

	/* Without memory for this array, the nodes keep equal amounts. */
	if (sum == NULL)
		return;
	for (size_t i = 0; i < run->nodes; i++)
		sum[run->node[i].machine] += run->node[i].share;
	for (size_t i = 0; i < run->nodes; i++) {
		uint64_t all = sum[run->node[i].machine];

		if (all > 0)
			run->node[i].part = (uint64_t)((double)run->memory *
			    ((double)run->node[i].share / (double)all));
	}
	free(sum);
}

void
memory_words(
    const struct run *run, size_t rank, uint64_t threads, struct words *w)
{
	const struct run_node *n = &run->node[rank];
	uint64_t processors = run->facts[rank].processors;

	if (processors == 0)
		processors = cpu_count();
	processors = size_clamp(
	    processors / n->neighbours, 1, threads > 0 ? threads : SIZE_MAX);
	words_add(w, "-S");
	words_addf(
	    w, "%" PRIu64 "%c", n->part > 0 ? n->part : 1, run->memory_unit);
	words_add(w, "--parallel");
	words_addf(w, "%" PRIu64, processors);
}
