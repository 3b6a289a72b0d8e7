/* The plan of polyphase merging, compared with Knuth vol. 3, 5.4.2. */
#include <stdlib.h>
#include <string.h>

#include "run/polyphase.h"
#include "test.h"

enum {
	MOST = 100000,
	TAPES_MOST = 20
};

/*
 * Generalized Fibonacci numbers of order p, with F(0) .. F(p-2) = 0 and F(p-1)
 * = 1. At level n, tape k has F(n+p-2) + ... + F(n+k-2) runs.
 */
static uint64_t
fibonacci(unsigned p, unsigned n)
{
	static uint64_t f[128];

	for (unsigned i = 0; i <= n; i++) {
		f[i] = i == p - 1;
		for (unsigned k = 1; i >= p && k <= p; k++)
			f[i] += f[i - k];
	}
	return f[n];
}

static uint64_t
perfect(unsigned p, unsigned level, unsigned tape)
{
	uint64_t sum = 0;

	for (unsigned i = tape - 1; i < p; i++)
		sum += fibonacci(p, level + i - 1);
	return sum;
}

static uint64_t
perfect_total(unsigned p, unsigned level)
{
	uint64_t sum = 0;

	for (unsigned k = 1; k <= p; k++)
		sum += perfect(p, level, k);
	return sum;
}

static void
knuths_table(void)
{
	/* Knuth's Table 1, for six tapes. */
	static const size_t table[][5] = { { 1, 1, 1, 1, 1 }, { 2, 2, 2, 2, 1 },
		{ 4, 4, 4, 3, 2 }, { 8, 8, 7, 6, 4 }, { 16, 15, 14, 12, 8 },
		{ 31, 30, 28, 24, 16 }, { 61, 59, 55, 47, 31 },
		{ 120, 116, 108, 92, 61 } };
	struct hp_err e = { 0 };
	struct polyphase p;

	for (size_t level = 0; level < 8; level++) {
		size_t n = 0;

		for (size_t k = 0; k < 5; k++) {
			CHECK_EQ_U64(
			    perfect(5, (unsigned)level + 1, (unsigned)k + 1),
			    table[level][k]);
			n += table[level][k];
		}
		CHECK(polyphase_plan(&p, n, 6, &e) == 0);
		CHECK_EQ_U64(p.phases, level + 1);
		for (size_t k = 0; k < 5; k++) {
			CHECK_EQ_U64(p.perfect[k], table[level][k]);
			CHECK_EQ_U64(p.dummies[k], 0);
		}
		polyphase_fini(&p);
	}
}

/* For any number of runs, the plan uses the least level with enough runs, and
 * the dummies are spread as evenly as possible. */
static void
distributions(void)
{
	struct hp_err e = { 0 };
	struct polyphase p;

	for (int i = 0; i < 300; i++) {
		unsigned tapes = 3 + (unsigned)test_below(TAPES_MOST - 2);
		size_t runs = 1 + test_below(i < 200 ? 500 : MOST), all = 0;
		unsigned level = 1;

		while (perfect_total(tapes - 1, level) < runs)
			level++;
		CHECK(polyphase_plan(&p, runs, tapes, &e) == 0);
		CHECK_EQ_U64(p.phases, level);
		for (unsigned k = 0; k + 1 < tapes; k++) {
			CHECK_EQ_U64(
			    p.perfect[k], perfect(tapes - 1, level, k + 1));
			CHECK(p.dummies[k] <= p.perfect[k]);
			all += p.dummies[k];
		}
		CHECK_EQ_U64(all, perfect_total(tapes - 1, level) - runs);
		polyphase_fini(&p);
	}
}

/* Each run and each result is merged once. Each merge has at most tapes - 1
 * inputs, comes after the merges that make them, and its inputs are adjacent
 * and in order. */
static void
plans_are_whole(void)
{
	static size_t from[2 * MOST], to[2 * MOST];
	struct hp_err e = { 0 };
	struct polyphase p;

	for (int i = 0; i < 200; i++) {
		size_t tapes = 3 + test_below(TAPES_MOST - 2);
		size_t runs = 1 + test_below(i < 150 ? 200 : 20000), used = 0;

		CHECK(polyphase_plan(&p, runs, tapes, &e) == 0);
		memset(from, 0xff, sizeof from);
		for (size_t k = 0; k < runs; k++) {
			from[k] = k;
			to[k] = k + 1;
		}
		for (size_t m = 0; m < p.nmerges; m++) {
			const size_t *in = &p.input[p.merge[m].first];
			size_t n = p.merge[m].n;

			CHECK(n >= 2 && n < tapes);
			for (size_t k = 0; k < n; k++) {
				CHECK(in[k] < runs + m);
				CHECK(from[in[k]] != SIZE_MAX);
				CHECK(k == 0 || from[in[k]] == to[in[k - 1]]);
			}
			from[runs + m] = from[in[0]];
			to[runs + m] = to[in[n - 1]];
			for (size_t k = 0; k < n; k++)
				from[in[k]] = SIZE_MAX;
			used += n;
		}
		CHECK_EQ_U64(used, runs == 1 ? 0 : runs + p.nmerges - 1);
		if (runs > 1) {
			CHECK_EQ_U64(from[runs + p.nmerges - 1], 0);
			CHECK_EQ_U64(to[runs + p.nmerges - 1], runs);
		}
		polyphase_fini(&p);
	}
}

/*
 * Counts the records moved with three tapes and F(n) and F(n-1) perfect runs.
 * Each phase makes as many merged runs as the smaller tape has, and leaves the
 * rest.
 */
static void
moves_of_three_tapes(void)
{
	struct hp_err e = { 0 };
	struct polyphase p;

	for (unsigned n = 3; n < 20; n++) {
		uint64_t a = fibonacci(2, n), b = fibonacci(2, n - 1);
		uint64_t size_a = 1, size_b = 1, size, moved = 0, got = 0;
		size_t *sizes;

		CHECK(polyphase_plan(&p, a + b, 3, &e) == 0);
		while (b > 0) {
			size = size_a + size_b;
			moved += b * size;
			a -= b;
			/*
			 * The result is b merged runs, and a - b runs of the
			 * larger tape remain.
			 */
			size_b = size_a;
			size_a = size;
			size = a;
			a = b;
			b = size;
		}
		sizes = calloc(p.runs + p.nmerges, sizeof *sizes);
		for (size_t i = 0; i < p.runs + p.nmerges; i++) {
			sizes[i] = i < p.runs;
			for (size_t k = 0;
			     i >= p.runs && k < p.merge[i - p.runs].n; k++)
				sizes[i] += sizes
				    [p.input[p.merge[i - p.runs].first + k]];
			got += i < p.runs ? 0 : sizes[i];
		}
		CHECK_EQ_U64(got, moved);
		free(sizes);
		polyphase_fini(&p);
	}
}

int
main(void)
{
	RUN(knuths_table);
	RUN(distributions);
	RUN(plans_are_whole);
	RUN(moves_of_three_tapes);
	return test_done();
}
