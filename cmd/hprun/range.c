/*
 * The method `range`, range partitioning.  The launcher has already divided the
 * input by key (deal_input), so that each node is given the records of its part
 * of the result.  Unless it gets batches (range_batches.h), each node sorts its
 * records while they arrive, and returns them.  No node exchanges records with
 * another.
 */

#include "collect.h"
#include "gather.h"
#include "memory.h"
#include "methods.h"
#include "printed.h"
#include "range_batches.h"
#include "words.h"

static void
sort_step(
    struct run *run, struct stage *s, size_t rank, const struct collect *c)
{
	struct step *step = stage_step(s, (int)rank, "sort");
	struct words w = ordered(run, s, "hpsort", NULL);
	struct port in = part_port(run, rank), out = port_none();
	struct action *sort;

	in.paced = !run->unpaced;
	if (collects(run, rank)) {
		memory_words(run, rank, 0, &w);
		out = collect_port(run, c, rank);
		step->returning = "gather";
	} else
		result_words(run, rank, &w);
	if (in.kind == PORT_NONE)
		part_words(run, s, rank, &w);
	else
		step->sending = "send";
	sort = stage_run(s, step, in, out, &w);
	if (run->o.dry && in.kind != PORT_NONE)
		print_send(s, rank, dealt_file(run), sort);
	if (!collects(run, rank))
		stage_size(s, step, result_file(run, rank));
}

int
range(struct run *run, struct hp_err *e)
{
	struct collect c = { 0 };
	struct stage s;
	int rc = -1;

	if (batches_return(run))
		return range_batches(run, e);
	if (run->collected &&
	    (gather_begin(run, run->beside, e) == -1 ||
		collect_begin(run, &c, e) == -1))
		goto out;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++)
		sort_step(run, &s, i, &c);
	rc = gather_pieces(run, &s, e);
	if (rc == 0 && run->collected)
		rc = collect_end(run, &c, e);
out:
	collect_fini(&c);
	return rc;
}
