#include <stdlib.h>

#include "share/plan.h"

int
plan_add(
    struct plan *p, char *node, uint64_t n, double seconds, struct hp_err *e)
{
	struct share *s;

	if (p->nodes == p->cap) {
		size_t cap = p->cap + p->cap / 2 + 8;

		s = reallocarray(p->share, cap, sizeof *s);
		if (s == NULL)
			return hp_fail(e, HP_NOMEM, "plan for %zu nodes", cap);
		p->share = s;
		p->cap = cap;
	}
	s = &p->share[p->nodes];
	*s = (struct share){
		.node = node, .n = n, .offset = p->n, .seconds = seconds
	};
	p->n += n;
	p->nodes++;
	return 0;
}

void
plan_fini(struct plan *p)
{
	for (size_t i = 0; p->share != NULL && i < p->nodes; i++)
		free(p->share[i].node);
	free(p->share);
	free(p->method);
	free(p->cost);
	*p = (struct plan){ 0 };
}
