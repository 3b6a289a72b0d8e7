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
summary_key_set(struct summary_key *k, const struct key *key)
{
	unsigned char *grown;

	if (key->len >= k->cap) {
		if ((grown = realloc(k->bytes, key->len * 2 + 1)) == NULL)
			return -1;
		k->bytes = grown;
		k->cap = key->len * 2 + 1;
	}
	if (key->len > 0)
		memcpy(k->bytes, key->bytes, key->len);
	k->len = key->len;
	k->primary = key->primary;
	return 0;
}

int
summary_key_cmp(const struct key *a, const struct key *b, bool *same)
{
	int c = key_cmp(a->bytes, a->primary, b->bytes, b->primary);

	*same = c == 0;
	if (*same && a->len + b->len > 2 * a->primary)
		c = key_cmp(a->bytes + a->primary, a->len - a->primary,
		    b->bytes + b->primary, b->len - b->primary);
	return c;
}

bool
summary_step(
    struct summary *s, const struct key *before, const struct key *next)
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
	struct key last = summary_key_of(&s->last);
	struct key first = summary_key_of(&next->first);
	struct key end = summary_key_of(&next->last);
	bool begins = s->records == 0;

	s->unique |= next->unique;
	s->text |= next->text;
	if (next->records == 0)
		return 0;
	if (!begins)
		summary_step(s, &last, &first);
	if (s->first_unordered == 0 && next->first_unordered != 0)
		s->first_unordered = s->records + next->first_unordered;
	sum_add(&s->checksum, &next->checksum);
	if (!add(&s->records, next->records) || !add(&s->bytes, next->bytes) ||
	    !add(&s->duplicates, next->duplicates) ||
	    !add(&s->unordered, next->unordered))
		return hp_fail(e, HP_INPUT, "a count exceeds 2^53");
	if ((begins && summary_key_set(&s->first, &first) == -1) ||
	    summary_key_set(&s->last, &end) == -1)
		return hp_fail(e, HP_NOMEM, "key");
	return 0;
}
