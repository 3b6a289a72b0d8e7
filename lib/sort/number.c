#include <string.h>

#include "sort/number.h"

enum {
	ONCE = 256 /* numbers whose keys and buckets are looked for at once */
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
		.kernel = kernel_vector() };
	if (t->kernel == NULL)
		t->kernel = &kernel_plain;
	if (f->number != NUMBER_UNSIGNED)
		t->turn = sign;
	if (f->number == NUMBER_FLOAT)
		t->more = all ^ sign;
	if (o->flip)
		t->turn ^= all;
}

static inline uint64_t
load(const unsigned char *s, size_t size, bool swap)
{
	uint64_t x = 0;

	memcpy(&x, s, size);
	return swap ? __builtin_bswap64(x) >> (64 - 8 * size) : x;
}

static inline uint64_t
turn(const struct number *t, uint64_t x, size_t size)
{
	uint64_t minus = -(x >> (8 * size - 1)); /* all bits or none */

	return x ^ t->turn ^ (minus & t->more);
}

/* The way back: the sign of x ^ turn is again that of the number. */
static inline uint64_t
turn_back(const struct number *t, uint64_t key, size_t size)
{
	uint64_t x = key ^ t->turn;
	uint64_t minus = -(x >> (8 * size - 1) & 1);

	return x ^ (minus & t->more);
}

uint64_t
number_key(const struct number *t, const unsigned char *at)
{
	return turn(t, load(at, t->size, t->swap), t->size);
}

static inline __attribute__((always_inline)) void
load_all(const struct number *t, const unsigned char *at, uint64_t *key,
    size_t n, size_t size, bool swap)
{
	const struct number u = *t;

	for (size_t i = 0; i < n; i++)
		key[i] = turn(&u, load(at + i * size, size, swap), size);
}

/* The keys of n numbers. */
static void
load_keys(
    const struct number *t, const unsigned char *at, uint64_t *key, size_t n)
{
	switch (t->size + t->swap) {
	case 8:
		load_all(t, at, key, n, 8, false);
		break;
	case 9:
		load_all(t, at, key, n, 8, true);
		break;
	case 4:
		load_all(t, at, key, n, 4, false);
		break;
	case 5:
		load_all(t, at, key, n, 4, true);
		break;
	case 3:
		load_all(t, at, key, n, 2, true);
		break;
	case 2:
		load_all(t, at, key, n, 2, false);
		break;
	default:
		load_all(t, at, key, n, 1, false);
	}
}

bool
number_in_order(const struct number *t, const unsigned char *at,
    const unsigned char *end, uint64_t last, bool falling, bool unique)
{
	uint64_t key[ONCE + 1];
	size_t n, wrong;

	for (; at < end; at += n * t->size) {
		n = (size_t)(end - at) / t->size;
		n = n < ONCE ? n : ONCE;
		wrong = 0;
		key[0] = last;
		load_keys(t, at, key + 1, n);
		last = key[n];
		for (size_t i = 0; falling && i <= n; i++)
			key[i] = ~key[i];
		if (unique)
			for (size_t i = 0; i < n; i++)
				wrong += key[i] >= key[i + 1];
		else
			for (size_t i = 0; i < n; i++)
				wrong += key[i] > key[i + 1];
		if (wrong > 0)
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
		load_keys(t, at, key, n);
		for (size_t i = 0; i < n; i++)
			count[key[i]]++;
	}
}

static inline __attribute__((always_inline)) int
put_all(struct scatter *to, const uint64_t *key, const uint32_t *bucket,
    size_t n, size_t element)
{
	size_t *count = to->count;
	unsigned char *line = to->line;

	for (size_t i = 0; i < n; i++)
		if (scatter_put(count, line, bucket[i], key[i], element) &&
		    scatter_line(to, bucket[i]) == -1)
			return -1;
	return 0;
}

int
number_read(const struct number *t, const struct cells *s, struct scatter *to,
    const unsigned char *at, const unsigned char *end)
{
	uint64_t key[ONCE];
	uint32_t bucket[ONCE];
	size_t n;

	for (; at < end; at += n * t->size) {
		n = (size_t)(end - at) / t->size;
		n = n < ONCE ? n : ONCE;
		load_keys(t, at, key, n);
		t->kernel->place(s, key, bucket, n);
		if ((t->element == 8 ? put_all(to, key, bucket, n, 8)
				     : put_all(to, key, bucket, n, 4)) == -1)
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

static inline __attribute__((always_inline)) void
restore_all(
    const struct number *t, unsigned char *a, size_t n, size_t size, bool swap)
{
	size_t element = size > 4 ? 8 : 4;

	for (size_t i = 0; i < n; i++) {
		uint64_t key = 0;

		memcpy(&key, a + i * element, element);
		key = turn_back(t, key, size);
		if (swap)
			key = __builtin_bswap64(key) >> (64 - 8 * size);
		memcpy(a + i * size, &key, size);
	}
}

size_t
number_restore(const struct number *t, void *a, size_t n)
{
	if (t->turn == 0 && !t->swap && t->size == t->element)
		return n * t->size;
	switch (t->size + t->swap) {
	case 8:
		restore_all(t, a, n, 8, false);
		break;
	case 9:
		restore_all(t, a, n, 8, true);
		break;
	case 4:
		restore_all(t, a, n, 4, false);
		break;
	case 5:
		restore_all(t, a, n, 4, true);
		break;
	case 3:
		restore_all(t, a, n, 2, true);
		break;
	case 2:
		restore_all(t, a, n, 2, false);
		break;
	default:
		restore_all(t, a, n, 1, false);
	}
	return n * t->size;
}
