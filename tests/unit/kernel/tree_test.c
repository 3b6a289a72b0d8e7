/* Distributing strings with a tree. */
#include "kernel/tree.h"
#include "kernel/walk.h"
#include "test.h"

enum {
	N = 20000,
	LONGEST = 6000,
	SHAPES = 6
};

static unsigned char bytes[N][64];
static unsigned char *huge;

/*
 * Returns a string by its shape: paths of few names; mostly one string; any
 * number of zeros; random bytes; half of them empty; or strings that differ
 * only beyond the longest path.
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
	case 4:
		n = test_below(2) ? 0 : test_below(16);
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

/* Returns whether the string has all properties that its leaf promises. */
static bool
keeps(const struct leaf *l, struct span s)
{
	return s.len >= l->depth && (!l->ended || s.len == l->depth) &&
	    memcmp(s.at, l->path, l->depth) == 0;
}

/*
 * Checks that in each bucket whose leaf says so, the 8 bytes after the common
 * prefix are equal in all strings.
 */
static void
check_equal(const struct tree *t, const struct span *s, const uint16_t *to)
{
	static uint64_t first[1 << 15];
	static bool seen[1 << 15];

	memset(seen, 0, sizeof seen);
	for (size_t i = 0; i < N; i++) {
		const struct leaf *l = &t->leaf[to[i]];
		uint64_t key = span_load(s[i], l->depth, false);

		if (!seen[to[i]])
			first[to[i]] = key;
		seen[to[i]] = true;
		CHECK(!l->equal || key == first[to[i]]);
	}
}

/* Finds the buckets of many strings, in groups of varying size. */
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

	for (unsigned shape = 0; shape < SHAPES; shape++)
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
			check_equal(&t, s, to);
			tree_fini(&t);
		}
}

/* No bucket gets more than twice its share, although all strings share a long
 * prefix. */
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
	free(huge);
	return test_done();
}
