#include <endian.h>
#include <string.h>

#include "kernel/kernel.h"
#include "numbers/number.h"

enum {
	ONCE = 256, /* numbers per call of a loop */
	/*
	 * count_keys processes ONCE numbers per call. It has two versions. If
	 * fewer than FEW of the previous ONCE numbers were outside the range of
	 * counted values, a branch tests the range, because the processor
	 * predicts it well. Otherwise the version without a branch is used.
	 */
	FEW = 8,
	CACHE_LINE = 64,
	AHEAD = 4096 /* prefetch distance in bytes */
};

void
number_init(struct number *t, const struct order *o)
{
	const struct format *f = &o->format;
	uint64_t all = UINT64_MAX >> (64 - 8 * f->size);
	uint64_t sign = (uint64_t)1 << (8 * f->size - 1);

	*t = (struct number){ .size = f->size,
		.swap = f->big_endian != (BYTE_ORDER == BIG_ENDIAN) &&
		    f->size > 1,
		.element = f->size > 4 ? 8 : 4,
		.kernel = kernel_best(),
		.loops = loops_best() };
	if (f->number != NUMBER_UNSIGNED)
		t->turn = sign;
	if (f->number == NUMBER_FLOAT)
		t->more = all ^ sign;
	if (o->flip)
		t->turn ^= all;
}

uint64_t
number_key(const struct number *t, const unsigned char *at)
{
	uint64_t key;

	t->loops->keys(t, at, &key, 1);
	return key;
}

bool
number_in_order(const struct number *t, const unsigned char *at,
    const unsigned char *end, uint64_t last, bool falling, bool unique)
{
	uint64_t key[ONCE + 1];
	size_t n;

	for (; at < end; at += n * t->size) {
		n = (size_t)(end - at) / t->size;
		n = n < ONCE ? n : ONCE;
		key[0] = last;
		t->loops->keys(t, at, key + 1, n);
		last = key[n];
		for (size_t i = 0; falling && i <= n; i++)
			key[i] = ~key[i];
		if (!t->loops->rising(key, n + 1, unique))
			return false;
	}
	return true;
}

static int
put(const struct number *t, struct scatter *to, const uint64_t *key,
    const uint32_t *bucket, size_t n)
{
	return t->element == 8 ? t->loops->put_8(to, key, bucket, n)
			       : t->loops->put_4(to, key, bucket, n);
}

/*
 * Computes the keys of the next numbers, at most as many as the constant ONCE.
 * Returns how many.
 */
static size_t
some_keys(const struct number *t, const unsigned char *at,
    const unsigned char *end, uint64_t *key)
{
	size_t n = (size_t)(end - at) / t->size;

	n = n < ONCE ? n : ONCE;
	t->loops->keys(t, at, key, n);
	return n;
}

int
number_read(const struct number *t, const struct cells *s, struct scatter *to,
    const unsigned char *at, const unsigned char *end)
{
	uint64_t key[ONCE];
	uint32_t bucket[ONCE];
	size_t n;

	for (; at < end; at += n * t->size) {
		for (size_t i = 0; i < ONCE * t->size; i += CACHE_LINE)
			__builtin_prefetch(at + AHEAD + i);
		n = some_keys(t, at, end, key);
		t->loops->place(s, key, bucket, n);
		if (put(t, to, key, bucket, n) == -1)
			return -1;
	}
	return 0;
}

/*
 * Counts the keys that lie in the range d, and moves the others to the front of
 * the array. Returns the number of the others. Set `foretold` if nearly all
 * keys lie in the range: then a branch is used, which is fast because it is
 * predicted correctly.
 */
static inline __attribute__((always_inline)) size_t
count_keys(const struct dense *d, uint32_t *count, uint64_t *key, size_t n,
    bool foretold)
{
	const uint64_t low = d->low, values = d->values;
	size_t beside = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = key[i], at = x - low;

		if (foretold && __builtin_expect(at < values, 1)) {
			count[at]++;
			continue;
		}
		key[beside] = x;
		beside += at >= values;
		count[at < values ? at : values]++;
	}
	return beside;
}

int
number_count(const struct number *t, const struct dense *d, uint32_t *count,
    const struct cells *s, struct scatter *to, const unsigned char *at,
    const unsigned char *end)
{
	uint64_t key[ONCE];
	uint32_t bucket[ONCE];
	size_t n, beside = 0;

	for (; at < end; at += n * t->size) {
		n = some_keys(t, at, end, key);
		/*
		 * `beside` of the previous keys were outside the range of
		 * counted values. If these were few, test the range with a
		 * branch, which the processor predicts correctly. If they were
		 * many, use the version without a branch.
		 */
		if (beside < FEW)
			beside = count_keys(d, count, key, n, true);
		else
			beside = count_keys(d, count, key, n, false);
		t->loops->place(s, key, bucket, beside);
		for (size_t i = 0; i < beside; i++)
			if (key[i] < d->low)
				bucket[i] = (uint32_t)s->buckets;
		if (put(t, to, key, bucket, beside) == -1)
			return -1;
	}
	return 0;
}

int
number_split(const struct number *t, const struct cells *s, struct scatter *to,
    const void *from, size_t n)
{
	struct number keys = {
		.size = t->element, .element = t->element, .loops = t->loops
	};
	const unsigned char *at = from;

	return number_read(&keys, s, to, at, at + n * t->element);
}

void
number_sort(const struct number *t, void *a, void *tmp, size_t n)
{
	if (t->element == 8)
		t->kernel->sort_8(a, tmp, n);
	else
		t->kernel->sort_4(a, tmp, n);
}

static inline __attribute__((always_inline)) size_t
fill(unsigned char *a, uint64_t key, const uint64_t *count, size_t keys,
    size_t size)
{
	unsigned char *to = a, *end = a, of[NUMBER_BEHIND];

	for (size_t i = 0; i < keys; i++, key++) {
		uint32_t key4 = (uint32_t)key;

		for (size_t k = 0; k < sizeof of; k += size)
			memcpy(of + k,
			    size == sizeof key4 ? (void *)&key4 : &key, size);
		for (end += count[i] * size; to < end; to += sizeof of)
			memcpy(to, of, sizeof of);
		to = end;
	}
	return (size_t)(end - a) / size;
}

size_t
number_fill(const struct number *t, void *a, uint64_t key,
    const uint64_t *count, size_t keys)
{
	return t->element == 8 ? fill(a, key, count, keys, 8)
			       : fill(a, key, count, keys, 4);
}

size_t
number_unique(const struct number *t, void *a, size_t n)
{
	uint64_t *x = a;
	uint32_t *y = a;
	size_t k = n > 0;

	for (size_t i = 1; i < n; i++)
		if (t->element == 8 ? x[i] != x[k - 1] : y[i] != y[k - 1]) {
			if (t->element == 8)
				x[k++] = x[i];
			else
				y[k++] = y[i];
		}
	return k;
}

size_t
number_restore(const struct number *t, void *a, size_t n)
{
	if (t->turn != 0 || t->swap || t->size != t->element)
		t->loops->restore(t, a, n);
	return n * t->size;
}
