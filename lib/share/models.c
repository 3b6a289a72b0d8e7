#include "cost/rises.h"
#include "share/fill.h"
#include "share/models.h"

/*
 * Returns the largest number of items of any node without measured points. Only
 * such nodes use the cost function, so the function is checked up to this
 * number.
 */
static uint64_t
most_by_cost(const struct problem *p)
{
	uint64_t most = 0, limit;

	for (size_t i = 0; i < p->cluster->n; i++) {
		const struct curve *v = &p->cluster->node[i].curve;

		limit = curve_limit(v);
		if (v->point == NULL && limit > most)
			most = limit;
	}
	return most < p->total ? most : p->total;
}

int
models_check(const struct problem *p, bool *unproven, struct hp_err *e)
{
	const struct cluster *c = p->cluster;
	uint64_t capacity = share_capacity(c);
	bool rises;

	for (size_t i = 0; i < c->n; i++)
		if (!curve_known(&c->node[i].curve))
			return hp_fail(e, HP_INPUT,
			    "node '%s' has neither speed nor points",
			    c->node[i].name);
	if (capacity < p->total)
		return hp_fail(e, HP_NOSHARE,
		    "%ju items: the nodes together can take %ju",
		    (uintmax_t)p->total, (uintmax_t)capacity);
	if (cost_check(c->node[0].curve.cost, (double)most_by_cost(p), &rises,
		e) == -1)
		return -1;
	*unproven = !rises;
	return 0;
}
