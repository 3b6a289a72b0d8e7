#include <stdlib.h>

#include "base/array.h"
#include "share/plan.h"

int
plan_add(
    struct plan *p, char *node, uint64_t n, double seconds, struct hp_err *e)
{
	if (ARRAY_ROOM(p->share, p->nodes, p->cap) == -1)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", p->nodes + 1);
	p->share[p->nodes++] = (struct share){
		.node = node, .n = n, .offset = p->n, .seconds = seconds
	};
	p->n += n;
	return 0;
}

struct plan_stage *
plan_stage_add(struct plan *p, struct hp_err *e)
{
	struct plan_stage *v = reallocarray(
	    p->stage, p->nstages + 1, sizeof *v);

	if (v == NULL) {
		hp_fail(e, HP_NOMEM, "plan");
		return NULL;
	}
	p->stage = v;
	v[p->nstages] = (struct plan_stage){ 0 };
	return &v[p->nstages++];
}

void
plan_fini(struct plan *p)
{
	for (size_t i = 0; i < p->nstages; i++) {
		free(p->stage[i].name);
		free(p->stage[i].node);
	}
	free(p->stage);
	for (size_t i = 0; p->share != NULL && i < p->nodes; i++)
		free(p->share[i].node);
	free(p->share);
	free(p->method);
	free(p->cost);
	for (size_t i = 0; i < p->nat; i++)
		free(p->at[i].name);
	free(p->at);
	free(p->digest);
	*p = (struct plan){ 0 };
}
