/* Strings divided by a tree, and the lists that hold lines. */
#include "bucket/text.h"
#include "kernel/tree.h"
#include "test.h"

enum {
	N = 20000,
	LONGEST = 6000
};

static unsigned char bytes[N][64];
static unsigned char *huge;

/*
 * Strings of several shapes: paths of few names, one string mostly, zeros of
 * any number, anything, and what differs behind more than a path can hold.
 */
static struct span
random_string(size_t i, unsigned shape)
{
	static const char *const name[] = { "/usr", "/lib/python3", "/a",
		"/include/x", "" };
	unsigned char *s = bytes[i];
	size_t n = 0, len;

	switch (shape) {
	case 0:
		for (unsigned k = 0; k < 4; k++) {
			const char *part = name[test_below(5)];

			memcpy(s + n, part, strlen(part));
			n += strlen(part);
		}
		while (test_below(3))
			s[n++] = (unsigned char)test_below(3);
		break;
	case 1:
		memcpy(s, "the same mostly", 15);
		n = 15;
		if (test_below(20) == 0)
			s[test_below(15)] = (unsigned char)test_below(256);
		n -= test_below(20) ? 0 : test_below(15);
		break;
	case 2:
		n = test_below(40);
		memset(s, 0, n);
		if (n > 0 && test_below(9) == 0)
			s[test_below(n)] = 1;
		break;
	case 3:
		n = test_below(16);
		for (size_t k = 0; k < n; k++)
			s[k] = (unsigned char)test_random();
		break;
	default:
		len = LONGEST - test_below(3) * test_below(3000);
		return (struct span){ huge + test_below(3), len };
	}
	return (struct span){ s, n };
}

static int
compare(struct span a, struct span b)
{
	int c = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

/* Everything that a leaf promises of the strings that get there. */
static bool
keeps(const struct leaf *l, struct span s)
{
	return s.len >= l->depth && (!l->ended || s.len == l->depth) &&
	    memcmp(s.at, l->path, l->depth) == 0;
}

/* Many at a time, not always as many. */
static void
find_all(const struct tree *t, const struct span *s, uint16_t *to)
{
	size_t n;

	for (size_t i = 0; i < N; i += n) {
		n = 1 + test_below(TREE_MANY);
		n = n < N - i ? n : N - i;
		tree_find_many(t, s + i, n, to + i);
	}
}

static void
tree_keeps_order(void)
{
	static struct span sample[N], s[N];
	static uint16_t to[N], plain[N];
	struct hp_err e = { 0 };
	struct tree t;

	for (unsigned shape = 0; shape < 5; shape++)
		for (size_t want = 1; want < 3000; want = want * 7 + 1) {
			bool flip = want % 2 == 0;

			for (size_t i = 0; i < N; i++)
				s[i] = sample[i] = random_string(i, shape);
			REQUIRE(tree_init(
				    &t, sample, N / 2, 0, want, flip, &e) == 0);
			find_all(&t, s, to);
			t.vectors = false;
			find_all(&t, s, plain);
			CHECK(memcmp(to, plain, sizeof to) == 0);
			for (size_t i = 0; i < N; i++) {
				size_t k = test_below(N);
				int c = compare(s[i], s[k]);

				c = flip ? -c : c;
				REQUIRE(to[i] < t.buckets);
				CHECK_EQ_U64(to[i], tree_find(&t, s[i]));
				CHECK(keeps(&t.leaf[to[i]], s[i]));
				CHECK(c > 0 || to[i] <= to[k]);
				CHECK(c < 0 || to[i] >= to[k]);
			}
			tree_fini(&t);
		}
}

/* What is left in a bucket that may be sorted: unlike paths and short ones. */
static void
tree_is_even(void)
{
	static struct span sample[N];
	static size_t count[1 << 15];
	struct hp_err e = { 0 };
	struct tree t;

	for (size_t i = 0; i < N; i++) {
		int n = snprintf((char *)bytes[i], sizeof bytes[i],
		    "/usr/share/%s/%u", i % 3 ? "documentation" : "man",
		    (unsigned)test_below(1000000));

		sample[i] = (struct span){ bytes[i], (size_t)n };
	}
	REQUIRE(tree_init(&t, sample, N, 0, 500, false, &e) == 0);
	for (size_t i = 0; i < N; i++)
		count[tree_find(&t, sample[i])]++;
	for (size_t b = 0; b < t.buckets; b++)
		CHECK(count[b] <= 2 * N / 500);
	tree_fini(&t);
}

/* Lines of one list, short and long, come as they went in. */
static void
lines_return_as_they_came(void)
{
	static struct span line[N / 4];
	struct hp_err e = { 0 };
	struct arena a;
	struct heap h = { .arena = &a };
	struct pile p;
	struct walk at;
	size_t n = 0;

	REQUIRE(arena_init(&a, 1 << 26, 1 << 26, 1 << 18, 1 << 26, &e) == 0);
	REQUIRE(pile_init(&p, &h, 2, &e) == 0);
	for (size_t i = 0; i < N / 4; i++) {
		size_t most = test_below(4) ? TEXT_NEAR_MOST : LONGEST;

		line[i] = (struct span){ huge + i % 100, test_below(most) };
		if (line[i].len <= TEXT_NEAR_MOST)
			REQUIRE(text_put_near(&p, 1, line[i]) == 0);
		else
			REQUIRE(
			    text_put_far(&p, 1, text_keep(&h, line[i])) == 0);
	}
	pile_close(&p);
	CHECK(p.list[0].n == 0 && p.list[1].n == N / 4);
	for (at = list_walk(&p.list[1]); walk_bytes(&at) > 0; walk_next(&at)) {
		const unsigned char *s = at.chunk->data;

		while (s < at.chunk->data + at.chunk->used) {
			bool near = text_near(s);
			uint64_t place = text_next(&s);
			size_t skip = near ? 0 : test_below(100);

			REQUIRE(n < N / 4);
			if (!near)
				place = text_skip(place, skip);
			line[n].at += skip;
			line[n].len -= skip;
			CHECK(compare(place_span(place), line[n]) == 0);
			n++;
		}
	}
	CHECK(n == N / 4);
	pile_fini(&p);
	arena_fini(&a);
}

int
main(void)
{
	if ((huge = malloc(2 * LONGEST)) == NULL)
		return 1;
	memset(huge, 'x', 2 * LONGEST);
	for (size_t i = 0; i < 100; i++)
		huge[LONGEST - 3000 + test_below(3000)] = 'y';
	RUN(tree_keeps_order);
	RUN(tree_is_even);
	RUN(lines_return_as_they_came);
	free(huge);
	return test_done();
}
