/* Samples, pivots and the numbers of candidates that the papers require. */

#include <sys/mman.h>

#include <math.h>
#include <unistd.h>

#include "split/demand.h"
#include "split/records.h"
#include "split/sample.h"
#include "split/select.h"
#include "test.h"

static struct pivot
pivot_of(const char *key, uint64_t rank, uint64_t index)
{
	struct pivot p = { .len = strlen(key), .rank = rank, .index = index };

	p.key = (unsigned char *)strdup(key);
	return p;
}

static void
places_compare_by_key_rank_index(void)
{
	struct pivot p[] = { pivot_of("", 0, 0), pivot_of("a", 0, 0),
		pivot_of("a", 0, 1), pivot_of("a", 1, 0), pivot_of("ab", 0, 0),
		pivot_of("b", 0, 0) };
	size_t n = sizeof p / sizeof p[0];

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			CHECK_EQ_I64(pivot_cmp(&p[i], &p[j]) < 0
				? -1
				: pivot_cmp(&p[i], &p[j]) > 0,
			    i < j ? -1 : i > j);
	for (size_t i = 0; i < n; i++)
		pivot_fini(&p[i]);
}

/* Every record is equally likely: 10 of 100 records, drawn 20000 times; each is
 * drawn 2000 times, within 5 standard deviations. */
static void
positions_without_bias(void)
{
	uint64_t at[90];
	unsigned seen[100] = { 0 };

	for (unsigned count = 10; count <= 90; count += 80) {
		memset(seen, 0, sizeof seen);
		for (unsigned i = 0; i < 20000; i++) {
			CHECK(sample_positions(100, count, test_random(), at) ==
			    0);
			for (unsigned j = 0; j < count; j++) {
				CHECK(at[j] < 100);
				CHECK(j == 0 || at[j - 1] < at[j]);
				seen[at[j]]++;
			}
		}
		for (unsigned i = 0; i < 100; i++)
			CHECK(fabs(seen[i] - 200.0 * count) < 7 * 42.5);
	}
}

/*
 * Does the test of positions_without_bias for a stream of lines with very
 * different lengths.
 */
static void
reservoir_without_bias(void)
{
	unsigned seen[100] = { 0 };
	struct order o;
	struct hp_err e = { 0 };
	FILE *f = tmpfile();

	order_init(&o);
	REQUIRE(f != NULL && order_ready(&o, &e) == 0);
	for (int i = 0; i < 100; i++)
		fprintf(f, "%*d\n", i % 7 == 0 ? 300 : 1, i);
	REQUIRE(fflush(f) == 0);
	for (unsigned i = 0; i < 5000; i++) {
		struct pivots found = { 0 };
		struct sampling s = { &o, 3, test_random(), &found };
		struct reader r;

		REQUIRE(lseek(fileno(f), 0, SEEK_SET) == 0);
		REQUIRE(reader_init(&r, fileno(f), "test", &o.format, &e) == 0);
		REQUIRE(sample_stream(&s, &r, 10, &e) == 0);
		CHECK_EQ_U64(found.n, 10);
		for (size_t j = 0; j < found.n; j++) {
			char line[301] = "";

			REQUIRE(found.v[j].len < sizeof line);
			memcpy(line, found.v[j].key, found.v[j].len);
			CHECK_EQ_U64(found.v[j].rank, 3);
			CHECK_EQ_U64(
			    strtoull(line, NULL, 10), found.v[j].index);
			seen[found.v[j].index]++;
		}
		reader_close(&r);
		pivots_fini(&found);
	}
	for (unsigned i = 0; i < 100; i++)
		CHECK(fabs(seen[i] - 500.0) < 5 * 21.3);
	fclose(f);
	order_fini(&o);
}

static void
performance_is(const uint64_t *share, size_t p, const uint64_t *want)
{
	uint64_t v[8], sum = 0;

	for (size_t i = 0; i < p; i++)
		sum += want[i];
	CHECK_EQ_U64(demand_performance(share, p, v), sum);
	for (size_t i = 0; i < p; i++)
		CHECK_EQ_U64(v[i], want[i]);
}

/* The optimal sizes in the papers must give the papers' performance vectors. */
static void
performance_vectors(void)
{
	performance_is((uint64_t[]){ 122880, 368640, 614400, 983040 }, 4,
	    (uint64_t[]){ 1, 3, 5, 8 });
	performance_is((uint64_t[]){ 928840, 580525, 348315, 116105 }, 4,
	    (uint64_t[]){ 8, 5, 3, 1 });
	performance_is((uint64_t[]){ 277725, 770851 }, 2, (uint64_t[]){ 3, 8 });
	performance_is((uint64_t[]){ 400, 0, 600 }, 3, (uint64_t[]){ 2, 0, 3 });
	performance_is((uint64_t[]){ 7 }, 1, (uint64_t[]){ 1 });
	performance_is((uint64_t[]){ 0, 0 }, 2, (uint64_t[]){ 0, 0 });
	performance_is((uint64_t[]){ 1, 1000000 }, 2, (uint64_t[]){ 1, 256 });
}

/* OOC Table 7 and section 4.2, for {8,5,3,1}. The paper rounds 277.9
 * incorrectly. */
static void
demands_of_the_papers(void)
{
	CHECK_EQ_U64(demand_candidates(DEMAND_PSRS, 17, 4), 51);
	CHECK_EQ_U64(demand_candidates(DEMAND_PSS, 17, 4), 416);
	CHECK_EQ_U64(demand_candidates(DEMAND_PSOP, 17, 4), 4725);
	CHECK_EQ_U64(demand_sublists(17), 277);
	CHECK_EQ_U64(demand_candidates(DEMAND_PSS, 1, 1), 0);
	CHECK_EQ_U64(demand_sublists(1), 1);
	CHECK_EQ_U64(demand_part(51, 8, 17), 24);
	CHECK_EQ_U64(demand_part(51, 1, 17), 3);
	CHECK_EQ_U64(demand_part(51, 0, 17), 0);
	CHECK_EQ_U64(demand_part(51, 1, UINT64_MAX / 2), 1);
}

/* The example of OOC 4.1 with k = 3 log2 10. The paper has 0.88, with one pivot
 * too many. */
static void
probability_of_the_paper(void)
{
	double pivots = 10 * 3 * log2(10);

	CHECK(fabs(1 - 20 * pow(0.95, pivots) - 0.88) < 0.005);
	CHECK(fabs(demand_probability(10, 99) - (1 - 20 * pow(0.95, 99))) <
	    1e-12);
	CHECK(demand_probability(10, 5) == 0);
	CHECK(demand_probability(0, 0) == 1);
}

/* The file has so many lines that their index has several blocks. */
static void
lines_of_many_blocks_are_found(void)
{
	enum {
		LINES = 60000
	};
	static uint64_t start[LINES + 1];
	const struct format f = { .kind = FORMAT_LINE, .delim = '\n' };
	const struct range all = { 0, UINT64_MAX, 0 };
	int fd = memfd_create("lines", 0);
	FILE *out = fdopen(dup(fd), "w");
	struct records r = { 0 };
	struct hp_err e = { 0 };
	uint64_t counted;
	char path[32];

	for (size_t i = 0; i < LINES; i++) {
		size_t len = test_below(100);

		fprintf(out, "%*s\n", (int)len, "");
		start[i + 1] = start[i] + len + 1;
	}
	fclose(out);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	REQUIRE(records_open(&r, path, &all, &f, &e) == 0);
	CHECK_EQ_U64(r.n, LINES);
	CHECK(start[LINES] >> r.block_shift > 2);
	for (size_t i = 0; i < LINES; i++) {
		CHECK_EQ_U64(records_offset(&r, i), start[i]);
		CHECK_EQ_U64(records_index(&r, start[i]), i);
		CHECK_EQ_U64(records_index(&r, start[i] + 1), i + 1);
		CHECK_EQ_U64(records_begin(&r, start[i + 1] - 1), start[i]);
	}
	CHECK_EQ_U64(records_offset(&r, LINES), start[LINES]);
	CHECK_EQ_U64(records_index(&r, start[LINES]), LINES);
	records_close(&r);
	CHECK(records_count(path, &all, &f, &counted, &e) == 0);
	CHECK_EQ_U64(counted, LINES);
	close(fd);
}

static void
what_cannot_be_counted_is_an_error(void)
{
	const struct format lines = { .kind = FORMAT_LINE, .delim = '\n' };
	const struct format fixed = {
		.kind = FORMAT_RECORD, .size = 4, .key_len = 4
	};
	const struct range all = { 0, UINT64_MAX, 0 }, beyond = { 5, 9, 0 };
	struct hp_err e = { 0 };
	uint64_t n;
	int fd = memfd_create("short", 0), pipes[2];
	char path[32];

	REQUIRE(write(fd, "a\nbcd", 5) == 5 && pipe(pipes) == 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	CHECK(records_count("/nowhere", &all, &lines, &n, &e) == -1);
	CHECK(e.kind == HP_IO);
	CHECK(records_count(path, &beyond, &lines, &n, &e) == -1);
	CHECK(e.kind == HP_INPUT);
	CHECK(records_count(path, &all, &fixed, &n, &e) == -1);
	CHECK(e.kind == HP_INPUT);
	/* A pipe is read. */
	REQUIRE(write(pipes[1], "a\nbcd", 5) == 5);
	close(pipes[1]);
	snprintf(path, sizeof path, "/proc/self/fd/%d", pipes[0]);
	CHECK(records_count(path, &all, &lines, &n, &e) == 0 && n == 2);
	close(pipes[0]);
	close(fd);
}

/* The number counts all records of the file, as in a text editor. */
static void
an_unsorted_record_is_named_by_its_number(void)
{
	const struct range below = { 0, UINT64_MAX, 2 };
	struct pivots found = { 0 };
	struct records r = { 0 };
	struct hp_err e = { 0 };
	struct order o;
	struct sampling s = { &o, 0, 0, &found };
	int fd = memfd_create("unsorted", 0);
	char path[32], want[100];

	REQUIRE(write(fd, "h\nh\na\nc\nb\nd\n", 12) == 12);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	order_init(&o);
	REQUIRE(order_ready(&o, &e) == 0);
	REQUIRE(records_open(&r, path, &below, &o.format, &e) == 0);
	CHECK_EQ_I64(sample_regular(&s, &r, 4, &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	snprintf(want, sizeof want,
	    "%s: record 5 sorts before an earlier record: not sorted", path);
	CHECK_EQ_STR(e.text, want);
	records_close(&r);
	pivots_fini(&found);
	order_fini(&o);
	close(fd);
}

/*
 * Before a candidate lie its own index, and on each other node the middle
 * between the candidates around it.
 */
static void
regular_candidates_bound_the_other_nodes(void)
{
	struct pivot v[] = { { .rank = 0, .index = 10 },
		{ .rank = 1, .index = 20 }, { .rank = 2, .index = 5 },
		{ .rank = 0, .index = 50 } };
	static const double want[] = { 10 + 20 / 2.0 + 5 / 2.0,
		20 + (11 + 50) / 2.0 + 5 / 2.0,
		5 + (11 + 50) / 2.0 + (21 + 100) / 2.0,
		50 + (21 + 100) / 2.0 + (6 + 100) / 2.0 };
	uint64_t records[] = { 100, 100, 100 };
	struct candidates c = { .nodes = 3, .records = records };
	struct hp_err e = { 0 };
	double below[4];

	c.list.v = v;
	c.list.n = 4;
	CHECK_EQ_I64(select_regular(&c, below, &e), 0);
	for (int i = 0; i < 4; i++)
		CHECK_NEAR(below[i], want[i], 1e-12);
}

int
main(void)
{
	RUN(places_compare_by_key_rank_index);
	RUN(positions_without_bias);
	RUN(reservoir_without_bias);
	RUN(performance_vectors);
	RUN(demands_of_the_papers);
	RUN(probability_of_the_paper);
	RUN(lines_of_many_blocks_are_found);
	RUN(what_cannot_be_counted_is_an_error);
	RUN(an_unsorted_record_is_named_by_its_number);
	RUN(regular_candidates_bound_the_other_nodes);
	return test_done();
}
