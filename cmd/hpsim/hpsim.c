/* hpsim(1): predicts the time of a sort by simulating it. */

#include "cmd.h"
#include "doc/simulation.h"
#include "opts.h"
#include "sim.h"
#include "work.h"

static int
write_result(const struct sim *s, struct hp_err *e)
{
	if (log_write_stages(stdout, &s->log, s->w->cluster.n, e) == -1)
		return -1;
	return doc_simulation_write(stdout,
	    &(struct simulation){ .n = s->w->total,
		.nodes = s->w->cluster.n,
		.algorithm = demand_name(s->o->algorithm),
		.item_bytes = s->w->item_bytes,
		.groups = s->movers.n,
		.makespan = log_end(&s->log) },
	    e);
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct work w = { 0 };
	struct sim s = { .o = &o, .w = &w };
	struct hp_err e = { .note = cmd_note };
	int rc = -1;

	opts_parse(&o, argc, argv);
	if (work_read(&o, &w, &e) == 0 && sim_run(&s, &e) == 0 &&
	    write_result(&s, &e) == 0)
		rc = o.trace != NULL
		    ? log_append(o.trace, &s.log, &w, o.run, &e)
		    : 0;
	sim_fini(&s);
	work_fini(&w);
	return cmd_finish(rc, &e);
}
