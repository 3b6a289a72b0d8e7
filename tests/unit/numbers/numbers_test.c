/*
 * Sorting numbers when memory runs out: the sort fails, and no number is lost.
 * The arena lacks its last slab. So the last allocation fails wherever it
 * happens: while numbers are read, while the last lines of the lists are
 * written, or while large bins are divided.
 */
#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "numbers/engine.h"
#include "numbers/numbers.h"
#include "numbers/tally.h"
#include "test.h"

enum {
	CASES = 30,
	MEMORY = 8 << 20, /* bytes; the numbers use part of it */
	MOST = 100000	  /* numbers */
};

enum shape {
	UNIFORM,
	FEW,   /* most numbers have few values, which are counted */
	DENSE, /* most numbers lie in one bin, which is divided */
	SHAPES
};

static uint64_t number[MOST];

static uint64_t
random_number(enum shape shape, size_t i)
{
	switch (shape) {
	case FEW:
		return test_below(3) ? test_below(30) : test_random();
	case DENSE:
		/*
		 * Every sixteenth number is random, so the sample does not
		 * predict the bins.
		 */
		return i % 16 != 0 ? i << 20 | test_below(1 << 20)
				   : test_random();
	default:
		return test_random();
	}
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* How much memory of the arena one sort used. */
struct took {
	size_t slab, read;
};

/* Opens the file of numbers, and makes the engine that sorts them. */
static struct batch *
begin_sort(int fd, struct order *order, struct input *in)
{
	const struct budget g = { .memory = MEMORY, .threads = 1 };
	struct input_range all = { 0, UINT64_MAX };
	struct hp_err e = { 0 };
	struct batch *b;
	char name[32];
	const char *file = name;

	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	order_init(order);
	if (order_option(order, 'F', "u64", &e) == -1 ||
	    order_ready(order, &e) == -1 ||
	    input_open(in, &order->format, &file, 1, NULL, &all, 0, -1, &e) ==
		-1 ||
	    (b = numbers_new(order, in, &g, &e)) == NULL)
		abort();
	return b;
}

/*
 * Sorts n numbers with so much memory in the arena.  Returns 0, or -1 if the
 * memory ran out.
 */
static int
sort_within(size_t reserved, int fd, size_t n, int out, struct took *took)
{
	struct hp_err e = { 0 };
	struct order order;
	struct input in;
	struct batch *b = begin_sort(fd, &order, &in);
	struct numbers *s = (struct numbers *)b;
	struct output o;
	uint64_t written = 0;
	size_t addresses;
	int rc;

	addresses = s->arena.reserved;
	if (reserved != 0)
		s->arena.reserved = reserved;
	/*
	 * Each slab holds one sheet, so the last slab can be the sheet of a
	 * list's last line.
	 */
	s->arena.slab = s->sheets[0].size;
	took->slab = s->arena.slab;
	output_init(&o, out, "out");
	rc = b->ops->read(b, &e);
	CHECK(rc == 0 || rc == -1);
	took->read = s->arena.used;
	if (rc == 0) {
		CHECK_EQ_U64(b->records, n);
		rc = b->ops->write(b, &o, &written, &e);
	}
	if (rc == 0)
		CHECK_EQ_U64(written, n);
	else
		CHECK_EQ_I64(e.kind, HP_NOMEM);
	output_close(&o, &e);
	s->arena.reserved = addresses;
	batch_fini(b);
	input_close(&in);
	order_fini(&order);
	return rc;
}

static bool
is_sorted(int out, size_t n)
{
	size_t bytes = n * sizeof *number;
	void *p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, out, 0);
	bool same = p != MAP_FAILED &&
	    lseek(out, 0, SEEK_END) == (off_t)bytes &&
	    memcmp(p, number, bytes) == 0;

	munmap(p, bytes);
	return same;
}

static void
one_case(enum shape shape)
{
	size_t n = MOST / 2 + test_below(MOST / 2);
	int fd = memfd_create("in", 0), out = memfd_create("out", 0);
	struct took took, again;

	for (size_t i = 0; i < n; i++)
		number[i] = random_number(shape, i);
	if (io_write(fd, number, n * sizeof *number) == -1)
		abort();
	qsort(number, n, sizeof *number, by_value);
	CHECK_EQ_I64(sort_within(0, fd, n, out, &took), 0);
	CHECK(is_sorted(out, n));
	if (took.read > 0)
		CHECK_EQ_I64(
		    sort_within(took.read - took.slab, fd, n, out, &again), -1);
	/* In another order, the same numbers need up to 10 slabs more. */
	for (size_t more = 0; more < 10; more++) {
		if (ftruncate(out, 0) == -1 || lseek(out, 0, SEEK_SET) != 0)
			abort();
		if (sort_within(
			took.read + more * took.slab, fd, n, out, &again) == 0)
			CHECK(is_sorted(out, n));
	}
	close(fd);
	close(out);
}

static void
no_number_is_lost(void)
{
	for (size_t i = 0; i < CASES; i++)
		one_case(i % SHAPES);
}

/* The counts of single bytes take their memory from the memory of the batch. */
static void
counts_take_half_of_the_memory_at_most(void)
{
	/* 256 totals, and 256 counts and a cache line for each thread. */
	const size_t bytes = 256 * 8 + 2 * (256 * 4 + LINE);
	static const size_t memory[] = { 1 << 20, 10000, 6000 };

	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
		struct input in = { .cap = memory[i] };
		struct numbers s = {
			.number = { .size = 1 }, .in = &in, .threads = 2
		};
		size_t half = memory[i] / 2;
		struct hp_err e = { 0 };

		CHECK_EQ_I64(numbers_tally_plan(&s, number, 0, 1000, &e), 0);
		CHECK_EQ_U64(s.dense.values, 256);
		CHECK_EQ_U64(in.cap, memory[i] - (bytes < half ? bytes : half));
		numbers_tally_fini(&s);
		cells_fini(&s.cells);
	}
}

int
main(void)
{
	RUN(counts_take_half_of_the_memory_at_most);
	RUN(no_number_is_lost);
	return test_done();
}
