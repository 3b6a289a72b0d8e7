/* Brief entries (8 bytes), compared with sorting the whole records. */
#include "kernel/brief.h"
#include "kernel/kernel.h"
#include "test.h"

enum {
	MOST = 5000,
	SIZE = 24, /* bytes of a record, which is its own key */
	SHAPES = 5
};

static unsigned char records[MOST][SIZE];

/* Fills a record by its shape: random bytes; few values; mostly one record; a
 * long common prefix; or the ends of the range. */
static void
random_record(unsigned char *s, unsigned shape)
{
	memset(s, 0, SIZE);
	switch (shape) {
	case 0:
		for (size_t i = 0; i < SIZE; i++)
			s[i] = (unsigned char)test_random();
		break;
	case 1:
		for (size_t i = 0; i < SIZE; i++)
			s[i] = (unsigned char)test_below(2);
		break;
	case 2:
		if (test_below(9) == 0)
			s[test_below(SIZE)] = (unsigned char)test_below(256);
		break;
	case 3:
		memset(s, 'x', 11);
		for (size_t i = 11; i < 14; i++)
			s[i] = (unsigned char)test_below(256);
		break;
	default:
		memset(s, test_below(2) ? 0xff : 0, SIZE);
		s[7] ^= (unsigned char)test_below(3);
		s[SIZE - 1] ^= (unsigned char)test_below(3);
	}
}

static bool backwards;

/* Orders records by their bytes, equal ones by input order. */
static int
compare(const void *a, const void *b)
{
	const unsigned char *s = *(unsigned char *const *)a;
	const unsigned char *t = *(unsigned char *const *)b;
	int c = memcmp(s, t, SIZE);

	if (c == 0)
		return (s > t) - (s < t);
	return backwards ? -c : c;
}

/* Returns the number of bits needed for offsets below n records. */
static unsigned
bits_for(size_t n)
{
	return 64 - (unsigned)__builtin_clzll((n - 1) * SIZE | 1);
}

struct case_ {
	const struct tree *tree;
	const struct brief *brief;
	size_t n;
	unsigned bits;
};

/* Collects the brief entries of a bucket and counts them in *n. */
static void
bucket_briefs(const struct case_ *c, size_t bucket, uint64_t *to, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < c->n; i++) {
		struct span s = { records[i], SIZE };
		size_t depth = c->tree->leaf[bucket].depth;
		uint64_t key, x;

		if (tree_find(c->tree, s) != bucket)
			continue;
		key = span_load(s, depth, backwards);
		x = brief_make(
		    &c->brief[bucket], key, (uint64_t)i * SIZE, c->bits);
		/* Shifting the key must not lose a top bit. */
		CHECK_EQ_U64(
		    (key - c->brief[bucket].low) << c->brief[bucket].shift >>
			c->brief[bucket].shift,
		    key - c->brief[bucket].low);
		CHECK(c->brief[bucket].low <= key);
		to[(*n)++] = x;
	}
}

/* Sorts the brief entries, and sorts those with equal key bits by their
 * records. The result must be the order of the records, with every kernel. */
static void
held_against_records(
    const struct case_ *c, const struct kernel *kernel, unsigned char **want)
{
	static uint64_t x[MOST + 1], tmp[MOST + 1];
	static unsigned char *got[MOST];
	uint64_t mask = ((uint64_t)1 << c->bits) - 1;
	size_t done = 0, n, j;

	for (size_t k = 0; k < c->tree->buckets; k++) {
		bucket_briefs(c, k, x, &n);
		kernel->sort_8(x, tmp, n);
		for (size_t i = 0; i < n; i++) {
			REQUIRE(done + i < c->n);
			REQUIRE((x[i] & mask) % SIZE == 0);
			REQUIRE((x[i] & mask) / SIZE < c->n);
			got[i] = records[(x[i] & mask) / SIZE];
		}
		for (size_t i = 0; i < n; i = j) {
			for (j = i + 1; j < n; j++) {
				if (x[j] >> c->bits != x[i] >> c->bits)
					break;
				/* Entries with equal key bits are still in
				 * input order. */
				CHECK(got[j - 1] < got[j]);
			}
			qsort(got + i, j - i, sizeof *got, compare);
		}
		for (size_t i = 0; i < n; i++)
			CHECK(got[i] == want[done + i]);
		done += n;
	}
	CHECK_EQ_U64(done, c->n);
}

/*
 * Sorts n records in so many buckets.  The offset gets `more` additional bits.
 */
static void
sorts(size_t n, size_t buckets, unsigned shape, unsigned more)
{
	static struct span sample[MOST];
	static unsigned char *want[MOST];
	struct case_ c = { .n = n, .bits = bits_for(n) + more };
	struct hp_err e = { 0 };
	struct brief *brief;
	struct tree t;

	for (size_t i = 0; i < n; i++) {
		random_record(records[i], shape);
		want[i] = records[i];
		sample[i] = (struct span){ records[i], SIZE };
	}
	qsort(want, n, sizeof *want, compare);
	/*
	 * The sample is only part of the records, so some records lie outside
	 * its range.
	 */
	REQUIRE(
	    tree_init(&t, sample, n / 2 + 1, 0, buckets, backwards, &e) == 0);
	brief = briefs_new(&t, backwards, &e);
	REQUIRE(brief != NULL);
	c.tree = &t;
	c.brief = brief;
	held_against_records(&c, &kernel_plain, want);
	held_against_records(&c, kernel_best(), want);
	free(brief);
	tree_fini(&t);
}

static void
order_is_that_of_records(void)
{
	static const size_t size[] = { 1, 2, 3, 15, 16, 17, 255, 256, 257, 1023,
		1024, 1025, MOST };

	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		for (unsigned shape = 0; shape < SHAPES; shape++)
			for (unsigned f = 0; f < 2; f++) {
				backwards = f;
				sorts(size[i], 1 + test_below(40), shape,
				    (unsigned)test_below(24));
			}
	backwards = false;
}

/*
 * Shortened keys of one bucket keep their order, and stay distinct if no bit is
 * lost.
 */
static void
keys_stay_apart(const struct brief *b, uint64_t from, uint64_t to)
{
	enum {
		BITS = 20
	};

	for (unsigned i = 0; i < 50; i++) {
		uint64_t range = to - from, far, near, a, c;

		far = range == UINT64_MAX ? test_random()
					  : test_below(range + 1);
		near = test_below(2) ? test_random() : test_below(1 << 12);
		near = far - (near < far ? near : far);
		a = brief_make(b, from + near, 7, BITS) >> BITS;
		c = brief_make(b, from + far, 3, BITS) >> BITS;
		CHECK(a <= c);
		if (b->shift >= BITS)
			CHECK((a == c) == (near == far));
		else
			CHECK(a != c ||
			    far - near < (uint64_t)1 << (BITS - b->shift));
	}
}

/* The key range of a bucket fills the available bits, starting at its least
 * key. */
static void
bounds_fill_the_range(void)
{
	static struct span sample[MOST];
	struct hp_err e = { 0 };

	for (unsigned f = 0; f < 2; f++) {
		const struct spread *s;
		struct brief *b;
		struct tree t;

		for (size_t i = 0; i < MOST; i++) {
			random_record(records[i], 0);
			sample[i] = (struct span){ records[i], SIZE };
		}
		REQUIRE(tree_init(&t, sample, MOST, 0, 64, f, &e) == 0);
		REQUIRE(t.nodes > 0 && !t.node[0].ends);
		b = briefs_new(&t, f, &e);
		REQUIRE(b != NULL);
		s = &t.node[0].spread;
		for (size_t k = 0; k < s->buckets; k++) {
			uint64_t low = k > 0 ? s->bound[k] : 0;
			uint64_t high = k + 1 < s->buckets ? s->bound[k + 1] - 1
							   : UINT64_MAX;
			size_t leaf = t.node[0].to[k], more;
			uint64_t from, to;

			if (leaf & TREE_NODE)
				continue;
			/* Bytes that all keys share are not part of the
			 * shortened keys. */
			if ((more = t.leaf[leaf].depth) >= 8)
				continue;
			CHECK((low ^ high) >> 8 >> (56 - 8 * more) == 0);
			low <<= 8 * more;
			high = high << 8 * more |
			    (((uint64_t)1 << 8 * more) - 1);
			from = f ? ~high : low;
			to = f ? ~low : high;
			CHECK_EQ_U64(b[leaf].low, from);
			CHECK_EQ_U64(brief_make(&b[leaf], from, 5, 8), 5);
			CHECK(from == to ||
			    brief_make(&b[leaf], to, 0, 1) >> 63 == 1);
			keys_stay_apart(&b[leaf], from, to);
		}
		free(b);
		tree_fini(&t);
	}
}

int
main(void)
{
	RUN(order_is_that_of_records);
	RUN(bounds_fill_the_range);
	return test_done();
}
