/*
 * The memory of a sort.  For any memory size, number of threads and input, all
 * buffers together use the memory that there is, and no more.
 */
#include "base/size.h"
#include "base/space.h"
#include "base/team.h"
#include "input/budget.h"
#include "kernel/pile.h"
#include "kernel/spread.h"
#include "test.h"

#define K ((uint64_t)1 << 10)
#define M ((uint64_t)1 << 20)
#define G ((uint64_t)1 << 30)

enum {
	CASES = 20000,
	LIST = 48, /* bytes of a list of numbers */
	BINS = 1 << 14
};

/* Returns any number of bytes up to 2^40; small ones are as likely as large. */
static uint64_t
any_size(void)
{
	return test_random() >> (24 + test_below(40));
}

/*
 * Returns what budget.c leaves to the data: all except 4 MiB, and 256 KiB for
 * each thread.
 */
static uint64_t
beside(uint64_t all, unsigned threads)
{
	uint64_t taken = 4 * M + threads * 256 * K;

	return all >= taken + 2 * M ? all - taken : 2 * M;
}

static void
each_thread_has_a_mebibyte_for_each(void)
{
	struct budget g;

	for (int i = 0; i < CASES; i++) {
		uint64_t all = any_size(), n;
		unsigned threads = 1 + (unsigned)test_below(300);

		budget_init(&g, all, threads);
		n = g.threads;
		REQUIRE(n >= 1 && n <= threads);
		CHECK_EQ_U64(g.memory, beside(all, g.threads));
		CHECK(n == 1 || g.memory >= n * n * M);
		/*
		 * With one more thread, each thread would have less than a
		 * mebibyte for each.
		 */
		n++;
		CHECK(n > threads || beside(all, (unsigned)n) < n * n * M);
	}
	/* 3 * 3 MiB are enough for three threads, and a byte less is not. */
	budget_init(&g, 4 * M + 3 * 256 * K + 9 * M, 8);
	CHECK_EQ_U64(g.threads, 3);
	CHECK_EQ_U64(g.memory, 9 * M);
	budget_init(&g, 4 * M + 3 * 256 * K + 9 * M - 1, 8);
	CHECK_EQ_U64(g.threads, 2);
}

static void
temporary_files_take_at_most_half(void)
{
	for (int i = 0; i < CASES; i++) {
		struct budget g;
		uint64_t each, had;
		unsigned threads;

		budget_init(&g, any_size(), 1 + (unsigned)test_below(300));
		threads = g.threads;
		had = g.memory;
		each = test_below(had / 6 + 1);
		budget_spill(&g, each);
		REQUIRE(g.threads >= 1 && g.threads <= threads);
		CHECK_EQ_U64(g.memory, had - (g.threads + TEAM_SPARE) * each);
		CHECK(g.memory >= had - had / 2);
		CHECK(g.threads == threads ||
		    (g.threads + 1 + TEAM_SPARE) * each > had / 2);
	}
}

/* Returns a budget of any size, with or without temporary files. */
static struct budget
any_budget(void)
{
	struct budget g;

	budget_init(&g, any_size(), 1 + (unsigned)test_below(300));
	if (test_below(2) == 0)
		budget_spill(&g, test_below(g.memory / 6 + 1));
	return g;
}

static struct input
any_input(void)
{
	return (struct input){ .total = test_below(3) ? any_size() : 0,
		.mapped = test_below(2) == 0 };
}

/* The size that buffers are planned for: half of the input, at least 8 MiB. */
static uint64_t
planned(const struct input *in, uint64_t memory)
{
	uint64_t half = in->total / 2 > 8 * M ? in->total / 2 : 8 * M;

	return in->total == 0 || half > memory ? memory : half;
}

/* Checks what the budgets of records and of numbers have in common. */
static void
check_common(const struct budget *g, const struct input *in, uint64_t memory,
    unsigned threads, uint64_t share)
{
	uint64_t room = planned(in, memory), n = g->threads;
	bool less = threads > INPUT_FEW_THREADS && room < memory;

	CHECK_EQ_U64(g->memory, memory);
	REQUIRE(n >= 1 && n <= threads);
	CHECK_EQ_U64(g->writers, n + TEAM_SPARE);
	CHECK(g->leaf > 0 && g->block > 0 && g->slab > 0);
	CHECK(g->part > 0 && g->part <= g->leaf);
	CHECK(g->slab <= 256 * K);
	CHECK(g->slab <= 16 * K || g->slab <= room / n / 64);
	CHECK(g->share > 0 && g->share <= share);
	CHECK(g->buckets >= 1);
	/* An input of known size gets no more threads than are useful. */
	if (less) {
		CHECK(n <= INPUT_FEW_THREADS || n * share <= room);
		CHECK(n == threads || (n + 1) * share > room);
	} else
		CHECK_EQ_U64(n, threads);
	/* The data gets at least half of the memory, but not all of it. */
	CHECK(g->cap >= memory / 2 && g->cap < memory);
}

static void
records_use_all_memory(void)
{
	for (int i = 0; i < CASES; i++) {
		struct input in = any_input();
		struct budget g = any_budget();
		uint64_t memory, used, n;
		unsigned threads;

		memory = g.memory;
		threads = g.threads;
		budget_records(&g, &in);
		check_common(&g, &in, memory, threads, 4 * M);
		n = g.threads;
		used = g.cap + n * g.slab +
		    g.writers * (2 * g.leaf + g.gather) +
		    (in.mapped ? 0 : n * (g.block + 1));
		CHECK_EQ_U64(used, memory);
		CHECK_EQ_U64(g.addresses, g.cap + g.cap / 2 + 64 * M);
		CHECK(g.slab % CHUNK == 0);
		CHECK(g.buckets <= SPREAD_MOST);
		CHECK(g.buckets == 1 || g.buckets * n * CHUNK <= g.cap / 16);
		CHECK(g.buckets == SPREAD_MOST ||
		    (g.buckets + 1) * n * CHUNK > g.cap / 16);
		CHECK(g.leaf >= 8 * K && g.leaf <= 512 * K);
		CHECK(g.part <= 64 * K);
		CHECK(g.lines >= 8 * K && g.lines <= 384 * K);
		CHECK(g.gather <= M);
		CHECK(!in.mapped || g.gather <= 4 * K || g.gather <= in.total);
		CHECK(g.block >= 64 * K && g.block <= M);
		CHECK_EQ_U64(g.huge,
		    memory / threads < 16 * M		    ? 0
			: in.total > 0 && in.total < memory ? in.total
							    : memory);
	}
}

static void
numbers_use_all_memory(void)
{
	for (int i = 0; i < CASES; i++) {
		struct input in = any_input();
		struct budget g = any_budget();
		uint64_t memory, used, n;
		unsigned threads, most;

		memory = g.memory;
		threads = g.threads;
		budget_numbers(&g, &in, LIST, BINS);
		n = g.threads;
		CHECK(g.sheet == 4 * K || g.sheet == K);
		CHECK(memory >= 64 * M || g.sheet == K);
		CHECK(n == 1 || n * n <= memory / g.sheet / 1024);
		/*
		 * Reduce the threads until the sheets suffice for all of them.
		 */
		for (most = threads; most > 1 &&
		     (uint64_t)most * most > memory / g.sheet / 1024;)
			most--;
		check_common(&g, &in, memory, most, 40 * M);
		CHECK_EQ_U64(g.buffers, budget_buffers(g.writers));
		used = g.cap + n * g.slab + g.writers * g.leaf +
		    g.buffers * g.leaf + (in.mapped ? 0 : n * (g.block + 1)) +
		    g.buckets * n * LIST;
		CHECK_EQ_U64(used, memory);
		CHECK(g.slab % g.sheet == 0);
		CHECK(g.buckets <= BINS);
		CHECK(g.buckets == 1 ||
		    g.buckets * n * g.sheet <=
			(g.cap + g.buckets * n * LIST) / 16);
		CHECK(g.leaf >= 8 * K && g.leaf <= 4 * M);
		CHECK(g.part <= g.leaf / 4 && g.part <= 512 * K);
		CHECK(g.block >= 64 * K && g.block <= HUGE_PAGE);
	}
}

static void
the_input_gets_its_limits(void)
{
	struct budget g = { .block = 5, .cap = 6, .share = 7 };
	struct input in = { 0 };

	budget_input(&g, &in);
	CHECK_EQ_U64(in.block, 5);
	CHECK_EQ_U64(in.cap, 6);
	CHECK_EQ_U64(in.share, 7);
	/* Threads are added only while the size is unknown. */
	in = (struct input){ .total = 1 };
	budget_input(&g, &in);
	CHECK_EQ_U64(in.share, 0);
	g = (struct budget){ .memory = 16 * M, .threads = 2 };
	CHECK_EQ_U64(budget_copy(&g), 256 * K);
	g.memory = K;
	CHECK_EQ_U64(budget_copy(&g), 64 * K);
	g.memory = G;
	CHECK_EQ_U64(budget_copy(&g), M);
	CHECK_EQ_U64(budget_mapped(&g, true), G / 4 * 3);
	CHECK_EQ_U64(budget_mapped(&g, false), G / 4 * 3);
	g.memory = 128 * M;
	CHECK_EQ_U64(budget_mapped(&g, true), 96 * M);
	g.memory--;
	CHECK_EQ_U64(budget_mapped(&g, true), 0);
	CHECK(budget_mapped(&g, false) > 95 * M);
	CHECK_EQ_U64(budget_buffers(1), 1);
	CHECK_EQ_U64(budget_buffers(2), 4);
}

int
main(void)
{
	RUN(each_thread_has_a_mebibyte_for_each);
	RUN(temporary_files_take_at_most_half);
	RUN(records_use_all_memory);
	RUN(numbers_use_all_memory);
	RUN(the_input_gets_its_limits);
	return test_done();
}
