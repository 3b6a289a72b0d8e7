#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/inverse.h"
#include "share/contiguous.h"

struct cuts {
	const struct cluster *c;
	const struct prefix *sum;
	uint64_t n;
	uint64_t *early, *late; /* earliest and latest end of each part */
};

double
contiguous_time(const struct curve *v, double weight)
{
	double t;

	if (!(weight > 0))
		return 0;
	if (weight > (double)curve_limit(v))
		return INFINITY;
	/* n*log(n) is negative below 1. */
	t = curve_time_real(v, weight);
	return t > 0 ? t : 0;
}

static bool
fits(const struct cuts *u, size_t rank, uint64_t from, uint64_t to, double T)
{
	return contiguous_time(&u->c->node[rank].curve,
		   prefix_between(u->sum[from], u->sum[to])) <= T;
}

/*
 * Node `rank` gets the items from number `from` on. Returns the number after
 * the last item that the node can finish by the time T.
 */
static uint64_t
reach(const struct cuts *u, size_t rank, uint64_t from, double T)
{
	uint64_t low = from, high = u->n;

	while (low < high) {
		uint64_t mid = high - (high - low) / 2;

		if (fits(u, rank, from, mid, T))
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

/*
 * Returns the first place where a part that ends at `to` can begin so that node
 * `rank` finishes the part by T.
 */
static uint64_t
reach_back(const struct cuts *u, size_t rank, uint64_t to, double T)
{
	uint64_t low = 0, high = to;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (fits(u, rank, mid, to, T))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static bool
feasible(const struct cuts *u, double T)
{
	uint64_t at = 0;

	for (size_t i = 0; i < u->c->n && at < u->n; i++)
		at = reach(u, i, at, T);
	return at == u->n;
}

/*
 * Returns the double with these bits. Doubles that are not negative have the
 * same order as their bits read as integers.
 */
static double
of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/*
 * Returns the least time by which the nodes can finish all items, by bisection
 * over all doubles. The caller has checked that DBL_MAX is enough.
 */
static double
least_time(const struct cuts *u)
{
	uint64_t low = 0, high;
	double most = DBL_MAX;

	memcpy(&high, &most, sizeof high);
	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (feasible(u, of_bits(mid)))
			high = mid;
		else
			low = mid + 1;
	}
	return of_bits(low);
}

/*
 * Returns the time by which the nodes could finish all work if it could be
 * divided anywhere, not only between items.
 */
static double
level(const struct cuts *u, double most)
{
	double low = 0, high = most;

	for (int i = 0; i < 100; i++) {
		double mid = low + (high - low) / 2, all = 0;

		for (size_t k = 0; k < u->c->n; k++)
			all += curve_inverse(&u->c->node[k].curve, mid, NULL);
		if (all < u->sum[u->n].sum)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* Returns the cut whose weight is nearest. */
static uint64_t
nearest(const struct cuts *u, double weight)
{
	uint64_t low = 0, high = u->n;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (u->sum[mid].sum < weight)
			low = mid + 1;
		else
			high = mid;
	}
	if (low > 0 && weight - u->sum[low - 1].sum < u->sum[low].sum - weight)
		low--;
	return low;
}

/*
 * Chooses the boundaries between the parts of the nodes from left to right.
 * Each boundary has an earliest and a latest possible position. Any choice in
 * this range leaves the next boundary a choice in its range.
 */
static bool
choose(const struct cuts *u, double T, uint64_t *share)
{
	double ideal = 0, by = level(u, T);
	uint64_t from = 0, cut, most;
	bool unique = true;

	for (size_t i = 0; i < u->c->n; i++) {
		ideal += curve_inverse(&u->c->node[i].curve, by, NULL);
		most = reach(u, i, from, T);
		cut = nearest(u, ideal);
		if (cut > most)
			cut = most;
		if (cut < u->early[i])
			cut = u->early[i];
		unique = unique && u->early[i] == u->late[i];
		share[i] = cut - from;
		from = cut;
	}
	return unique;
}

int
share_contiguous(const struct cluster *c, const struct prefix *sum, uint64_t n,
    uint64_t *share, bool *unique, struct hp_err *e)
{
	struct cuts u = { c, sum, n, NULL, NULL };
	uint64_t at = 0;
	double T;
	int rc = -1;

	u.early = reallocarray(NULL, c->n, sizeof *u.early);
	u.late = reallocarray(NULL, c->n, sizeof *u.late);
	if (u.early == NULL || u.late == NULL)
		hp_fail(e, HP_NOMEM, "plan for %zu nodes", c->n);
	else if (!feasible(&u, DBL_MAX))
		hp_fail(e, HP_NOSHARE,
		    "the nodes cannot take contiguous parts of these items");
	else {
		T = least_time(&u);
		for (size_t i = 0; i < c->n; i++)
			u.late[i] = at = reach(&u, i, at, T);
		at = n;
		for (size_t i = c->n; i-- > 0;) {
			u.early[i] = at;
			at = reach_back(&u, i, at, T);
		}
		*unique = choose(&u, T, share);
		rc = 0;
	}
	free(u.early);
	free(u.late);
	return rc;
}
