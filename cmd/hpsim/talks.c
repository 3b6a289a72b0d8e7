#include <math.h>
#include <stdlib.h>

#include "split/exact.h"
#include "talks.h"

/* Mean bytes of one line of each kind of document, as the programs write it. */
enum {
	SHARE_LINE = 130,
	COUNT_LINE = 53,
	KEYLESS_LINE = 72, /* a candidate or sublist, without its key */
	EXTENT_LINE = 78
};

struct sizes {
	double nodes, plan;
	/* bytes of a candidate or sublist; the key is in hex digits */
	double key_line;
};

static void
add(struct talks *t, struct talk talk)
{
	if (t->n < TALKS)
		t->talk[t->n++] = talk;
}

/*
 * Adds the talks of the exact method.  In each round the nodes send candidates
 * inside the brackets, and the brackets shrink (split/exact.h).
 */
static void
exact(struct talks *t, const struct sizes *s, uint64_t total)
{
	double open = (double)total, targets = s->nodes - 1;

	if (targets < 1)
		targets = 1;
	for (bool first = true; t->n + 2 < TALKS; first = false) {
		uint64_t most = exact_candidates(
		    (size_t)s->nodes, (uint64_t)open);
		double c = fmin((double)most, open);
		/*
		 * In the last round, all records between the ends of the
		 * brackets are candidates.
		 */
		bool last = open <= EXACT_ALL || open <= (double)most;

		add(t,
		    (struct talk){ "sample",
			first ? s->plan : s->nodes * s->key_line,
			c * s->key_line, NULL });
		add(t,
		    (struct talk){ "count", c * s->key_line,
			fmin(s->nodes * c, (double)total) * COUNT_LINE,
			"pivots" });
		if (last)
			return;
		/*
		 * Each of the `targets` brackets shrinks to twice the distance
		 * between candidates, which is open / c records.
		 */
		open = ceil(open * 2 / c * targets);
	}
}

static void
sampled(const struct opts *o, const struct work *w, struct talks *t,
    const struct sizes *s, uint64_t sum)
{
	double c = (double)demand_candidates(o->algorithm, sum, w->cluster.n);
	double sublists;

	c = fmin(c, (double)w->total);
	add(t, (struct talk){ "sample", s->plan, c * s->key_line, "pivots" });
	if (o->algorithm != DEMAND_PSOP)
		return;
	sublists = fmin((double)demand_sublists(sum), (double)w->total / 2 + 1);
	add(t,
	    (struct talk){ "count", sublists * s->key_line,
		fmin(s->nodes * sublists, (double)w->total) * COUNT_LINE,
		"assign" });
	t->last = (struct talk){ "deal", sublists * s->key_line,
		sublists * EXTENT_LINE, NULL };
}

int
talks_make(const struct opts *o, const struct work *w, struct talks *t,
    struct hp_err *e)
{
	struct sizes s = { .nodes = (double)w->cluster.n };
	uint64_t *vector;
	double sublists;

	*t = (struct talks){ 0 };
	s.plan = s.nodes * SHARE_LINE;
	s.key_line = KEYLESS_LINE + 2 * w->item_bytes;
	sublists = s.nodes;
	if (o->algorithm == DEMAND_EXACT)
		exact(t, &s, w->total);
	else {
		if ((vector = calloc(w->cluster.n, sizeof *vector)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "candidates");
		sampled(o, w, t, &s,
		    demand_performance(w->n, w->cluster.n, vector));
		free(vector);
	}
	if (t->last.step != NULL)
		sublists = t->last.to_node / s.key_line;
	add(t, (struct talk){ "cut", sublists * s.key_line, 0, NULL });
	return 0;
}
