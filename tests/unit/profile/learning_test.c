/* Learning from finished runs: medians, outliers, overheads and points. */

#include <math.h>

#include "profile/history.h"
#include "profile/outliers.h"
#include "profile/overhead.h"
#include "test.h"

enum {
	ROUNDS = 300,
	MOST = 100 /* number of runs */
};

static double
sum_where(const struct observation *v, size_t n, bool few, double most)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i].x <= most)
			sum += few ? v[i].runs : v[i].w;
	return sum;
}

static bool
are_few(const struct observation *v, size_t n)
{
	double runs = 0;

	for (size_t i = 0; i < n; i++)
		runs += v[i].runs;
	return runs < 10;
}

/* Computes the median by its definition: the smallest x with half of the
 * weight, or with `more` slightly more, at or below it. */
static double
median_of(const struct observation *v, size_t n, bool more)
{
	bool few = are_few(v, n);
	double half = sum_where(v, n, few, INFINITY) / 2, least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		double sum = sum_where(v, n, few, v[i].x);

		if ((sum > half || (!more && sum == half)) && v[i].x < least)
			least = v[i].x;
	}
	return least;
}

/* Makes small numbers whose sums are exact. Many of them are equal. */
static size_t
random_observations(struct observation *v)
{
	size_t n = 1 + test_below(test_below(2) == 0 ? 8 : OUTLIERS_MOST);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct observation){ (double)test_below(16),
			(double)(1 + test_below(4)),
			(double)(1 + test_below(2)), false };
	return n;
}

static void
medians_are_weighted(void)
{
	struct observation v[OUTLIERS_MOST];

	for (int i = 0; i < ROUNDS; i++) {
		size_t n = random_observations(v);

		CHECK(weighted_median(v, n) == median_of(v, n, false));
	}
}

static void
outliers_differ_from_the_median(void)
{
	static const double any_scale[] = { 1, 2, 4, 20 };
	struct observation v[OUTLIERS_MOST], off[OUTLIERS_MOST];

	for (int i = 0; i < ROUNDS; i++) {
		size_t n = random_observations(v);
		double scale = any_scale[test_below(4)];
		double least = (double)test_below(4);
		double median = median_of(v, n, false), above, below;
		bool few = are_few(v, n);

		for (size_t j = 0; j < n; j++) {
			off[j] = v[j];
			off[j].x = fabs(v[j].x - median);
			v[j].out = test_below(2) == 0;
		}
		above = few
		    ? scale
		    : fmax(3 * 1.4826 * median_of(off, n, true), 0.15 * scale);
		below = few ? scale / 2 : above;
		outliers_mark(v, n, scale, least);
		for (size_t j = 0; j < n; j++)
			CHECK(v[j].out ==
			    (v[j].x - median > fmax(above, least) ||
				median - v[j].x > fmax(below, least)));
	}
}

static void
weights_halve(void)
{
	CHECK(age_weight(0, 8) == 1);
	CHECK_NEAR(age_weight(8, 8), 0.5, 1e-15);
	CHECK_NEAR(age_weight(16, 8), 0.25, 1e-15);
	CHECK_NEAR(age_weight(4, 16), pow(0.5, 0.25), 1e-15);
}

/* Computes the weight of a run, which halves with every half_life later
 * runs. */
static double
weight_of(const struct past_run *r, size_t n, size_t which, double half_life)
{
	size_t later = 0;

	for (size_t i = 0; i < n; i++)
		later += r[i].start_s > r[which].start_s;
	return pow(0.5, (double)later / half_life);
}

/* Fits a line by least squares to the latest runs; through 0 unless `apart`.
 * Neither parameter is negative. */
static void
fit(const struct past_run *r, size_t n, bool apart, double *latency_s,
    double *per_item)
{
	double mean_n = 0, mean_s = 0, sum = 0, up = 0, down = 0;
	double through_up = 0, through_down = 0;

	for (size_t i = 0; i < n; i++) {
		double w = weight_of(r, n, i, 16);

		sum += w;
		mean_n += w * r[i].n;
		mean_s += w * r[i].seconds;
		through_up += w * r[i].n * r[i].seconds;
		through_down += w * r[i].n * r[i].n;
	}
	mean_n /= sum;
	mean_s /= sum;
	for (size_t i = 0; i < n; i++) {
		double w = weight_of(r, n, i, 16);

		up += w * (r[i].n - mean_n) * (r[i].seconds - mean_s);
		down += w * (r[i].n - mean_n) * (r[i].n - mean_n);
	}
	*latency_s = 0;
	*per_item = through_up / through_down;
	if (!apart)
		return;
	if (mean_s - fmax(0, up / down) * mean_n > 0) {
		*per_item = fmax(0, up / down);
		*latency_s = mean_s - *per_item * mean_n;
	}
}

static void
check_fit(const struct past_run *r, size_t n, bool apart)
{
	struct past_run copy[MOST];
	double latency_s, per_item, want_s, want_item;

	memcpy(copy, r, n * sizeof *r);
	fit(r, n, apart, &want_s, &want_item);
	overhead_fit(copy, n, &latency_s, &per_item);
	CHECK(fabs(latency_s - want_s) <= 1e-9 * (1 + want_s));
	CHECK(fabs(per_item - want_item) <= 1e-9 * (1 + want_item));
}

static void
overheads_are_a_line_through_runs(void)
{
	struct past_run r[MOST];

	for (int i = 0; i < ROUNDS; i++) {
		size_t n = 2 + test_below(60);
		double a = (double)test_below(3), b = 1 + 3 * test_unit();

		for (size_t j = 0; j < n; j++) {
			r[j].start_s = (double)test_below(40);
			r[j].n = (double)(1 + (j + test_below(2)) % 4);
			r[j].seconds = (a + b * r[j].n) *
			    (1 + 0.01 * test_unit());
		}
		r[0].n = 1;
		r[1].n = 4;
		r[0].seconds = a + b;
		r[1].seconds = a + 4 * b;
		check_fit(r, n, true);
	}
}

static void
sizes_alike_tell_no_latency(void)
{
	struct past_run r[MOST] = { { 1, 10, 2.5 } };

	check_fit(r, 1, false);
	r[0].seconds = 0;
	check_fit(r, 1, false);
	for (size_t i = 0; i < 30; i++)
		r[i] = (struct past_run){ (double)(i / 2), (double)(10 + i % 5),
			5 + 0.01 * (double)i };
	check_fit(r, 30, false);
	/* Sizes with a ratio of 1.5 count as different, smaller ratios do
	 * not. */
	r[7].n = 14.9;
	check_fit(r, 30, false);
	r[7].n = 15;
	check_fit(r, 30, true);
}

static void
less_time_for_more_items_is_a_latency(void)
{
	struct past_run r[] = { { 1, 10, 5 }, { 2, 20, 4.5 }, { 3, 40, 4.2 } };
	struct past_run rising[] = { { 1, 10, 5 }, { 2, 20, 12 } };
	double latency_s, per_item;

	overhead_fit(r, 3, &latency_s, &per_item);
	CHECK(per_item == 0);
	check_fit(r, 3, true);
	/* A line that would start below 0 starts at 0. */
	overhead_fit(rising, 2, &latency_s, &per_item);
	CHECK(latency_s == 0);
	check_fit(rising, 2, true);
}

static void
only_the_latest_runs_tell_the_overhead(void)
{
	struct past_run r[MOST];

	for (size_t i = 0; i < MOST; i++)
		r[i] = (struct past_run){ (double)(MOST - i),
			(double)(1 + i % 3),
			i < 64 ? 2 + (double)(i % 3) : 1000 };
	/* Only the latest 64 runs count. */
	check_fit(r, 64, true);
	{
		double latency_s, per_item, want_s, want_item;

		fit(r, 64, true, &want_s, &want_item);
		overhead_fit(r, MOST, &latency_s, &per_item);
		CHECK_NEAR(latency_s, want_s, 1e-9);
		CHECK_NEAR(per_item, want_item, 1e-9);
	}
}

static void
a_slow_run_is_no_overhead(void)
{
	for (size_t slow = 0; slow < 5; slow++)
		for (int apart = 0; apart < 2; apart++) {
			struct past_run r[5];
			double latency_s, per_item;

			for (size_t i = 0; i < 5; i++) {
				double n = apart ? (double)(1 + i) : 8;

				r[i] = (struct past_run){ 7, n, 3 + 2 * n };
			}
			r[slow].seconds *= 20;
			overhead_fit(r, 5, &latency_s, &per_item);
			CHECK(fabs(latency_s - (apart ? 3 : 0)) < 1e-9);
			CHECK_NEAR(per_item, apart ? 2 : 19.0 / 8, 1e-9);
		}
}

/* Without the slow run all sizes are equal, so no line can be fitted. */
static void
one_run_of_another_size_tells_no_line(void)
{
	struct past_run r[] = { { 1, 10, 5 }, { 2, 10, 5 }, { 3, 10, 5 },
		{ 4, 30, 300 } };
	double latency_s, per_item;

	overhead_fit(r, 4, &latency_s, &per_item);
	CHECK(latency_s == 0);
	CHECK_NEAR(per_item, 0.5, 1e-12);
}

static struct seen point[MOST + 8];
static struct past_run kept_run[MOST];

/*
 * Computes the points of a curve from a copy of the runs.  *kept is how many
 * runs are kept.
 */
static long
points(const struct seen *measured, size_t nmeasured, const struct past_run *r,
    size_t n, size_t *kept)
{
	memcpy(kept_run, r, n * sizeof *r);
	*kept = n;
	return history_points(measured, nmeasured, kept_run, kept, point);
}

/*
 * Computes the weighted mean of the given runs and of the earlier measurement.
 */
static struct seen
mean(const struct past_run *r, size_t n, const struct seen *measured)
{
	struct seen p = { .low = INFINITY };
	double sum = 0, w;

	for (size_t i = 0; i < n; i++) {
		w = weight_of(r, n, i, 8);
		sum += w;
		p.n += w * r[i].n;
		p.seconds += w * r[i].seconds;
		p.low = fmin(p.low, r[i].seconds);
		p.high = fmax(p.high, r[i].seconds);
		p.runs++;
	}
	for (size_t i = 0; measured != NULL && i < measured->runs; i++) {
		w = pow(0.5, (double)(n + i) / 8);
		sum += w;
		p.n += w * measured->n;
		p.seconds += w * measured->seconds;
		p.low = fmin(p.low, measured->low);
		p.high = fmax(p.high, measured->high);
		p.runs++;
	}
	p.n = round(p.n / sum);
	p.seconds /= sum;
	return p;
}

static void
check_point(const struct seen *got, const struct seen *want)
{
	CHECK(got->n == want->n);
	CHECK_NEAR(got->seconds, want->seconds, 1e-9);
	CHECK(got->low == want->low && got->high == want->high);
	CHECK(got->runs == want->runs);
}

static void
runs_of_like_size_are_one_point(void)
{
	struct past_run r[MOST];
	struct seen want;
	size_t kept;

	for (int i = 0; i < ROUNDS; i++) {
		size_t n = 1 + test_below(HISTORY_LATEST - 1);
		struct seen m = { 1100, 11, 10.5, 11.5,
			(double)(1 + test_below(5)) };
		const struct seen *measured = test_below(2) == 0 ? &m : NULL;

		for (size_t j = 0; j < n; j++) {
			r[j].start_s = (double)test_below(20);
			r[j].n = (double)(1000 + test_below(200));
			r[j].seconds = r[j].n / 100 * (1 + 0.1 * test_unit());
		}
		want = mean(r, n, measured);
		REQUIRE(points(measured, measured != NULL, r, n, &kept) == 1);
		check_point(&point[0], &want);
		CHECK_EQ_U64(kept, n);
	}
}

static void
old_runs_of_a_size_are_forgotten(void)
{
	const struct seen m = { 100, 1.05, 1, 1.1, 3 };
	struct past_run r[MOST];
	struct seen want;
	size_t kept;

	for (size_t i = 0; i < MOST; i++)
		r[i] = (struct past_run){ (double)(MOST - i), 100,
			i < HISTORY_LATEST ? 1 + 0.001 * (double)i : 50 };
	want = mean(r, HISTORY_LATEST, NULL);
	REQUIRE(points(&m, 1, r, MOST, &kept) == 1);
	check_point(&point[0], &want);
	CHECK_EQ_U64(kept, HISTORY_LATEST);
	for (size_t i = 0; i < kept; i++)
		CHECK(kept_run[i].start_s > MOST - HISTORY_LATEST);
}

static void
sizes_apart_are_points_of_their_own(void)
{
	const struct seen m[] = { { 1000, 1, 1, 1, 2 },
		{ 1400, 1.4, 1.4, 1.4, 2 } };
	const struct past_run r[] = { { 1, 100, 0.1 }, { 2, 150, 0.15 },
		{ 3, 151, 0.151 }, { 4, 1180, 1.18 }, { 5, 1190, 1.19 },
		{ 6, 667, 0.667 }, { 7, 2100, 2.1 }, { 8, 2101, 2.101 },
		{ 9, 3152, 3.152 } };
	const double runs[] = { 2, 1, 4, 4, 1, 1 };
	size_t kept;

	REQUIRE(points(m, 2, r, 9, &kept) == 6);
	for (size_t i = 0; i < 6; i++)
		CHECK(point[i].runs == runs[i] &&
		    (i == 0 || point[i].n > point[i - 1].n));
	/* The times of all sizes lie on one line. */
	for (size_t i = 0; i < 6; i++)
		CHECK_NEAR(point[i].seconds, point[i].n / 1000, 1e-3);
	/* Measured points remain if there are no runs. */
	REQUIRE(points(m, 2, r, 0, &kept) == 2);
	check_point(&point[0], &m[0]);
	check_point(&point[1], &m[1]);
	REQUIRE(points(m, 2, r, 1, &kept) == 3);
	CHECK(point[0].n == 100 && point[2].n == 1400);
}

/* Adds runs to six runs of 100 items in one second each. */
static long
after_six(const struct past_run *others, size_t n, size_t *kept)
{
	struct past_run r[MOST];

	for (size_t i = 0; i < 6; i++)
		r[i] = (struct past_run){ (double)i, 100, 1 };
	memcpy(r + 6, others, n * sizeof *others);
	return points(NULL, 0, r, 6 + n, kept);
}

static void
two_runs_show_a_cliff(void)
{
	const struct past_run slow[] = { { 10, 110, 5 }, { 11, 112, 5.2 } };
	const struct past_run near[] = { { 10, 105, 5 }, { 11, 105, 5.2 } };
	const struct past_run fast[] = { { 10, 90, 0.2 }, { 11, 88, 0.2 } };
	const struct past_run nearer[] = { { 10, 96, 0.2 }, { 11, 97, 0.2 } };
	const struct seen m = { 100, 1, 1, 1, 6 };
	const struct past_run between[] = { { 10, 110, 5 }, { 11, 112, 5.2 },
		{ 12, 120, 1.2 } };
	size_t kept;

	REQUIRE(after_six(slow, 2, &kept) == 2);
	CHECK(point[0].n == 100 && point[0].runs == 6 && point[0].seconds == 1);
	CHECK(point[1].n == 111 && point[1].runs == 2 && point[1].low == 5);
	REQUIRE(after_six(slow, 1, &kept) == 1);
	CHECK(point[0].n == 100 && point[0].runs == 6 && point[0].high == 1);
	REQUIRE(after_six(near, 2, &kept) == 1);
	CHECK(point[0].n == 100 && point[0].runs == 6 && point[0].high == 1);
	REQUIRE(after_six(fast, 2, &kept) == 2);
	CHECK(point[0].n == 89 && point[0].runs == 2 && point[0].high == 0.2);
	CHECK(point[1].n == 100 && point[1].runs == 6 && point[1].low == 1);
	REQUIRE(after_six(fast, 1, &kept) == 1);
	CHECK(point[0].n == 100 && point[0].runs == 6 && point[0].low == 1);
	REQUIRE(after_six(nearer, 2, &kept) == 1);
	CHECK(point[0].n == 100 && point[0].runs == 6 && point[0].low == 1);
	/* The earlier measurement counts for its size, beside the cliff. */
	REQUIRE(points(&m, 1, slow, 2, &kept) == 2);
	check_point(&point[0], &m);
	CHECK(point[1].n == 111 && point[1].runs == 2 && point[1].low == 5);
	REQUIRE(points(&m, 1, fast, 2, &kept) == 2);
	CHECK(point[0].n == 89 && point[0].runs == 2 && point[0].high == 0.2);
	check_point(&point[1], &m);
	/*
	 * The third run is larger but not slow, so the two slow runs show no
	 * cliff.
	 */
	REQUIRE(after_six(between, 3, &kept) == 1);
	CHECK(point[0].runs == 7 && point[0].high == 1.2);
	CHECK_EQ_U64(kept, 9);
}

static void
three_last_runs_show_a_changed_machine(void)
{
	static const double last[][3] = { { 3, 3.1, 2.9 }, { 3, 3.1, 1 },
		{ 3, 4, 5 }, { 0.3, 0.3, 0.3 } };
	static const double runs[] = { 3, 11, 10, 3 };
	struct past_run r[13];
	size_t kept;

	for (size_t i = 0; i < 4; i++) {
		for (size_t j = 0; j < 13; j++)
			r[j] = (struct past_run){ (double)j, 100,
				j < 10 ? 1 : last[i][j - 10] };
		REQUIRE(points(NULL, 0, r, 13, &kept) == 1);
		CHECK(point[0].n == 100 && point[0].runs == runs[i]);
		if (runs[i] >= 10)
			CHECK_NEAR(point[0].seconds, 1, 1e-12);
		else
			CHECK(point[0].seconds >= last[i][2] &&
			    point[0].seconds <= last[i][1]);
	}
}

static void
a_single_run_is_merged_if_it_contradicts_others(void)
{
	const struct seen slow[] = { { 100, 10, 10, 10, 4 },
		{ 1000, 12, 12, 12, 4 } };
	const struct seen line[] = { { 100, 2, 2, 2, 4 },
		{ 1000, 12, 12, 12, 4 } };
	const struct past_run faster = { 1, 180, 9.5 }, slower = { 1, 600, 13 };
	const struct past_run cliff = { 1, 300, 12 }, edge = { 1, 300, 11.9 };
	const struct past_run first = { 1, 20, 3 };
	const struct seen tie[] = { { 100, 10, 10, 10, 4 },
		{ 256, 12, 12, 12, 4 } };
	const struct past_run amid = { 1, 160, 9.5 };
	struct seen want;
	size_t kept;

	/* A run faster than a smaller size is merged with the nearest size. */
	want = mean(&faster, 1, &slow[0]);
	REQUIRE(points(slow, 2, &faster, 1, &kept) == 2);
	check_point(&point[0], &want);
	check_point(&point[1], &slow[1]);
	/*
	 * If two sizes are equally near, the run is merged with the smaller
	 * one.
	 */
	want = mean(&amid, 1, &tie[0]);
	REQUIRE(points(tie, 2, &amid, 1, &kept) == 2);
	check_point(&point[0], &want);
	check_point(&point[1], &tie[1]);
	/* A run slower than a larger size is merged with the nearest size. */
	want = mean(&slower, 1, &line[1]);
	REQUIRE(points(line, 2, &slower, 1, &kept) == 2);
	check_point(&point[0], &line[0]);
	check_point(&point[1], &want);
	/*
	 * A run is merged if its time per item is more than twice that of the
	 * next smaller size.
	 */
	REQUIRE(points(line, 1, &cliff, 1, &kept) == 2);
	REQUIRE(
	    points(line, 1, &(struct past_run){ 1, 300, 12.1 }, 1, &kept) == 1);
	check_point(&point[0], &line[0]);
	REQUIRE(points(line, 2, &edge, 1, &kept) == 3);
	/* A single run of the first size is merged with the next size. */
	REQUIRE(points(line, 2, &first, 1, &kept) == 2);
	check_point(&point[0], &line[0]);
}

int
main(void)
{
	RUN(medians_are_weighted);
	RUN(outliers_differ_from_the_median);
	RUN(weights_halve);
	RUN(overheads_are_a_line_through_runs);
	RUN(sizes_alike_tell_no_latency);
	RUN(less_time_for_more_items_is_a_latency);
	RUN(only_the_latest_runs_tell_the_overhead);
	RUN(a_slow_run_is_no_overhead);
	RUN(one_run_of_another_size_tells_no_line);
	RUN(runs_of_like_size_are_one_point);
	RUN(old_runs_of_a_size_are_forgotten);
	RUN(sizes_apart_are_points_of_their_own);
	RUN(two_runs_show_a_cliff);
	RUN(three_last_runs_show_a_changed_machine);
	RUN(a_single_run_is_merged_if_it_contradicts_others);
	return test_done();
}
