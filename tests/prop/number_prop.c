/*
 * Sorting files of numbers, compared with qsort: every format, both directions,
 * -u, many distributions, in memory and with temporary files.
 */
#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "record/order.h"
#include "sort/sort.h"
#include "test.h"

enum {
	CASES = 400,
	MOST = 300000,
	SHAPES = 12
};

static const char *const formats[] = { "u8", "u16", "u32", "u64", "i8", "i16",
	"i32", "i64", "f32", "f64", "u8be", "i8be", "u16be", "u32be", "u64be",
	"i16be", "i32be", "i64be", "f32be", "f64be" };

/* format for the comparison function of qsort */
static const struct format *asked;

/* Returns the number at s in native byte order. */
static uint64_t
number_at(const struct format *f, const unsigned char *s)
{
	uint64_t x = 0;

	for (size_t i = 0; i < f->size; i++)
		x = x << 8 | s[f->big_endian ? i : f->size - 1 - i];
	return x;
}

/* Stores the number at s in the byte order of the format. */
static void
put_number(const struct format *f, uint64_t x, unsigned char *s)
{
	for (size_t b = 0; b < f->size; b++)
		s[f->big_endian ? f->size - 1 - b : b] = (unsigned char)(x >>
		    8 * b);
}

/* Compares numbers by the meaning of their format: with signs, and for floats
 * by the total order of sign and magnitude. */
static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	unsigned bits = 8 * (unsigned)asked->size;
	bool xneg = x >> (bits - 1), yneg = y >> (bits - 1);

	if (asked->number == NUMBER_UNSIGNED || xneg == yneg) {
		if (x == y)
			return 0;
		return (x > y) == (asked->number == NUMBER_FLOAT && xneg) ? -1
									  : 1;
	}
	return xneg ? -1 : 1;
}

static uint64_t
shaped(unsigned shape, size_t i, size_t n)
{
	switch (shape) {
	case 0:
		return test_random();
	case 1:
		return test_below(5) * 0x1001001;
	case 2:
		return test_random() >> test_below(64);
	case 3: /* most of it in a small part of the range */
		return test_below(200) ? test_below(1 << 20) : test_random();
	case 4:
		return i;
	case 5:
		return n - i;
	case 6: /* in order except one number */
		return i == n / 2 ? 0 : i;
	case 7:
		return test_below(3) ? 1 << 20 : test_random();
	case 8: /* few values, and some numbers anywhere */
		return test_below(300) ? 1000000 + test_below(5000)
				       : test_random();
	case 10: /* half of it below and above the few values */
		return test_below(2) ? (1 << 20) + test_below(500)
				     : test_random() >> test_below(64);
	case 9: /* few values at first */
		return i < n / 3 ? test_below(2000) : test_random();
	}
	return 42;
}

static size_t
unique(uint64_t *v, size_t n)
{
	size_t k = n > 0;

	for (size_t i = 1; i < n; i++)
		if (v[i] != v[k - 1])
			v[k++] = v[i];
	return k;
}

/* Sorts the numbers as expected. Returns how many remain with -u. */
static size_t
sort_expected(unsigned char *x, size_t n, const struct order *o)
{
	uint64_t *v = malloc((n + 1) * sizeof *v), swap;
	size_t size = o->format.size, left;

	if (v == NULL)
		abort();
	for (size_t i = 0; i < n; i++)
		v[i] = number_at(&o->format, x + i * size);
	asked = &o->format;
	qsort(v, n, sizeof *v, compare);
	for (size_t i = 0; o->global.reverse && i < n / 2; i++) {
		swap = v[i];
		v[i] = v[n - 1 - i];
		v[n - 1 - i] = swap;
	}
	left = o->unique ? unique(v, n) : n;
	for (size_t i = 0; i < left; i++)
		put_number(&o->format, v[i], x + i * size);
	free(v);
	return left;
}

static void
one_case(unsigned char *x, unsigned char *got)
{
	const char *name =
	    formats[test_below(sizeof formats / sizeof *formats)];
	int in = memfd_create("in", 0), out = memfd_create("out", 0);
	unsigned shape = (unsigned)test_below(SHAPES);
	size_t n = test_below(test_below(3) ? MOST : 50), size, want;
	struct sort_stats stats;
	struct hp_err e = { 0 };
	struct order o;
	char path[32];
	const char *file = path;
	struct sort_job j = { .order = &o,
		.file = &file,
		.nfiles = 1,
		.extent_bytes = UINT64_MAX,
		.memory = test_below(3) ? 1 << 30 : 0,
		.threads = 1 + (unsigned)test_below(3) };

	snprintf(path, sizeof path, "/proc/self/fd/%d", in);
	order_init(&o);
	REQUIRE(format_parse(name, &o.format, &e) == 0);
	o.global.reverse = test_below(2);
	o.unique = test_below(3) == 0;
	o.stable = test_below(4) == 0;
	REQUIRE(order_ready(&o, &e) == 0);
	size = o.format.size;
	for (size_t i = 0; i < n; i++)
		put_number(&o.format, shaped(shape, i, n), x + i * size);
	REQUIRE(io_write(in, x, n * size) == 0);
	want = sort_expected(x, n, &o);
	if (sort_files(&j, out, "out", &stats, &e) == -1)
		test_bad(__FILE__, __LINE__, "%s: %s", name, e.text);
	else if (lseek(out, 0, SEEK_END) != (off_t)(want * size) ||
	    io_pread(out, got, want * size, 0) != (ssize_t)(want * size) ||
	    memcmp(got, x, want * size) != 0)
		test_bad(__FILE__, __LINE__,
		    "%s%s%s, shape %u, %zu numbers, %u threads, memory "
		    "%" PRIu64 ": differs",
		    name, o.global.reverse ? " -r" : "", o.unique ? " -u" : "",
		    shape, n, j.threads, j.memory);
	else
		CHECK(stats.records == n && stats.written == want);
	order_fini(&o);
	close(in);
	close(out);
}

static void
as_qsort(void)
{
	unsigned char *x = malloc(MOST * 8), *got = malloc(MOST * 8);

	for (size_t i = 0; x != NULL && got != NULL && i < CASES; i++)
		one_case(x, got);
	free(x);
	free(got);
}

int
main(void)
{
	RUN(as_qsort);
	return test_done();
}
