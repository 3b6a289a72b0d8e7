#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share/dp.h"

struct dp {
	size_t cells; /* sums: rest, rest + block, ... */
	/*
	 * best[k] is the smallest makespan (time until the last node finishes)
	 * with which the nodes considered so far can process k blocks.
	 */
	double *best;
	double *next; /* [cells] the same for one more node */
	/* time[k] is the time that the current node needs for k blocks. */
	double *time;
	uint32_t *choice; /* [p][cells] number of blocks for each node */
};

static void
dp_fini(struct dp *d)
{
	free(d->best);
	free(d->next);
	free(d->time);
	free(d->choice);
}

static bool
rises(const double *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (t[i] < t[i - 1])
			return false;
	return true;
}

/*
 * Returns how many of k blocks this node should get, so that this node and the
 * earlier nodes all finish as early as possible. Tries all numbers from 0 to k.
 */
static uint32_t
try_all(const struct dp *d, size_t k)
{
	double least = INFINITY, t;
	size_t best = 0;

	for (size_t j = 0; j <= k; j++) {
		t = fmax(d->time[j], d->best[k - j]);
		if (t < least) {
			least = t;
			best = j;
		}
	}
	return (uint32_t)best;
}

/*
 * Returns the same number of blocks as try_all, but by binary search. The times
 * must not decrease as blocks are added. If this node gets more of the k
 * blocks, it finishes later, and the earlier nodes finish earlier. The best
 * number is the first with which this node finishes no earlier than they do, or
 * one less.
 */
static uint32_t
try_meeting(const struct dp *d, size_t k)
{
	size_t lo = 0, hi = k;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->time[mid] < d->best[k - mid])
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > 0 &&
	    fmax(d->time[lo - 1], d->best[k - lo + 1]) <=
		fmax(d->time[lo], d->best[k - lo]))
		lo--;
	return (uint32_t)lo;
}

static void
add_node(struct dp *d, uint32_t *choice)
{
	bool meets = rises(d->time, d->cells) && rises(d->best, d->cells);
	double *old = d->best;

	for (size_t k = 0; k < d->cells; k++) {
		uint32_t j = meets ? try_meeting(d, k) : try_all(d, k);

		choice[k] = j;
		d->next[k] = fmax(d->time[j], d->best[k - j]);
	}
	d->best = d->next;
	d->next = old;
}

int
dp_divide(dp_time *time, const void *context, size_t p, uint64_t total,
    uint64_t block, uint64_t *n, double *makespan, struct hp_err *e)
{
	struct dp d = { .cells = (size_t)(total / block) + 1 };
	uint64_t rest = total % block;
	size_t k = d.cells - 1;

	d.best = reallocarray(NULL, d.cells, sizeof *d.best);
	d.next = reallocarray(NULL, d.cells, sizeof *d.next);
	d.time = reallocarray(NULL, d.cells, sizeof *d.time);
	d.choice = reallocarray(NULL, d.cells, p * sizeof *d.choice);
	if (d.best == NULL || d.next == NULL || d.time == NULL ||
	    d.choice == NULL) {
		dp_fini(&d);
		return hp_fail(e, HP_NOMEM, "dynamic program");
	}
	for (size_t j = 0; j < d.cells; j++)
		d.best[j] = time(context, 0, rest + j * block);
	for (size_t i = 1; i < p; i++) {
		for (size_t j = 0; j < d.cells; j++)
			d.time[j] = time(context, i, j * block);
		add_node(&d, d.choice + i * d.cells);
	}
	*makespan = d.best[k];
	for (size_t i = p; i-- > 1;) {
		n[i] = d.choice[i * d.cells + k] * block;
		k -= d.choice[i * d.cells + k];
	}
	n[0] = rest + k * block;
	dp_fini(&d);
	return 0;
}

bool
dp_feasible(size_t p, uint64_t total, uint64_t block)
{
	double cells = (double)(total / block) + 1;

	return cells * cells * (double)p <= 2e10 &&
	    cells * (double)p <= 2.5e8 && cells < UINT32_MAX;
}
