#include <math.h>
#include <stdlib.h>

#include "share/rounds.h"
#include "talks.h"

enum {
	EXTENT_LINE = 78 /* bytes */
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

static struct talk
round_talk(const char *step, const struct round_step *s, const char *then)
{
	return (
	    struct talk){ step, s->to_node, s->from_node, s->from_all, then };
}

static void
exact(struct talks *t, const struct rounds *r)
{
	for (size_t i = 0; i < r->n; i++) {
		add(t,
		    round_talk(
			"sample", &r->sample[i], r->whole ? "pivots" : NULL));
		if (!r->whole)
			add(t, round_talk("count", &r->count[i], "pivots"));
	}
	add(t, round_talk("cut", &r->cut, NULL));
}

static void
sampled(const struct opts *o, const struct work *w, struct talks *t,
    const struct sizes *s, uint64_t sum)
{
	double c = (double)demand_candidates(o->algorithm, sum, w->cluster.n);
	double sublists;

	c = fmin(c, (double)w->total);
	add(t,
	    (struct talk){ "sample", s->plan, 0, c * s->key_line, "pivots" });
	if (o->algorithm != DEMAND_PSOP)
		return;
	sublists = fmin((double)demand_sublists(sum), (double)w->total / 2 + 1);
	add(t,
	    (struct talk){ "count", sublists * s->key_line, 0,
		fmin(s->nodes * sublists, (double)w->total) * ROUNDS_COUNT_LINE,
		"assign" });
	t->last = (struct talk){ "deal", sublists * s->key_line, 0,
		sublists * EXTENT_LINE, NULL };
}

int
talks_make(const struct opts *o, const struct work *w, struct talks *t,
    struct hp_err *e)
{
	struct sizes s = { .nodes = (double)w->cluster.n };
	struct rounds rounds;
	uint64_t *vector;
	double sublists;

	*t = (struct talks){ 0 };
	s.plan = s.nodes * ROUNDS_SHARE_LINE;
	s.key_line = ROUNDS_KEYLESS_LINE + 2 * w->item_bytes;
	sublists = s.nodes;
	if (o->algorithm == DEMAND_EXACT) {
		rounds_of(w->cluster.n, w->total, w->item_bytes, &rounds);
		exact(t, &rounds);
		return 0;
	}
	if ((vector = calloc(w->cluster.n, sizeof *vector)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "candidates");
	sampled(o, w, t, &s, demand_performance(w->n, w->cluster.n, vector));
	free(vector);
	if (t->last.step != NULL)
		sublists = t->last.to_node / s.key_line;
	add(t, (struct talk){ "cut", sublists * s.key_line, 0, 0, NULL });
	return 0;
}
