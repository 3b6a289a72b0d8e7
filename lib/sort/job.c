#include "sort/job.h"
#include "sort/memory.h"

void
job_runs(const struct sort_job *j, const struct view *v, struct runs *r,
    struct budget *g)
{
	budget_init(g, sort_memory(j), j->threads);
	runs_init(r, v, &j->tmp, j->codec, j->program, g->memory, j->batch);
	budget_spill(g, store_memory(&r->store));
	r->memory = g->memory;
	r->threads = g->threads;
	r->way = j->way;
	r->progress = j->progress;
}

void
job_tell(struct sort_stats *s, const struct runs *r, const struct merged *m)
{
	if (r->view->order->sum_dropped)
		dropped_add(&s->dropped,
		    &(struct dropped){ m->repeats, m->repeated, m->checksum });
	s->passes = r->passes;
	s->moved = r->moved;
	s->spilled = r->store.spilled;
	s->stored = r->store.stored;
}
