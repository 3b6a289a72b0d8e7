#include <math.h>
#include <stdlib.h>

#include "share/answer.h"
#include "share/energy.h"
#include "share/front.h"
#include "share/pareto.h"

enum {
	/* number of time limits to try if a block is larger than one item */
	STEPS = 128
};

/*
 * Maximum number of steps of dynamic programming if all plans are searched. So
 * many steps take about a second.
 */
#define WORK_ALL 2e9
/*
 * Maximum number of steps of dynamic programming for one time limit, if the
 * program chooses the block size.
 */
#define WORK_BLOCKS 4e6
/*
 * maximum number of steps of dynamic programming for one time limit, if the
 * user has chosen the block size
 */
#define WORK_ALLOWED 4e8

void
pareto_fini(struct pareto *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->plan[i].n);
	free(v->plan);
	*v = (struct pareto){ 0 };
}

/*
 * A search for plans between the fastest one and the one with the least energy.
 */
struct work {
	const struct problem *p;
	const struct answer *fastest;
	uint64_t block, blocks;
	double idle;	/* watts of all nodes */
	double least;	/* no makespan is smaller; 0: not used */
	unsigned steps; /* passed to front_find */
	/*
	 * The nodes get whole blocks of items. In addition, node i gets
	 * first[i] of the items that fill no block.
	 */
	uint64_t *first;
};

/*
 * Chooses the number of items in a block. Blocks of one item let the search
 * consider all plans of p nodes and n items. It takes p n^2 steps for each of
 * at most p n makespans. If that is too many, the blocks are larger.
 */
static int
choose_block(struct work *w, struct hp_err *e)
{
	double p = (double)w->p->cluster->n, n = (double)w->p->total, cells;

	w->block = w->p->block;
	if (w->block == 0 && p * p * n * n * n <= WORK_ALL)
		w->block = 1;
	if (w->block == 0)
		w->block = (uint64_t)ceil(n / fmax(1, sqrt(WORK_BLOCKS / p)));
	w->blocks = w->p->total / w->block;
	cells = (double)w->blocks + 1;
	if (cells * cells * p > WORK_ALLOWED || cells * p > 1e8)
		return hp_fail(e, HP_USAGE,
		    "--pareto: %ju items in blocks of %ju are too many for the "
		    "table of %zu nodes",
		    (uintmax_t)w->p->total, (uintmax_t)w->block,
		    w->p->cluster->n);
	return 0;
}

static int
check(const struct work *w, struct hp_err *e)
{
	const struct cluster *c = w->p->cluster;
	size_t rank;

	for (size_t i = 0; i < c->n; i++)
		if (!c->node[i].power.known)
			return hp_fail(e, HP_USAGE,
			    "--pareto: node '%.255s' has no 'power_w'",
			    c->node[i].name);
	if (w->block == 1)
		return 0;
	if (cluster_falls(c, &rank, NULL))
		return hp_fail(e, HP_USAGE,
		    "--pareto: the time of node '%.255s' decreases; that needs "
		    "--block 1",
		    c->node[rank].name);
	if (!w->fastest->proof.optimal)
		return hp_fail(e, HP_USAGE,
		    "--pareto: the cost is not known to rise; that needs "
		    "--block 1");
	return 0;
}

/*
 * Fills a table with the time and energy of each node for first[i] items and k
 * blocks, for each k. If `lower` is set, the table has lower bounds: k blocks
 * stand for any share that needs k blocks when rounded up. The smallest such
 * share is k - 1 full blocks and one item.
 */
static int
fill(const struct work *w, size_t blocks, bool lower, struct grid *g,
    struct hp_err *e)
{
	const struct cluster *c = w->p->cluster;

	if (grid_init(g, c->n, blocks, e) == -1)
		return -1;
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k <= blocks; k++) {
			size_t at = i * (blocks + 1) + k;
			uint64_t n = w->first[i] + k * w->block;
			double t;

			if (lower)
				n = k == 0 ? 0 : (k - 1) * w->block + 1;
			t = curve_time(&c->node[i].curve, n);
			g->time[at] = t;
			g->amount[at] = t < INFINITY
			    ? energy_rise(&c->node[i]) * t
			    : INFINITY;
		}
	return 0;
}

/* Finds a front; fill describes the arguments. */
static int
find(const struct work *w, size_t blocks, bool lower, struct front *f,
    struct hp_err *e)
{
	struct grid g;
	int rc;

	if (fill(w, blocks, lower, &g, e) == -1)
		return -1;
	rc = front_find(&g, w->least, w->steps, f, e);
	grid_fini(&g);
	return rc;
}

static int
add(const struct work *w, const struct front_point *from, struct pareto *v,
    struct hp_err *e)
{
	size_t nodes = w->p->cluster->n;
	struct pareto_plan *to = &v->plan[v->n];

	*to = (struct pareto_plan){ .makespan = from->makespan,
		.energy = w->idle * from->makespan + from->sum,
		.n = reallocarray(NULL, nodes, sizeof *to->n) };
	if (to->n == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", nodes);
	for (size_t i = 0; i < nodes; i++)
		to->n[i] = w->first[i] + from->blocks[i] * w->block;
	v->n++;
	return 0;
}

/*
 * The front is a list of divisions of blocks among nodes. Adds a plan for each
 * division. In the plan, node i gets w->block items for each of its blocks, and
 * w->first[i] further items.
 */
static int
add_all(const struct work *w, const struct front *f, struct pareto *v,
    struct hp_err *e)
{
	struct pareto_plan *more;
	int rc = 0;

	more = reallocarray(v->plan, v->n + f->n + 1, sizeof *more);
	if (more == NULL)
		return hp_fail(e, HP_NOMEM, "front of %zu plans", v->n + f->n);
	v->plan = more;
	for (size_t i = 0; i < f->n && rc == 0; i++)
		rc = add(w, &f->point[i], v, e);
	return rc;
}

/*
 * Searches for plans in which each node gets whole blocks of items. In
 * addition, node i gets w->first[i] items.
 */
static int
add_blocks(const struct work *w, struct pareto *v, struct hp_err *e)
{
	uint64_t left = w->p->total;
	struct front f;
	int rc;

	for (size_t i = 0; i < w->p->cluster->n; i++)
		left -= w->first[i];
	if (find(w, left / w->block, false, &f, e) == -1)
		return -1;
	rc = add_all(w, &f, v, e);
	front_fini(&f);
	return rc;
}

/*
 * Searches for plans in which the nodes get whole blocks of items. Some items
 * are left over, because they fill no block. The first search divides them as
 * the fastest plan does, so that the fastest plan is found, too. The second
 * search gives them all to one node: the node that has most items in the plan
 * with the least energy.
 */
static int
find_some(struct work *w, const struct front *lower, struct pareto *v,
    struct hp_err *e)
{
	size_t nodes = w->p->cluster->n, most = 0;

	for (size_t i = 0; i < nodes; i++) {
		if (lower->point[0].blocks[i] > lower->point[0].blocks[most])
			most = i;
		w->first[i] = w->fastest->n[i] % w->block;
	}
	if (add_blocks(w, v, e) == -1)
		return -1;
	for (size_t i = 0; i < nodes; i++)
		w->first[i] = i == most ? w->p->total % w->block : 0;
	return add_blocks(w, v, e);
}

static int
by_makespan(const void *a, const void *b)
{
	const struct pareto_plan *x = a, *y = b;

	if (x->makespan != y->makespan)
		return x->makespan < y->makespan ? -1 : 1;
	return (x->energy > y->energy) - (x->energy < y->energy);
}

/*
 * Removes a plan if some other plan is at least as fast and needs no more
 * energy.
 */
static void
drop_worse(struct pareto *v)
{
	size_t kept = 0;

	qsort(v->plan, v->n, sizeof *v->plan, by_makespan);
	for (size_t i = 0; i < v->n; i++) {
		if (kept > 0 && v->plan[i].energy >= v->plan[kept - 1].energy)
			free(v->plan[i].n);
		else
			v->plan[kept++] = v->plan[i];
	}
	v->n = kept;
}

/*
 * Computes the member `bound` of each plan from the front `lower`. Every
 * possible plan with a makespan between point[k].floor and point[k - 1].floor
 * uses at least the energy point[k].sum above the idle energy. The idle energy
 * of such a plan is at least w->idle * point[k].floor. The bound is the least
 * total over all points with a floor up to the plan's makespan. For the last
 * plan, all points count.
 */
static void
set_bounds(const struct work *w, const struct front *lower, struct pareto *v)
{
	for (size_t i = 0; i < v->n; i++) {
		struct pareto_plan *plan = &v->plan[i];

		plan->bound = INFINITY;
		for (size_t k = 0; k < lower->n; k++) {
			const struct front_point *at = &lower->point[k];
			double floor = fmax(at->floor, w->least);

			if (floor <= plan->makespan || i + 1 == v->n)
				plan->bound = fmin(
				    plan->bound, w->idle * floor + at->sum);
		}
	}
}

/*
 * Finds all plans, and for each a lower bound of the energy that any plan of
 * its makespan needs. The array w->first must be zeroed.
 */
static int
find_all(struct work *w, struct pareto *v, struct hp_err *e)
{
	size_t blocks = w->blocks + (w->p->total % w->block > 0);
	struct front lower;
	int rc;

	if (find(w, blocks, true, &lower, e) == -1)
		return -1;
	if (lower.n == 0)
		rc = hp_fail(e, HP_NOSHARE, "--pareto: energies are too large");
	else if (w->block == 1)
		rc = add_all(w, &lower, v, e);
	else
		rc = find_some(w, &lower, v, e);
	if (rc == 0) {
		drop_worse(v);
		set_bounds(w, &lower, v);
	}
	front_fini(&lower);
	return rc;
}

int
share_pareto(const struct problem *p, struct pareto *v, struct hp_err *e)
{
	struct answer fastest;
	struct problem single = *p; /* the fastest plan needs no blocks */
	struct work w = { .p = p, .fastest = &fastest };
	int rc = -1;

	*v = (struct pareto){ 0 };
	single.block = 0;
	if (share_solve(&single, METHOD_AUTO, &fastest, e) == -1)
		return -1;
	w.idle = energy_idle(p->cluster);
	w.first = calloc(p->cluster->n, sizeof *w.first);
	if (w.first == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", p->cluster->n);
	else if (choose_block(&w, e) == 0 && check(&w, e) == 0) {
		if (w.block > 1) {
			w.least = fastest.proof.makespan;
			w.steps = STEPS;
		}
		v->block = w.block;
		rc = find_all(&w, v, e);
	}
	if (rc == -1)
		pareto_fini(v);
	free(w.first);
	answer_fini(&fastest);
	return rc;
}
