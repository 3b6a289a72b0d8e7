#include <stdlib.h>

#include "base/size.h"
#include "input/mapped.h"
#include "input/sample.h"
#include "input/window.h"
#include "numbers/plan.h"
#include "numbers/tally.h"

enum {
	UNKNOWN = 4000000, /* assumed size of a pipe, in numbers */
	/*
	 * Number of bins (key ranges) if the input is a pipe, whose size is
	 * unknown. With 1 GB of data, a bin still fits into the processor
	 * cache. With little data, the partly empty list blocks of the bins
	 * waste only a little memory.
	 */
	UNKNOWN_BINS = 1 << 9,
	/*
	 * Number of sample numbers per bin.  With a larger sample, taking the
	 * sample of a small input would take longer than sorting the input.
	 */
	SAMPLES_OF_BIN = 64,
	SAMPLES_LEAST = 1 << 11,
	SAMPLES_MOST = 1 << 14,
	/* numbers that are taken at one place of the input */
	STRETCH_NUMBERS = 8
};

/*
 * Stores the keys of up to `most` numbers at the start of the text. Returns how
 * many it stored.
 */
static size_t
sample_text(
    const struct numbers *s, const struct block *t, size_t most, uint64_t *key)
{
	size_t size = s->number.size, n = (size_t)(t->end - t->start) / size;

	n = n < most ? n : most;
	for (size_t i = 0; i < n; i++)
		key[i] = number_key(&s->number, t->start + i * size);
	return n;
}

/*
 * Returns how many numbers the input probably has. The result is exact if the
 * size is known or the first block is the whole input.
 */
static uint64_t
expect(const struct numbers *s, const struct block *first)
{
	uint64_t n = (uint64_t)(first->end - first->start) / s->number.size;

	if (s->in->total > 0)
		return s->in->total / s->number.size;
	return s->in->eof ? n : UNKNOWN;
}

int
numbers_plan(struct numbers *s, struct hp_err *e)
{
	size_t n = 0, found = 0, most, places = SAMPLES_MOST / STRETCH_NUMBERS;
	struct block *t = calloc(places, sizeof *t), first;
	unsigned char buffer[SAMPLE_PART];
	uint64_t *key = calloc(SAMPLES_MOST, sizeof *key), many;
	int rc = -1;

	if (t == NULL || key == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	if (input_peek(s->in, &first, e) == -1)
		goto out;
	many = expect(s, &first);
	s->want = size_clamp(
	    s->in->total > 0 || s->in->eof ? many / s->part : UNKNOWN_BINS, 1,
	    s->want);
	if (many <= s->part) {
		s->threads = 1;
		s->want = 1;
	}
	most = size_clamp(
	    s->want * SAMPLES_OF_BIN, SAMPLES_LEAST, SAMPLES_MOST);
	if (s->want > 1)
		found = input_sample(s->in, t, most / STRETCH_NUMBERS);
	for (size_t i = 0; i < found; i++) {
		if (input_part(s->in, &t[i], STRETCH_NUMBERS, buffer, e) == -1)
			goto out;
		n += sample_text(s, &t[i], STRETCH_NUMBERS, key + n);
	}
	if (s->want > 1 && n < most / 8)
		n += sample_text(s, &first, most - n, key + n);
	if (cells_init(&s->cells, key, n, s->want, e) == 0)
		rc = numbers_tally_plan(s, key, n, many, e);
	s->batch.counted = s->dense.values > 0;
out:
	free(t);
	free(key);
	return rc;
}
