/* The parts of the sorter: spreads, lists and entries. */
#include "kernel/entries.h"
#include "kernel/entry.h"
#include "kernel/pile.h"
#include "kernel/spread.h"
#include "record/key.h"
#include "record/keybuf.h"
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

enum {
	LONG_LINES = 600,
	LONG_MOST = 700,
	BUILT = 5 /* of the orders of long lines, those that build keys */
};

struct long_line {
	unsigned char bytes[LONG_MOST];
	size_t len;
};

static int
compare_records(const void *a, const void *b)
{
	const struct long_line *x = *(const struct long_line *const *)a;
	const struct long_line *y = *(const struct long_line *const *)b;
	int c = order_compare(asked, x->bytes, x->len, y->bytes, y->len, false);

	return c != 0 ? c : (x > y) - (x < y); /* makes qsort stable */
}

/* Lines of one letter, most with another letter or a NUL behind, of which many
 * are equal: each step of 8 bytes separates few of them. */
static void
make_long_line(struct long_line *l)
{
	static const char last[] = { 'b', 'A', '\0' };

	l->len = test_below(LONG_MOST / 4) * 4;
	memset(l->bytes, 'a', l->len);
	for (size_t i = 0; i < l->len; i += 100)
		l->bytes[i] = test_below(2) ? 'a' : 'A';
	if (l->len > 0 && test_below(3) > 0)
		l->bytes[l->len - 1] = (unsigned char)last[test_below(3)];
}

/* Makes the key of a record, for orders whose keys are no part of the record.
 */
static void
build(const struct view *v, const struct long_line *l, struct built **b,
    struct entry *x)
{
	struct keybuf buf = { .most = v->key_most };
	struct key k;

	REQUIRE(order_primary(v->order, l->bytes, l->len, &buf, &k) == 0);
	REQUIRE(k.primary <= v->key_most);
	REQUIRE((*b = malloc(sizeof **b + k.primary)) != NULL);
	(*b)->record = x->place;
	memcpy((*b)->bytes, k.bytes, k.primary);
	x->place = place_make(*b, k.primary);
	keybuf_fini(&buf);
}

/* Keys may be cut.  Cut keys that are equal do not decide: the rest of the
 * records does. */
static void
entries_of_long_lines(void)
{
	static const char *const options[][2] = { { "f" }, { "f", "s" },
		{ "f", "r" }, { "k1.2f" }, { "k1.2fr", "r" }, { "r" },
		{ "r", "s" }, { "k1.3" }, { "k1.3r", "s" } };
	static const size_t most[] = { 1, 8, 64, 500, KEY_MOST };
	static struct long_line line[LONG_LINES], *expected[LONG_LINES];
	static struct entry entry[LONG_LINES], tmp[LONG_LINES];
	static struct built *built[LONG_LINES];
	struct hp_err e = { 0 };
	struct order o;
	struct view v;

	for (size_t i = 0; i < LONG_LINES; i++)
		make_long_line(&line[i]);
	for (size_t k = 0; k < 5 * (sizeof options / sizeof *options); k++) {
		const char *const *option = options[k / 5];

		order_init(&o);
		for (size_t i = 0; i < 2 && option[i] != NULL; i++)
			REQUIRE(order_option(
				    &o, option[i][0], option[i] + 1, &e) == 0);
		REQUIRE(order_ready(&o, &e) == 0);
		view_init(&v, &o);
		REQUIRE((v.kind == VIEW_BUILT) == (k < 5 * BUILT));
		v.key_most = most[k % 5];
		for (size_t i = 0; i < LONG_LINES; i++) {
			entry[i].place = place_make(line[i].bytes, line[i].len);
			if (v.kind == VIEW_BUILT)
				build(&v, &line[i], &built[i], &entry[i]);
			entry[i].key = view_load(&v, entry[i].place, 0, 0);
			expected[i] = &line[i];
		}
		asked = &o;
		qsort(expected, LONG_LINES, sizeof *expected, compare_records);
		entries_sort(&v, entry, LONG_LINES, tmp, 0, 0);
		for (size_t i = 0; i < LONG_LINES; i++)
			CHECK(view_record(&v, entry[i].place).at ==
			    expected[i]->bytes);
		for (size_t i = 0; k < 5 * BUILT && i < LONG_LINES; i++)
			free(built[i]);
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
	RUN(entries_of_long_lines);
	return test_done();
}
