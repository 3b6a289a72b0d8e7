/*
 * Pivots by regular sampling. With P'(p - 1) candidates and shares that are
 * multiples of the performance vector, no node gets more than twice its share,
 * for any input. If all records are candidates, every target is reached
 * exactly. Random samples come near their targets.
 */

#include "split/select.h"
#include "test.h"

enum {
	ROUNDS = 400,
	NODES = 6,
	MOST = 1200
};

struct input {
	uint64_t n;
	uint64_t key[MOST];
};

static struct hp_err e;

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Gives each node its own range and its own duplicates. */
static void
random_input(struct input *in, uint64_t n)
{
	uint64_t from = test_below(4) * 100, range = 1;

	for (unsigned i = (unsigned)test_below(12); i > 0; i--)
		range *= 2;
	in->n = n;
	for (uint64_t i = 0; i < n; i++)
		in->key[i] = from +
		    (test_below(3) == 0 ? test_below(range) : range / 3);
	if (n > 0)
		qsort(in->key, n, sizeof in->key[0], by_value);
}

static void
put_key(uint64_t key, unsigned char *out)
{
	for (int i = 7; i >= 0; i--, key >>= 8)
		out[i] = (unsigned char)key;
}

static void
add(struct candidates *c, const struct input *in, uint64_t rank, uint64_t index)
{
	struct pivot p = {
		.key = malloc(8), .len = 8, .rank = rank, .index = index
	};

	put_key(in->key[index], p.key);
	CHECK(pivots_add(&c->list, p, &e) == 0);
}

/*
 * Counts the records before the end of the sublist by looking at each record.
 */
static uint64_t
before(const struct input *in, size_t p, const struct sublist *s)
{
	unsigned char key[8];
	uint64_t n = 0;

	for (size_t r = 0; r < p; r++)
		for (uint64_t i = 0; i < in[r].n; i++) {
			struct pivot place = { key, 8, r, i };

			put_key(in[r].key[i], key);
			n += !s->bounded || pivot_cmp(&place, &s->until) < 0;
		}
	return n;
}

/* Computes in size[i] what node i gets with the candidates. */
static void
sizes(const struct input *in, const struct candidates *c, const uint64_t *share,
    uint64_t total,
    int (*estimate)(const struct candidates *, double *, struct hp_err *),
    uint64_t *size)
{
	double *below = calloc(c->list.n + 1, sizeof *below);
	uint64_t target = 0, last = 0, now;

	CHECK(estimate(c, below, &e) == 0);
	for (size_t j = 1; j < c->list.n; j++)
		CHECK(below[j - 1] <= below[j]);
	for (size_t i = 0; i < c->nodes; i++) {
		struct sublist s = { 0 };

		target += share[i];
		if (i + 1 < c->nodes)
			CHECK(select_nearest(c, below, target, total, &s, &e) ==
			    0);
		now = before(in, c->nodes, &s);
		CHECK(now >= last);
		size[i] = now - last;
		last = now;
		pivot_fini(&s.until);
	}
	CHECK_EQ_U64(last, total);
	free(below);
}

static void
twice_at_most(void)
{
	static struct input in[NODES];
	uint64_t share[NODES], size[NODES], unit, total, count;

	for (int round = 0; round < ROUNDS; round++) {
		size_t p = 2 + test_below(NODES - 1);
		struct candidates c = { .nodes = p, .records = share };

		unit = (p - 1) * (1 + test_below(20));
		total = 0;
		for (size_t r = 0; r < p; r++) {
			count = 1 + test_below(8);
			share[r] = count * unit;
			total += share[r];
			random_input(&in[r], share[r]);
			count *= p - 1;
			for (uint64_t k = 0; k < count; k++)
				add(&c, &in[r], r,
				    (2 * k + 1) * share[r] / (2 * count));
		}
		pivots_sort(&c.list);
		sizes(in, &c, share, total, select_regular, size);
		for (size_t r = 0; r < p; r++)
			CHECK(size[r] <= 2 * share[r]);
		pivots_fini(&c.list);
	}
}

static void
all_are_candidates(void)
{
	static struct input in[NODES];
	uint64_t share[NODES], n[NODES], size[NODES], total, left;

	for (int round = 0; round < ROUNDS / 4; round++) {
		size_t p = 1 + test_below(NODES);
		struct candidates c = { .nodes = p, .records = n };

		total = 0;
		for (size_t r = 0; r < p; r++) {
			n[r] = test_below(60);
			total += n[r];
			random_input(&in[r], n[r]);
			for (uint64_t i = 0; i < n[r]; i++)
				add(&c, &in[r], r, i);
		}
		/* The shares do not depend on where the records are. */
		left = total;
		for (size_t r = 0; r < p; r++) {
			share[r] = r + 1 == p ? left : test_below(left + 1);
			left -= share[r];
		}
		pivots_sort(&c.list);
		sizes(in, &c, share, total, select_regular, size);
		for (size_t r = 0; r < p; r++)
			CHECK_EQ_U64(size[r], share[r]);
		pivots_fini(&c.list);
	}
}

/* Draws a third of the records; the tolerance is 6 standard deviations of the
 * median. */
static void
random_near_the_target(void)
{
	static struct input in[2];
	uint64_t share[] = { 600, 600 }, size[2];

	for (int round = 0; round < ROUNDS / 4; round++) {
		struct candidates c = { .nodes = 2, .records = share };

		for (size_t r = 0; r < 2; r++) {
			random_input(&in[r], share[r]);
			for (uint64_t i = 0; i < share[r]; i++)
				if (test_below(3) == 0)
					add(&c, &in[r], r, i);
		}
		pivots_sort(&c.list);
		sizes(in, &c, share, 1200, select_random, size);
		CHECK(size[0] > 600 - 180 && size[0] < 600 + 180);
		pivots_fini(&c.list);
	}
}

int
main(void)
{
	RUN(twice_at_most);
	RUN(all_are_candidates);
	RUN(random_near_the_target);
	return test_done();
}
