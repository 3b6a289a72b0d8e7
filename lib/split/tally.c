#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "split/tally.h"

static int
add(struct tally_sums *s, uint64_t at, uint64_t records, struct hp_err *e)
{
	uint64_t *grown;
	size_t cap;

	if (at >= TALLY_MOST)
		return hp_fail(
		    e, HP_INPUT, "number %" PRIu64 ": too large", at);
	if (at >= s->cap) {
		cap = at < 64 ? 64 : 2 * at;
		grown = reallocarray(s->v, cap, sizeof *grown);
		if (grown == NULL)
			return hp_fail(e, HP_NOMEM, "%zu counts", cap);
		memset(grown + s->cap, 0, (cap - s->cap) * sizeof *grown);
		s->v = grown;
		s->cap = cap;
	}
	if (at >= s->n)
		s->n = at + 1;
	if (records > COUNT_MOST - s->v[at])
		return hp_fail(
		    e, HP_INPUT, "the counts add up to more than 2^53");
	s->v[at] += records;
	return 0;
}

int
tally_add(struct tally *t, uint64_t sublist, uint64_t rank, uint64_t records,
    struct hp_err *e)
{
	if (add(&t->sublist, sublist, records, e) == -1)
		return -1;
	return add(&t->rank, rank, records, e);
}

uint64_t
tally_get(const struct tally_sums *s, size_t i)
{
	return i < s->n ? s->v[i] : 0;
}

void
tally_fini(struct tally *t)
{
	free(t->sublist.v);
	free(t->rank.v);
	*t = (struct tally){ 0 };
}
