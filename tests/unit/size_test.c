/* Numbers of the command line: their units, their limits, what is refused. */

#include "base/size.h"
#include "test.h"

static void
sizes(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "0", 0 }, { "1", 1024 }, { "1b", 1 }, { "3K", 3072 },
		{ "3k", 3072 }, { "2M", 2 << 20 }, { "1G", 1 << 30 },
		{ "5T", (uint64_t)5 << 40 }, { "7P", (uint64_t)7 << 50 },
		{ "18446744073709551615b", UINT64_MAX },
		{ "18014398509481983", UINT64_MAX - 1023 }, { "0%", 0 },
		{ "007K", 7168 }, { " 1", 1024 }, { "+1", 1024 },
		{ "M", 1 << 20 }, { "2m", 2 << 20 }, { "3g", 3ULL << 30 },
		{ "1t", 1ULL << 40 }, { "15E", 15ULL << 60 } };
	static const char *bad[] = { "", "1 ", "-1", "- 1", "b", "1KK", "1KB",
		"1e", "1p", "1Q", "1.5G", "0x10", "1e3", "%", "+", "5%%",
		"18446744073709551615%", "16E", "18446744073709551616b",
		"18014398509481984", "99999999999999999999999", "16384P",
		"1\n" };
	struct hp_err e;
	uint64_t n;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		n = 42;
		CHECK(size_parse(good[i].text, &n, &e) == 0);
		CHECK_EQ_U64(n, good[i].bytes);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		n = 42;
		CHECK(size_parse(bad[i], &n, &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, bad[i]) != NULL);
		CHECK_EQ_U64(n, 42);
	}
}

static void
shares_of_memory(void)
{
	uint64_t n, all = mem_limit();
	struct hp_err e;

	CHECK(all >= 1 << 20);
	CHECK(size_parse("100%", &n, &e) == 0);
	CHECK(n <= all && all - n < 100);
	CHECK(size_parse("50%", &n, &e) == 0);
	CHECK(n <= all / 2 && all / 2 - n < 100);
	CHECK(size_parse("200%", &n, &e) == 0 && n > all);
	CHECK(cpu_count() >= 1);
}

static void
extents(void)
{
	static const struct {
		const char *text;
		uint64_t offset, bytes;
	} good[] = { { "0:0", 0, 0 }, { "7:12", 7, 12 },
		{ "1K:3k", 1024, 3072 },
		{ "2M:5g", 2 << 20, (uint64_t)5 << 30 },
		{ "3T:9223372036854775807", (uint64_t)3 << 40, INT64_MAX } };
	static const char *bad[] = { "", "1", ":", "1:", ":1", "1:2:3", "-1:2",
		"1: 2", "1P:2", "1:2B", "1:2KB", "K:1", "1:1.5K",
		"0:9223372036854775808", "0:8388608T", "8388608T:0",
		"16777216T:0" };
	struct hp_err e;
	uint64_t offset, bytes;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(extent_parse(good[i].text, &offset, &bytes, &e) == 0);
		CHECK_EQ_U64(offset, good[i].offset);
		CHECK_EQ_U64(bytes, good[i].bytes);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(extent_parse(bad[i], &offset, &bytes, &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, bad[i]) != NULL);
	}
}

static void
threads(void)
{
	static const char *bad[] = { "", "0", "-1", "2x", "x", "+" };
	struct hp_err e = { 0 };
	unsigned n;

	CHECK(threads_parse("2", &n, &e) == 0 && n == 2);
	CHECK(threads_parse(" +3", &n, &e) == 0 && n == 3);
	CHECK(threads_parse("18446744073709551615", &n, &e) == 0 && n == 1024);
	CHECK(threads_parse("99999999999999999999", &n, &e) == 0 && n == 1024);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(threads_parse(bad[i], &n, &e) == -1);
}

static void
counts(void)
{
	static const struct {
		const char *text;
		uint64_t n;
	} good[] = { { "0", 0 }, { "10k", 10000 }, { "10K", 10000 },
		{ "10M", 10000000 }, { "3G", 3000000000 },
		{ "9T", 9000000000000 }, { "9007199254740992", 1ull << 53 },
		{ "9007T", 9007000000000000 } };
	static const char *bad[] = { "", "-1", "1.5M", "9007199254740993",
		"9008T", "1kk", "1P", "1%", "1b", " 1", "18446744073709551617",
		"18446744073709552k" };
	struct hp_err e;
	uint64_t n;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECK(count_parse(good[i].text, &n, &e) == 0);
		CHECK_EQ_U64(n, good[i].n);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(count_parse(bad[i], &n, &e) == -1);
		CHECK(e.kind == HP_USAGE && strstr(e.text, bad[i]) != NULL);
	}
}

static void
integers_within_bounds(void)
{
	static const char *bad[] = { "4", "11", "", "7x", "-7", " 7",
		"18446744073709551616", "18446744073709551623" };
	struct hp_err e;
	uint64_t n;

	CHECK(int_parse("5", 5, 10, &n, "--parallel", &e) == 0 && n == 5);
	CHECK(int_parse("10", 5, 10, &n, "--parallel", &e) == 0 && n == 10);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(int_parse(bad[i], 5, 10, &n, "--parallel", &e) == -1);
		CHECK(
		    e.kind == HP_USAGE && strstr(e.text, "--parallel") != NULL);
	}
	CHECK(
	    int_parse("18446744073709551615", 0, UINT64_MAX, &n, "x", &e) == 0);
	CHECK_EQ_U64(n, UINT64_MAX);
	/* One below zero is a number. */
	CHECK(int_parse("-7", 1, UINT64_MAX, &n, "x", &e) == -1);
	CHECK(strcmp(e.text, "x '-7': must be 1 or more") == 0);
	CHECK(int_parse("-", 5, 10, &n, "x", &e) == -1);
	CHECK(strcmp(e.text, "x '-': not a number") == 0);
}

/* A number that is too large is one. */
static void
numbers_beyond_64_bits(void)
{
	static const char large[] = "18446744073709551616";
	struct hp_err e = { 0 };
	uint64_t n;

	CHECK(size_parse(large, &n, &e) == -1);
	CHECK(strstr(e.text, "too large") != NULL);
	CHECK(count_parse(large, &n, &e) == -1);
	CHECK(strstr(e.text, "above 2^53") != NULL);
	CHECK(int_parse(large, 0, UINT64_MAX, &n, "seed", &e) == -1);
	CHECK(strstr(e.text, "must be 0 to 18446744073709551615") != NULL);
}

static void
decimals_above_zero(void)
{
	static const char *bad[] = { "", "0", "-1", "nan", "inf", "1e999", "x",
		"1x", " 1", "-0" };
	struct hp_err e;
	double x;

	CHECK(positive_parse("2.5", &x, "--timeout", &e) == 0 && x == 2.5);
	CHECK(positive_parse("1e-3", &x, "--timeout", &e) == 0 && x == 1e-3);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(positive_parse(bad[i], &x, "--timeout", &e) == -1);
		CHECK(
		    e.kind == HP_USAGE && strstr(e.text, "--timeout") != NULL);
	}
}

int
main(void)
{
	RUN(sizes);
	RUN(shares_of_memory);
	RUN(extents);
	RUN(threads);
	RUN(counts);
	RUN(integers_within_bounds);
	RUN(numbers_beyond_64_bits);
	RUN(decimals_above_zero);
	return test_done();
}
