#include <math.h>

#include "share/rounds.h"

uint64_t
rounds_candidates(size_t sublists, uint64_t records)
{
	uint64_t least = (uint64_t)ROUNDS_LEAST * sublists;
	uint64_t n = records > ROUNDS_MANY ? ROUNDS_MOST_CANDIDATES
					   : ROUNDS_CANDIDATES;

	if (records <= ROUNDS_ALL && records > 0)
		n = ROUNDS_ALL;
	return least > n ? least : n;
}

uint64_t
rounds_whole(size_t sublists)
{
	uint64_t least = (uint64_t)ROUNDS_LEAST * sublists;

	return least > ROUNDS_ALL ? least : ROUNDS_ALL;
}

/*
 * A target is a number of records that should lie before a pivot. The search
 * keeps a range of records (bracket) for each target. With c candidates in a
 * bracket, one round reduces the bracket to about 2/c of its size
 * (split/exact.h).
 */
void
rounds_of(size_t nodes, uint64_t items, double item_bytes, struct rounds *r)
{
	/* A key is written in hexadecimal digits. */
	double key_line = ROUNDS_KEYLESS_LINE + 2 * item_bytes,
	       p = (double)nodes;
	double open = (double)items, targets = fmax(p - 1, 1), most, c;
	bool last = false;

	*r = (struct rounds){ .whole = items <= rounds_whole(nodes),
		.cut = { .to_node = p * key_line } };
	while (!last && r->n < ROUNDS_MOST) {
		most = (double)rounds_candidates(nodes, (uint64_t)open);
		c = fmin(most, open);
		/*
		 * If few records are left to search, all of them are
		 * candidates, and this is the last round.
		 */
		last = open <= fmax(most, ROUNDS_ALL);
		r->sample[r->n] = (struct round_step){ .to_node = p *
			    (r->n == 0 ? ROUNDS_SHARE_LINE : key_line),
			.from_all = c * key_line };
		if (!r->whole)
			r->count[r->n] = (struct round_step){ .to_node = c *
				    key_line,
				.from_node = fmin(c, (double)items / p) *
				    ROUNDS_COUNT_LINE,
				.candidates = c };
		r->n++;
		/*
		 * Estimate how many records are left in the brackets of all
		 * targets together: about 2 * open / c for each target.
		 */
		open = c > 0 ? ceil(open * 2 / c * targets) : 0;
	}
}

static void
add(const struct round_step *s, struct round_step *sum)
{
	sum->to_node += s->to_node;
	sum->from_node += s->from_node;
	sum->from_all += s->from_all;
	sum->candidates += s->candidates;
}

size_t
rounds_sum(const struct rounds *r, struct round_step *sum)
{
	*sum = r->cut;
	for (size_t i = 0; i < r->n; i++) {
		add(&r->sample[i], sum);
		add(&r->count[i], sum);
	}
	return 2 * r->n + 1 - r->whole;
}
