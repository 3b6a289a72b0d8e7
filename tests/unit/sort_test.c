/* The parts of the sorter: spreads, lists and entries. */
#include "kernel/entry.h"
#include "kernel/pile.h"
#include "kernel/spread.h"
#include "test.h"

enum {
	N = 20000
};

/* Returns a random key of the given shape: uniform, few values, around one
 * value, or constant. */
static uint64_t
random_key(unsigned shape)
{
	switch (shape) {
	case 0:
		return test_random();
	case 1:
		return test_below(5) * 1000;
	case 2:
		return test_below(4) ? 77 : test_random() >> test_below(64);
	case 3:
		return ~(test_random() >> test_below(64));
	}
	return 42;
}

static void
spread_keeps_order(void)
{
	static uint64_t key[N];
	struct hp_err e = { 0 };
	struct spread s;

	for (unsigned shape = 0; shape < 5; shape++)
		for (size_t want = 1; want < 3000; want = want * 7 + 1) {
			for (size_t i = 0; i < N; i++)
				key[i] = random_key(shape);
			REQUIRE(spread_init(&s, key, N, want, &e) == 0);
			/*
			 * The keys are sorted now.  Also look up keys that are
			 * not in the sample.
			 */
			CHECK(spread_bucket(&s, 0) < s.buckets);
			CHECK(spread_bucket(&s, UINT64_MAX) < s.buckets);
			for (size_t i = 0; i < N; i++) {
				uint64_t a = random_key(shape);
				uint64_t b = key[i];
				size_t x = spread_bucket(&s, a);
				size_t y = spread_bucket(&s, b);

				REQUIRE(x < s.buckets && y < s.buckets);
				CHECK(a <= b || x >= y);
				CHECK(a >= b || x <= y);
				CHECK(x != y || !s.equal[x] || a == b);
			}
			spread_fini(&s);
		}
}

static void
spread_is_even(void)
{
	static uint64_t key[N];
	static size_t count[8192];
	struct hp_err e = { 0 };
	struct spread s;

	/*
	 * For printable bytes, a plain radix sort would leave half of its
	 * buckets empty.
	 */
	for (size_t i = 0; i < N; i++) {
		key[i] = 0;
		for (unsigned b = 0; b < 8; b++)
			key[i] = key[i] << 8 | (' ' + test_below(95));
	}
	REQUIRE(spread_init(&s, key, N, 500, &e) == 0);
	REQUIRE(s.buckets < 8192);
	for (size_t i = 0; i < N; i++)
		count[spread_bucket(&s, key[i])]++;
	for (size_t b = 0; b < s.buckets; b++)
		CHECK(count[b] <= 4 * N / 500);
	spread_fini(&s);
}

static void
lists_return_what_they_got(void)
{
	struct hp_err e = { 0 };
	struct arena a;
	struct heap h = { .arena = &a };
	struct pile p;
	uint64_t *at, next[3] = { 0 };

	REQUIRE(arena_init(&a, 1 << 22, 1 << 22, 1 << 14, 0, &e) == 0);
	REQUIRE(pile_init(&p, &h, 4, &e) == 0);
	for (uint64_t i = 0; i < N; i++) {
		at = pile_put(&p, i % 3, sizeof *at);
		REQUIRE(at != NULL);
		*at = i;
	}
	pile_close(&p);
	CHECK(p.list[3].bytes == 0);
	for (size_t b = 0; b < 3; b++) {
		struct walk w = list_walk(&p.list[b]);
		size_t n;

		for (; (n = walk_bytes(&w) / sizeof *at) > 0; walk_next(&w)) {
			at = (void *)w.chunk->data;
			for (size_t i = 0; i < n; i++)
				CHECK(at[i] == 3 * next[b]++ + b);
		}
		CHECK(next[b] == (N - b + 2) / 3);
	}
	pile_fini(&p);
	/* When the arena is full, adding a line fails. */
	REQUIRE(pile_init(&p, &h, 1, &e) == 0);
	for (size_t i = 0; i < 1 << 20; i++)
		if (pile_put(&p, 0, sizeof *at) == NULL)
			break;
	CHECK(pile_put(&p, 0, sizeof *at) == NULL);
	pile_fini(&p);
	arena_fini(&a);
}

struct line {
	unsigned char bytes[40];
	size_t len;
};

static struct order *asked; /* order for the comparison function of qsort */

static int
compare_lines(const void *a, const void *b)
{
	const struct line *x = *(const struct line *const *)a;
	const struct line *y = *(const struct line *const *)b;
	size_t off = asked->slice_off, xo, yo;
	int c;

	xo = off < x->len ? off : x->len;
	yo = off < y->len ? off : y->len;
	c = key_cmp(x->bytes + xo, x->len - xo, y->bytes + yo, y->len - yo);
	c = asked->flip ? -c : c;
	if (c == 0 && asked->tie) {
		c = key_cmp(x->bytes, x->len, y->bytes, y->len);
		c = asked->global.reverse ? -c : c;
	}
	return c != 0 ? c : (x > y) - (x < y); /* makes qsort stable */
}

/* Random strings of few letters and NULs, so that many are equal or prefixes of
 * others. */
static void
entries_as_qsort(void)
{
	static const char *const options[][3] = { { "" }, { "r" },
		{ "s", "k1.3" }, { "k1.2" }, { "k1.4r", "s" },
		{ "r", "k1.2" } };
	static struct line line[N];
	static struct line *expected[N];
	static struct entry entry[N], tmp[N];

	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		struct hp_err e = { 0 };
		struct order o;
		struct view v;

		order_init(&o);
		for (size_t i = 0; i < 3 && options[k][i] != NULL; i++)
			if (options[k][i][0] != '\0')
				REQUIRE(order_option(&o, options[k][i][0],
					    options[k][i] + 1, &e) == 0);
		REQUIRE(order_ready(&o, &e) == 0 && o.slice);
		view_init(&v, &o);
		for (size_t i = 0; i < N; i++) {
			line[i].len = test_below(test_below(2) ? 40 : 4);
			for (size_t b = 0; b < line[i].len; b++)
				line[i].bytes[b] = test_below(9)
				    ? 'a'
				    : (unsigned char)(test_below(3) * 49);
			expected[i] = &line[i];
			entry[i].place = place_make(line[i].bytes, line[i].len);
			entry[i].key = view_load(&v, entry[i].place, 0, 0);
		}
		asked = &o;
		qsort(expected, N, sizeof *expected, compare_lines);
		entries_sort(&v, entry, N, tmp, 0, 0);
		for (size_t i = 0; i < N; i++)
			CHECK(place_span(entry[i].place).at ==
			    expected[i]->bytes);
		order_fini(&o);
	}
}

int
main(void)
{
	RUN(spread_keeps_order);
	RUN(spread_is_even);
	RUN(lists_return_what_they_got);
	RUN(entries_as_qsort);
	return test_done();
}
