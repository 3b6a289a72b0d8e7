#include <string.h>

#include "kernel/kernel.h"
#include "kernel/number.h"

enum {
	ONCE = 256, /* numbers whose keys and buckets are looked for at once */
	CACHE_LINE = 64,
	AHEAD = 4096 /* bytes of numbers that come to the cache meanwhile */
};

void
number_init(struct number *t, const struct order *o)
{
	const struct format *f = &o->format;
	uint64_t all = UINT64_MAX >> (64 - 8 * f->size);
	uint64_t sign = (uint64_t)1 << (8 * f->size - 1);

	*t = (struct number){ .size = f->size,
		.swap = f->big_endian && f->size > 1,
		.element = f->size > 4 ? 8 : 4,
		.kernel = kernel_best() };
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

	t->kernel->keys(t, at, &key, 1);
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
		t->kernel->keys(t, at, key + 1, n);
		last = key[n];
		for (size_t i = 0; falling && i <= n; i++)
			key[i] = ~key[i];
		if (!t->kernel->rising(key, n + 1, unique))
			return false;
	}
	return true;
}

void
number_count(const struct number *t, const unsigned char *at,
    const unsigned char *end, uint64_t *count)
{
	uint64_t key[ONCE];
	size_t n;

	for (; at < end; at += n * t->size) {
		n = (size_t)(end - at) / t->size;
		n = n < ONCE ? n : ONCE;
		t->kernel->keys(t, at, key, n);
		for (size_t i = 0; i < n; i++)
			count[key[i]]++;
	}
}

int
number_read(const struct number *t, const struct cells *s, struct scatter *to,
    const unsigned char *at, const unsigned char *end)
{
	const struct kernel *k = t->kernel;
	uint64_t key[ONCE];
	uint32_t bucket[ONCE];
	size_t n;

	for (; at < end; at += n * t->size) {
		n = (size_t)(end - at) / t->size;
		n = n < ONCE ? n : ONCE;
		for (size_t i = 0; i < n * t->size; i += CACHE_LINE)
			__builtin_prefetch(at + AHEAD + i);
		k->keys(t, at, key, n);
		k->place(s, key, bucket, n);
		if ((t->element == 8 ? k->put_8 : k->put_4)(
			to, key, bucket, n) == -1)
			return -1;
	}
	return 0;
}

int
number_split(const struct number *t, const struct cells *s, struct scatter *to,
    const void *from, size_t n)
{
	struct number keys = {
		.size = t->element, .element = t->element, .kernel = t->kernel
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

void
number_fill(const struct number *t, void *a, uint64_t key, size_t n)
{
	uint64_t *x = a;
	uint32_t *y = a;

	for (size_t i = 0; i < n; i++)
		if (t->element == 8)
			x[i] = key;
		else
			y[i] = (uint32_t)key;
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
		t->kernel->restore(t, a, n);
	return n * t->size;
}
