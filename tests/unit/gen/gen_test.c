/* lib/gen: gensort's generator, and the properties of each distribution. */

#include <math.h>

#include "base/sum.h"
#include "gen/dist.h"
#include "gen/gen.h"
#include "gen/gensort.h"
#include "gen/zipf.h"

#include "test.h"

static const uint64_t SEED = 314159265;

/* Jumping to a record gives the same state as stepping to it. */
static void
gensort_jumps(void)
{
	enum {
		N = 2 * GENSORT_PIECES + 3
	};
	static struct gensort run, at;
	unsigned char a[GENSORT_SIZE], b[GENSORT_SIZE];

	for (int kind = 0; kind < 4; kind++) {
		gensort_init(&run, 0, kind & 1, kind & 2);
		for (unsigned i = 0; i < N; i++) {
			gensort_next(&run, a);
			if (i % 97 != 0 && i + 3 < N)
				continue;
			gensort_init(&at, i, kind & 1, kind & 2);
			gensort_next(&at, b);
			CHECK_BYTES(b, sizeof b, a, sizeof a);
		}
	}
}

static void
gensort_first_key(void)
{
	struct gensort g;
	unsigned char r[GENSORT_SIZE];

	gensort_init(&g, 0, false, false);
	gensort_next(&g, r);
	CHECK_BYTES(r, 10, "JimGrayRIP", 10);
}

/* Checksums of 1000 records, which gensort 1.5 prints with -c. */
static void
gensort_sums(void)
{
	static const struct {
		bool ascii, skewed;
		gensort_number from;
		uint64_t sum;
	} runs[] = { { false, false, 0, 0x1ea6370b955 },
		{ true, false, 0, 0x1f5dfb3631a },
		{ false, true, 0, 0x1e96301166b },
		{ true, true, 0, 0x1eef17d1cac },
		{ false, false, 5000000000, 0x1f372a6543d },
		{ false, true, 1152921504606846000, 0x1eb3675d493 },
		{ true, true, 18446744073709551000U, 0x1e802ee2060 } };

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		unsigned char record[GENSORT_SIZE];
		struct sum sum = { 0 };
		struct gensort g;

		gensort_init(&g, runs[i].from, runs[i].ascii, runs[i].skewed);
		for (int k = 0; k < 1000; k++) {
			gensort_next(&g, record);
			sum_record(&sum, record, sizeof record);
		}
		CHECK_EQ_U64(sum.low, runs[i].sum);
		CHECK_EQ_U64(sum.high, 0);
	}
}

static bool
number(const char *text, gensort_number want)
{
	struct hp_err e = { 0 };
	gensort_number n = 0;

	return gensort_number_parse(text, &n, "n", &e) == 0 && n == want;
}

static void
gensort_numbers(void)
{
	struct hp_err e = { 0 };
	const char *bad[] = { "", "k", "-1", "+1", " 1", "1 ", "1kk", "1x",
		"0x1", "1.5", "340282366920938463463374607431768211456",
		"340282366920938463463374607431768211455k" };
	gensort_number n;

	CHECK(number("0", 0));
	CHECK(number("7k", 7000));
	CHECK(number("7K", 7000));
	CHECK(number("3T", 3000000000000));
	CHECK(number(
	    "340282366920938463463374607431768211455", ~(gensort_number)0));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		e = (struct hp_err){ 0 };
		CHECK(gensort_number_parse(bad[i], &n, "start", &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, "start") != NULL);
	}
}

static void
dist_names(void)
{
	struct hp_err e;
	struct dist d;
	const char *good[] = { "uniform", "lcg46", "gaussian", "zipf",
		"zipf:0.5", "zipf:2,10", "zipf:1,1k", "sorted", "reverse",
		"few", "few:3", "equal", "bucket", "bucket:3", "staggered",
		"staggered:1", "g-group", "g-group:8", "g-group:8,4", "dd",
		"rd", "rd:3", "rd:3,7", "nearly", "nearly:1k" };
	const char *bad[] = { "", "uniforms", "unifor", "uniform:", "equal:2",
		"zipf:0", "zipf:-1", "zipf:nan", "zipf:inf",
		"zipf:", "zipf:1,0", "zipf:1,2,3", "few:0", "few:x", "bucket:0",
		"bucket:-1", "bucket:1048577", "staggered:1,2", "g-group:8,3",
		"g-group:8,9", "g-group:8,0", "zipf:1,", ":", "zipf 1", "dd:1",
		"rd:3,1", "nearly:0" };

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (dist_parse(good[i], &d, &e) == -1)
			test_bad(__FILE__, __LINE__, "%s: %s", good[i], e.text);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		e = (struct hp_err){ 0 };
		if (dist_parse(bad[i], &d, &e) == 0)
			test_bad(__FILE__, __LINE__, "'%s' taken", bad[i]);
		else
			CHECK(e.kind == HP_USAGE && e.text[0] != '\0');
	}
}

static void
start(struct dist *d, const char *name, uint64_t total)
{
	struct hp_err e = { 0 };

	CHECK(dist_parse(name, d, &e) == 0);
	dist_start(d, SEED, total, (uint64_t)1 << 53);
}

/*
 * Ranks are positive numbers that the format can represent: those of a signed
 * byte go to 127. The reverse order begins with the greatest of them.
 */
static void
small_formats_have_small_ranks(void)
{
	static const struct {
		const char *format;
		uint64_t most;
	} formats[] = { { "u8", 255 }, { "i8", 127 }, { "record:3,1,1", 255 } };

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct gen_options o = {
			.dist = "zipf:0.01", .seed = SEED, .total = 1 << 20
		};
		unsigned char record[8];
		uint64_t most = 0;
		struct hp_err e = { 0 };
		struct gen g;

		CHECK(format_parse(formats[i].format, &o.format, &e) == 0);
		REQUIRE(gen_init(&g, &o, &e) == 0);
		CHECK_EQ_U64(g.max, o.format.size);
		for (int k = 0; k < 20000; k++) {
			unsigned key;

			gen_next(&g, record);
			key = record[o.format.key_off];
			CHECK(key >= 1 && key <= formats[i].most);
			most = key > most ? key : most;
		}
		CHECK_EQ_U64(most, formats[i].most);
		o.dist = "reverse";
		REQUIRE(gen_init(&g, &o, &e) == 0);
		for (uint64_t k = 0; k <= most; k++) {
			gen_next(&g, record);
			CHECK_EQ_U64(record[o.format.key_off], most - k);
		}
	}
}

/* Returns Pearson's chi-squared statistic, converted to a standard normal
 * deviate. */
static double
deviate(const uint64_t *seen, const double *expected, size_t n)
{
	double chi2 = 0;

	for (size_t i = 0; i < n; i++)
		chi2 += (seen[i] - expected[i]) * (seen[i] - expected[i]) /
		    expected[i];
	return (chi2 - (double)(n - 1)) / sqrt(2 * (double)(n - 1));
}

/* The seeds are fixed, so this test does not fail by chance. */
static void
uniform_is_flat(void)
{
	enum {
		N = 1 << 18
	};
	uint64_t seen[256] = { 0 };
	double expected[256];
	struct dist d;

	for (int shift = 0; shift <= 56; shift += 28) {
		start(&d, "uniform", N);
		memset(seen, 0, sizeof seen);
		for (uint64_t i = 0; i < N; i++)
			seen[dist_value(&d, i).number >> shift & 255]++;
		for (int i = 0; i < 256; i++)
			expected[i] = N / 256.0;
		CHECK(fabs(deviate(seen, expected, 256)) < 4);
	}
}

static void
zipf_is_exact(void)
{
	enum {
		N = 1 << 17,
		RANKS = 50
	};
	static const double exponents[] = { 0.1, 0.5, 0.99, 1, 1.00001, 1.5, 3,
		8 };
	uint64_t seen[RANKS] = { 0 }, k;
	double expected[RANKS], sum;
	struct random r;
	struct zipf z;
	size_t n;

	for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
		memset(seen, 0, sizeof seen);
		zipf_init(&z, exponents[i], RANKS);
		for (uint64_t j = 0; j < N; j++) {
			r = random_of(SEED, j);
			k = zipf_next(&z, &r);
			REQUIRE(k >= 1 && k <= RANKS);
			seen[k - 1]++;
		}
		sum = 0;
		for (n = 0; n < RANKS; n++)
			sum += pow((double)n + 1, -exponents[i]);
		for (n = 0; n < RANKS; n++)
			expected[n] = N / sum *
			    pow((double)n + 1, -exponents[i]);
		/* Add cells with too few expected values to the last cell. */
		while (n > 2 && expected[n - 1] < 10) {
			n--;
			expected[n - 1] += expected[n];
			seen[n - 1] += seen[n];
		}
		CHECK(fabs(deviate(seen, expected, n)) < 4);
	}
}

/* Zipf distributions with one rank, two, and very many. */
static void
zipf_extremes(void)
{
	struct random r = random_of(SEED, 0);
	uint64_t ones = 0, most = (uint64_t)1 << 53, k;
	struct zipf z;

	zipf_init(&z, 1, 1);
	for (int i = 0; i < 1000; i++)
		CHECK_EQ_U64(zipf_next(&z, &r), 1);
	zipf_init(&z, 1, 2);
	for (int i = 0; i < 90000; i++)
		ones += zipf_next(&z, &r) == 1;
	CHECK_NEAR(ones, 60000, 0.02);
	zipf_init(&z, 0.001, most);
	for (int i = 0; i < 1000; i++) {
		k = zipf_next(&z, &r);
		CHECK(k >= 1 && k <= most);
	}
	zipf_init(&z, 1000, most);
	for (int i = 0; i < 1000; i++)
		CHECK_EQ_U64(zipf_next(&z, &r), 1);
}

/* The mean of four uniform values has variance 1/48. */
static void
gaussian_moments(void)
{
	enum {
		N = 1 << 18
	};
	double sum = 0, squares = 0, x;
	struct dist d;

	start(&d, "gaussian", N);
	for (uint64_t i = 0; i < N; i++) {
		x = ldexp((double)dist_value(&d, i).number, -64);
		sum += x;
		squares += (x - 0.5) * (x - 0.5);
	}
	CHECK_NEAR(sum / N, 0.5, 0.002);
	CHECK_NEAR(squares / N, 1 / 48.0, 0.02);
}

/* The recurrence by its definition, and a jump into it. */
static void
lcg46_recurrence(void)
{
	const uint64_t modulus = (uint64_t)1 << 46;
	uint64_t x = SEED, first = 0;
	struct dist d;

	start(&d, "lcg46", 1000);
	for (uint64_t i = 0; i < 1000; i++) {
		x = (uint64_t)((unsigned __int128)x * 1220703125 % modulus);
		CHECK_EQ_U64(dist_value(&d, i).number, x << 18);
		if (i == 500)
			first = x;
	}
	CHECK_EQ_U64(dist_value(&d, 500).number, first << 18);
	CHECK_EQ_U64(dist_value(&d, 999).number, x << 18);
	CHECK_EQ_U64(dist_value(&d, 0).number,
	    (uint64_t)((unsigned __int128)SEED * 1220703125 % modulus) << 18);
	/* The period of the generator is 2^44. */
	CHECK_EQ_U64(
	    dist_value(&d, (uint64_t)1 << 44).number, dist_value(&d, 0).number);
}

static void
few_and_equal(void)
{
	uint64_t value[7] = { 0 }, seen[7] = { 0 }, n = 0, v;
	struct dist d;
	size_t k;

	start(&d, "few:7", 10000);
	for (uint64_t i = 0; i < 10000; i++) {
		v = dist_value(&d, i).number;
		for (k = 0; k < n && value[k] != v; k++)
			;
		REQUIRE(k < 7);
		value[k] = v;
		seen[k]++;
		n += k == n;
	}
	CHECK_EQ_U64(n, 7);
	for (k = 0; k < 7; k++)
		CHECK_NEAR(seen[k], 10000 / 7.0, 0.1);
	start(&d, "equal", 10);
	for (uint64_t i = 1; i < 10; i++)
		CHECK_EQ_U64(
		    dist_value(&d, i).number, dist_value(&d, 0).number);
}

static uint64_t
bucket_of(struct dist *d, uint64_t record, uint64_t p)
{
	return (uint64_t)((unsigned __int128)dist_value(d, record).number * p >>
	    64);
}

/*
 * Each value follows the definition by Helman, Bader and JaJa, for p that
 * divides n, node by node.
 */
static void
staggered_as_defined(void)
{
	enum {
		P = 8,
		N = P * 100
	};
	struct dist d;
	uint64_t i;

	start(&d, "staggered:8", N);
	for (uint64_t r = 0; r < N; r++) {
		i = r / (N / P);
		CHECK_EQ_U64(
		    bucket_of(&d, r, P), i < P / 2 ? 2 * i + 1 : 2 * i - P);
	}
}

static void
bucket_as_defined(void)
{
	enum {
		P = 8,
		N = P * P * 20
	};
	struct dist d;

	start(&d, "bucket:8", N);
	for (uint64_t r = 0; r < N; r++)
		CHECK_EQ_U64(bucket_of(&d, r, P), r % (N / P) / (N / (P * P)));
}

static void
group_as_defined(void)
{
	enum {
		P = 8,
		G = 4,
		N = P * G * 20
	};
	struct dist d;
	uint64_t i, j, turn;

	start(&d, "g-group:8,4", N);
	for (uint64_t r = 0; r < N; r++) {
		i = r / (N / P);
		j = i / G;
		turn = r % (N / P) / (N / (P * G));
		CHECK_EQ_U64(bucket_of(&d, r, P), (j * G + P / 2 + turn) % P);
	}
}

/* The value is log n for p/2 nodes, log n/2 for p/4, ...; the last node is
 * divided likewise. */
static void
dd_as_defined(void)
{
	enum {
		LOG = 12,
		N = 1 << LOG
	};
	struct dist d;
	uint64_t r = 0;

	start(&d, "dd", N);
	for (unsigned k = 0; k < LOG; k++)
		for (int i = 0; i < N >> (k + 1); i++)
			CHECK_EQ_U64(dist_value(&d, r++).number, LOG - k);
	CHECK_EQ_U64(r, N - 1);
	CHECK_EQ_U64(dist_value(&d, r).number, 0);
}

static void
rd_has_runs(void)
{
	enum {
		P = 4,
		R = 8,
		N = 4000
	};
	uint64_t changes, v, before = R;
	struct dist d;

	start(&d, "rd:4,8", N);
	for (uint64_t node = 0; node < P; node++) {
		changes = 0;
		for (uint64_t i = 0; i < N / P; i++, before = v) {
			v = dist_value(&d, node * (N / P) + i).number;
			CHECK(v < R);
			changes += i > 0 && v != before;
		}
		CHECK(changes > 0 && changes < R);
	}
}

static void
nearly_is_near(void)
{
	enum {
		N = 5000,
		K = 10
	};
	static uint64_t v[N];
	struct dist d;
	uint64_t turned = 0;

	start(&d, "nearly:10", N);
	for (uint64_t i = 0; i < N; i++)
		v[i] = dist_value(&d, i).number;
	for (uint64_t i = 0; i < N; i++)
		for (uint64_t j = i + 1; j < N; j++)
			if (v[j] < v[i]) {
				turned++;
				CHECK(j - i < K);
			}
	CHECK(turned > N / 2);
}

/* Parts of unequal size, and more nodes than records. */
static void
uneven_parts(void)
{
	const char *names[] = { "staggered:7", "bucket:7", "g-group:9,3",
		"staggered:1", "g-group:1,1", "bucket:1", "rd:7,9", "dd" };
	struct dist d;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		for (uint64_t total = 1; total < 40; total++) {
			start(&d, names[i], total);
			for (uint64_t r = 0; r < total; r++)
				CHECK(bucket_of(&d, r, d.nodes) < d.nodes);
		}
}

static void
sorted_and_reverse(void)
{
	struct hp_err e = { 0 };
	struct dist d;

	start(&d, "sorted", 10);
	CHECK_EQ_U64(dist_value(&d, 12345).number, 12345);
	CHECK(dist_parse("reverse", &d, &e) == 0);
	dist_start(&d, SEED, 300, 255);
	CHECK_EQ_U64(dist_value(&d, 0).number, 255);
	CHECK_EQ_U64(dist_value(&d, 255).number, 0);
	CHECK_EQ_U64(dist_value(&d, 299).number, 0);
}

/* A distribution may be asked for any record next, whatever came before. */
static void
values_in_any_order(void)
{
	static const char *const names[] = { "uniform", "lcg46", "gaussian",
		"zipf", "sorted", "reverse", "few", "equal", "bucket:3",
		"staggered:3", "g-group:4,2", "dd", "rd:3", "nearly" };
	static const uint64_t record[] = { 5, 7, 6, 6, 0, 1, 3, 2, 999, 0 };
	struct value got, want;
	struct dist d, fresh;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		start(&d, names[i], 1000);
		for (size_t k = 0; k < sizeof record / sizeof *record; k++) {
			start(&fresh, names[i], 1000);
			want = dist_value(&fresh, record[k]);
			got = dist_value(&d, record[k]);
			CHECK_EQ_U64(got.number, want.number);
			CHECK(got.fraction == want.fraction);
		}
	}
}

int
main(void)
{
	RUN(gensort_first_key);
	RUN(gensort_jumps);
	RUN(gensort_sums);
	RUN(gensort_numbers);
	RUN(dist_names);
	RUN(small_formats_have_small_ranks);
	RUN(uniform_is_flat);
	RUN(zipf_is_exact);
	RUN(zipf_extremes);
	RUN(gaussian_moments);
	RUN(lcg46_recurrence);
	RUN(few_and_equal);
	RUN(staggered_as_defined);
	RUN(bucket_as_defined);
	RUN(group_as_defined);
	RUN(dd_as_defined);
	RUN(rd_has_runs);
	RUN(nearly_is_near);
	RUN(uneven_parts);
	RUN(sorted_and_reverse);
	RUN(values_in_any_order);
	return test_done();
}
