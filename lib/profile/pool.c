#include <math.h>
#include <stdlib.h>

#include "profile/pool.h"

/*
 * Neighbouring samples whose runs are pooled, so that they share one mean.
 * `first` is the index of the first sample.
 */
struct block {
	size_t first;
	double seconds, interval, low, high, runs;
};

/* The means are independent, so the squares of their errors add up. */
static void
block_join(struct block *a, const struct block *b)
{
	a->seconds = (a->seconds * a->runs + b->seconds * b->runs) /
	    (a->runs + b->runs);
	a->interval = hypot(a->interval * a->runs, b->interval * b->runs) /
	    (a->runs + b->runs);
	a->runs += b->runs;
	a->low = fmin(a->low, b->low);
	a->high = fmax(a->high, b->high);
}

int
pool_times(struct profile *p, struct hp_err *e)
{
	struct block *block = reallocarray(NULL, p->n + 1, sizeof *block);
	size_t n = 0;

	if (block == NULL)
		return hp_fail(e, HP_NOMEM, "profile");
	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		block[n++] = (struct block){ i, m->seconds, m->interval, m->low,
			m->high, m->runs };
		for (; n > 1 && block[n - 1].seconds < block[n - 2].seconds &&
		     block[n - 1].high >= block[n - 2].low;
		     n--)
			block_join(&block[n - 2], &block[n - 1]);
	}
	for (size_t i = p->n; i-- > 0;) {
		const struct block *b = &block[n - 1];

		p->sample[i].seconds = b->seconds;
		p->sample[i].interval = b->interval;
		p->sample[i].low = b->low;
		p->sample[i].high = b->high;
		if (i == b->first)
			n--;
	}
	free(block);
	return 0;
}
