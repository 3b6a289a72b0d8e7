#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "check/summary.h"
#include "record/order.h"

void
summary_fini(struct summary *s)
{
	free(s->first.bytes);
	free(s->last.bytes);
	*s = (struct summary){ 0 };
}

int
summary_key_set(struct summary_key *k, const unsigned char *bytes, size_t len,
    size_t primary)
{
	unsigned char *grown;

	if (len >= k->cap) {
		if ((grown = realloc(k->bytes, len * 2 + 1)) == NULL)
			return -1;
		k->bytes = grown;
		k->cap = len * 2 + 1;
	}
	if (len > 0)
		memcpy(k->bytes, bytes, len);
	k->len = len;
	k->primary = primary;
	return 0;
}

int
summary_key_cmp(
    const struct summary_key *a, const struct summary_key *b, bool *same)
{
	int c = key_cmp(a->bytes, a->primary, b->bytes, b->primary);

	*same = c == 0;
	if (*same && a->len + b->len > 2 * a->primary)
		c = key_cmp(a->bytes + a->primary, a->len - a->primary,
		    b->bytes + b->primary, b->len - b->primary);
	return c;
}

bool
summary_step(struct summary *s, const struct summary_key *before,
    const struct summary_key *next)
{
	bool same;
	int c = summary_key_cmp(before, next, &same);
	bool disorder = c > 0 || (same && s->unique);

	s->duplicates += same;
	if (disorder && s->unordered++ == 0)
		s->first_unordered = s->records;
	return disorder;
}

static bool
add(uint64_t *sum, uint64_t n)
{
	*sum += n;
	return n <= COUNT_MOST && *sum <= COUNT_MOST;
}

int
summary_append(struct summary *s, const struct summary *next, struct hp_err *e)
{
	bool begins = s->records == 0;

	s->unique |= next->unique;
	s->text |= next->text;
	if (next->records == 0)
		return 0;
	if (!begins)
		summary_step(s, &s->last, &next->first);
	if (s->first_unordered == 0 && next->first_unordered != 0)
		s->first_unordered = s->records + next->first_unordered;
	sum_add(&s->checksum, &next->checksum);
	if (!add(&s->records, next->records) || !add(&s->bytes, next->bytes) ||
	    !add(&s->duplicates, next->duplicates) ||
	    !add(&s->unordered, next->unordered))
		return hp_fail(e, HP_INPUT, "a count exceeds 2^53");
	if ((begins &&
		summary_key_set(&s->first, next->first.bytes, next->first.len,
		    next->first.primary) == -1) ||
	    summary_key_set(&s->last, next->last.bytes, next->last.len,
		next->last.primary) == -1)
		return hp_fail(e, HP_NOMEM, "key");
	return 0;
}
