#include <string.h>

#include "sort/number.h"

#define RADIX_TYPE uint64_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_8
#include "sort/radix.inc"

#define RADIX_TYPE uint32_t
#define RADIX_KEY(x) (x)
#define RADIX_NAME radix_4
#include "sort/radix.inc"

void
number_init(struct number *t, const struct order *o)
{
	const struct format *f = &o->format;
	uint64_t all = UINT64_MAX >> (64 - 8 * f->size);
	uint64_t sign = (uint64_t)1 << (8 * f->size - 1);

	*t = (struct number){ .size = f->size,
		.swap = f->big_endian,
		.element = f->size > 4 ? 8 : 4 };
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

static inline int
put(const struct spread *s, struct pile *p, uint64_t key, size_t element)
{
	void *to = pile_put(p, spread_bucket(s, key), element);

	if (to == NULL)
		return -1;
	memcpy(to, &key, element);
	return 0;
}

/* Inlined below with all but t, s, p and the bytes constant. */
static inline int
read_all(const struct number *t, const struct spread *s, struct pile *p,
    const unsigned char *at, const unsigned char *end, size_t size,
    size_t element)
{
	if (t->swap)
		for (; at < end; at += size) {
			if (put(s, p, turn(t, load(at, size, true), size),
				element) == -1)
				return -1;
		}
	else
		for (; at < end; at += size)
			if (put(s, p, turn(t, load(at, size, false), size),
				element) == -1)
				return -1;
	return 0;
}

int
number_read(const struct number *t, const struct spread *s, struct pile *p,
    const unsigned char *at, const unsigned char *end)
{
	switch (t->size) {
	case 8:
		return read_all(t, s, p, at, end, 8, 8);
	case 4:
		return read_all(t, s, p, at, end, 4, 4);
	case 2:
		return read_all(t, s, p, at, end, 2, 4);
	}
	return read_all(t, s, p, at, end, 1, 4);
}

int
number_split(const struct number *t, const struct spread *s, struct pile *p,
    const void *from, size_t n)
{
	const uint64_t *x = from;
	const uint32_t *y = from;

	for (size_t i = 0; i < n; i++)
		if ((t->element == 8 ? put(s, p, x[i], 8)
				     : put(s, p, y[i], 4)) == -1)
			return -1;
	return 0;
}

void
number_sort(const struct number *t, void *a, void *tmp, size_t n)
{
	if (t->element == 8)
		radix_8(a, tmp, n);
	else
		radix_4(a, tmp, n);
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

static inline void
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
	default:
		restore_all(t, a, n, t->size, t->swap);
	}
	return n * t->size;
}
