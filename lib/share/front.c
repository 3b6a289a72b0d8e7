#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "share/front.h"

int
grid_init(struct grid *g, size_t nodes, size_t blocks, struct hp_err *e)
{
	*g = (struct grid){ .nodes = nodes, .blocks = blocks };
	g->time = calloc(nodes, (blocks + 1) * sizeof *g->time);
	g->amount = calloc(nodes, (blocks + 1) * sizeof *g->amount);
	if (g->time != NULL && g->amount != NULL)
		return 0;
	grid_fini(g);
	return hp_fail(e, HP_NOMEM, "table of %zu nodes", nodes);
}

void
grid_fini(struct grid *g)
{
	free(g->time);
	free(g->amount);
	*g = (struct grid){ 0 };
}

void
front_fini(struct front *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->point[i].blocks);
	free(f->point);
	*f = (struct front){ 0 };
}

/* The best division of a number of blocks among the nodes considered so far. */
struct cell {
	double sum, makespan;
};

struct search {
	const struct grid *g;
	struct cell *best, *next; /* [blocks + 1] */
	uint32_t *choice;	  /* [nodes][blocks + 1] */
	/*
	 * the numbers of blocks that the current node can finish within the
	 * time limit
	 */
	uint32_t *fits;
	size_t nfits;
};

static void
search_fini(struct search *s)
{
	free(s->best);
	free(s->next);
	free(s->choice);
	free(s->fits);
}

static int
search_init(struct search *s, const struct grid *g, struct hp_err *e)
{
	size_t cells = g->blocks + 1;

	*s = (struct search){ .g = g };
	s->best = calloc(cells, sizeof *s->best);
	s->next = calloc(cells, sizeof *s->next);
	s->choice = calloc(g->nodes, cells * sizeof *s->choice);
	s->fits = calloc(cells, sizeof *s->fits);
	if (s->best != NULL && s->next != NULL && s->choice != NULL &&
	    s->fits != NULL)
		return 0;
	search_fini(s);
	return hp_fail(e, HP_NOMEM, "table of %zu nodes", g->nodes);
}

/*
 * Finds the best division of m blocks among the current node and the earlier
 * nodes.
 */
static struct cell
join(const struct search *s, const double *time, const double *amount, size_t m,
    uint32_t *choice)
{
	struct cell best = { INFINITY, INFINITY };

	for (size_t i = 0; i < s->nfits && s->fits[i] <= m; i++) {
		uint32_t k = s->fits[i];
		const struct cell *rest = &s->best[m - k];
		double sum = rest->sum + amount[k];

		if (sum > best.sum || sum == INFINITY ||
		    (sum == best.sum &&
			fmax(rest->makespan, time[k]) >= best.makespan))
			continue;
		best = (struct cell){ sum, fmax(rest->makespan, time[k]) };
		*choice = k;
	}
	return best;
}

static void
join_node(struct search *s, size_t rank, double limit)
{
	size_t blocks = s->g->blocks, cells = blocks + 1;
	const double *time = s->g->time + rank * cells;
	const double *amount = s->g->amount + rank * cells;
	struct cell *old = s->best;
	/*
	 * The table is filled node by node, for each number m of blocks. All
	 * blocks must be divided after the last node, so for this node only the
	 * entry with all blocks is needed.
	 */
	size_t first = rank + 1 == s->g->nodes ? blocks : 0;

	s->nfits = 0;
	for (size_t k = 0; k < cells; k++)
		if (time[k] <= limit)
			s->fits[s->nfits++] = (uint32_t)k;
	for (size_t m = first; m < cells; m++)
		s->next[m] = join(
		    s, time, amount, m, &s->choice[rank * cells + m]);
	s->best = s->next;
	s->next = old;
}

/*
 * A division gives each node a number of blocks. Each node then has a time and
 * an amount, such as its energy. Of all divisions in which no node exceeds the
 * time limit, finds the one whose amounts have the smallest sum. Returns this
 * sum, or infinity if there is no such division.
 */
static struct cell
divide(struct search *s, double limit)
{
	for (size_t m = 0; m <= s->g->blocks; m++)
		s->best[m] = (struct cell){ m == 0 ? 0 : INFINITY, 0 };
	for (size_t i = 0; i < s->g->nodes; i++)
		join_node(s, i, limit);
	return s->best[s->g->blocks];
}

static int
add_point(const struct search *s, struct front *f, struct cell found,
    struct hp_err *e)
{
	size_t left = s->g->blocks, cells = left + 1;
	struct front_point *to;

	if (ARRAY_ROOM(f->point, f->n, f->cap) == -1)
		return hp_fail(e, HP_NOMEM, "front of %zu plans", f->n + 1);
	to = &f->point[f->n];
	*to = (struct front_point){ .makespan = found.makespan,
		.sum = found.sum,
		.blocks = calloc(s->g->nodes, sizeof *to->blocks) };
	if (to->blocks == NULL)
		return hp_fail(e, HP_NOMEM, "front of %zu plans", f->n + 1);
	f->n++;
	for (size_t i = s->g->nodes; i-- > 0;) {
		to->blocks[i] = s->choice[i * cells + left];
		left -= to->blocks[i];
	}
	return 0;
}

/*
 * Returns the next time limit to try, which is shorter than the makespan that
 * was found with `limit`.
 */
static double
next_limit(double limit, double makespan, double least, double ratio)
{
	double next = nextafter(makespan, -INFINITY);

	if (ratio > 1)
		next = fmin(next, limit / ratio);
	return next < least && makespan > least ? least : next;
}

int
front_find(const struct grid *g, double least, unsigned steps, struct front *f,
    struct hp_err *e)
{
	double limit = DBL_MAX, ratio = 1;
	struct search s;
	struct cell found;
	int rc = 0;

	*f = (struct front){ 0 };
	if (search_init(&s, g, e) == -1)
		return -1;
	while (limit >= least && (found = divide(&s, limit)).sum < INFINITY) {
		if ((rc = add_point(&s, f, found, e)) == -1)
			break;
		if (f->n == 1) {
			limit = found.makespan;
			if (steps > 0 && least > 0)
				ratio = pow(limit / least, 1.0 / steps);
		}
		limit = next_limit(limit, found.makespan, least, ratio);
		f->point[f->n - 1].floor = nextafter(limit, INFINITY);
	}
	search_fini(&s);
	if (rc == -1)
		front_fini(f);
	return rc;
}
