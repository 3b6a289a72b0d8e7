/* Choosing sizes and repetitions, tested on simulated work. */

#include <sys/stat.h>

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "profile/command.h"
#include "profile/profile.h"
#include "test.h"

/* Simulated work: `fast` items a second up to the cliff, `slow` beyond. */
struct fake {
	double fast, slow, cliff;
	uint64_t most;	/* sizes above fail; 0: none */
	uint64_t empty; /* there is no input from this size on, or 0 */
	double noise;	/* each run is slower by up to this fraction */
	double wavers;	/* every second run is slower by this fraction */
	double gain;	/* the speed grows by this fraction with each item */
	unsigned runs;
	double clock_s;	     /* simulated time so far */
	unsigned broken_run; /* number of the run that fails, from 1; 0: none */
	int broken;	     /* the value that the failing run returns */
	uint64_t last;	     /* the size of the last run */
	/* number of the first run whose size is below the previous one */
	unsigned downwards;
};

static int
fake_run(void *context, uint64_t n, double *seconds, struct hp_err *e)
{
	struct fake *f = context;
	double speed = (double)n <= f->cliff ? f->fast : f->slow;

	if (++f->runs == f->broken_run) {
		hp_fail(e, HP_IO, "broken");
		return f->broken;
	}
	if (n < f->last && f->downwards == 0)
		f->downwards = f->runs;
	f->last = n;
	if (f->most > 0 && n > f->most)
		return 0;
	if (f->empty > 0 && n >= f->empty) {
		hp_fail(e, HP_IO, "no input");
		return PROFILE_UNTRIED;
	}
	*seconds = (double)n / speed * (1 + f->noise * test_unit());
	*seconds *= 1 + f->wavers * (f->runs % 2);
	*seconds /= 1 + f->gain * (double)n;
	f->clock_s += *seconds;
	return 1;
}

static double
still_s(void *context)
{
	(void)context;
	return 12345;
}

static double
fake_now_s(void *context)
{
	return 777 + ((struct fake *)context)->clock_s;
}

/* Options with a simulated clock: the time of a run does not really pass. */
static struct profile_opts
options(struct fake *f)
{
	return (struct profile_opts){ .run = fake_run,
		.context = f,
		.now_s = still_s,
		.seconds = 60,
		.precision = 0.05,
		.points = 25 };
}

static void
means_and_intervals(void)
{
	double one[] = { 3 }, four[] = { 4, 1, 3, 2 };
	double outlier[] = { 1.0, 1.01, 0.99, 1.02, 0.98, 9 };
	double same[] = { 0.1, 0.1, 0.1 }; /* the rounded sum is above 0.3 */
	struct sample s;

	sample_of(one, 1, &s);
	CHECK(s.seconds == 3 && s.low == 3 && s.high == 3 && s.runs == 1);
	CHECK(isinf(s.interval));
	/* The mean is 2.5, the deviation 1.29099, and t(3) is 3.182. */
	sample_of(four, 4, &s);
	CHECK(s.seconds == 2.5 && s.low == 1 && s.high == 4 && s.runs == 4);
	CHECK_NEAR(s.interval, 3.182 * 1.2909944487 / 2, 1e-9);
	sample_of(outlier, 6, &s);
	CHECK_NEAR(s.seconds, 1, 1e-12);
	CHECK_EQ_U64(s.runs, 5);
	sample_of(same, 3, &s);
	CHECK(s.seconds == 0.1 && s.low == 0.1 && s.high == 0.1);
}

/* A coarse clock shows 0 s for this work. */
static void
work_that_takes_no_time_takes_some(void)
{
	struct fake f = { .fast = INFINITY, .slow = INFINITY };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	o.to = 1000000;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK_EQ_U64(p.sample[p.n - 1].n, 1000000);
	for (size_t i = 0; i < p.n; i++)
		CHECK(p.sample[i].low > 0 &&
		    p.sample[i].seconds >= p.sample[i].low);
	profile_fini(&p);
}

static void
a_straight_line_takes_few_points(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e6 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK(p.n >= 3 && p.n <= 10);
	for (size_t i = 0; i < p.n; i++)
		CHECK_NEAR(
		    p.sample[i].seconds, (double)p.sample[i].n / 1e6, 1e-9);
	/* The sizes start where time can be measured and end where time runs
	 * out. */
	CHECK(p.sample[0].seconds >= 0.01 && p.sample[0].seconds < 0.05);
	CHECK(p.sample[p.n - 1].seconds > 3);
	profile_fini(&p);
}

static void
a_cliff_is_found_within_5_percent(void)
{
	for (int i = 0; i < 50; i++) {
		double cliff = floor(3e5 * pow(10, test_unit()));
		struct fake f = { .fast = 1e6,
			.slow = 1e6 / (1.5 + 20 * test_unit()),
			.cliff = cliff,
			.noise = 0.02 * test_unit() };
		struct profile_opts o = options(&f);
		struct profile p;
		struct hp_err e = { 0 };
		size_t at = 0;

		o.to = 16000000;
		o.whole = true;
		REQUIRE(profile_measure(&o, &p, &e) == 0);
		while (at < p.n && (double)p.sample[at].n <= cliff)
			at++;
		CHECK(p.n <= 25);
		REQUIRE(at > 0 && at < p.n);
		CHECK((double)p.sample[at].n <=
		    1.0501 * (double)p.sample[at - 1].n);
		profile_fini(&p);
	}
}

/* Speeds on one line between all sizes: each interval is halved at most once.
 */
static void
intervals_on_a_line_are_halved_once(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e6, .gain = 1e-4 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	o.from = 16000;
	o.to = 16384000; /* 4^5 times as large */
	o.whole = true;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK(p.n > 6 && p.n <= 6 + 5);
	profile_fini(&p);
}

static void
no_more_points_than_asked(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e5, .cliff = 3e5 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	o.to = 16000000;
	o.whole = true;
	for (o.points = 6; o.points < 12; o.points++) {
		REQUIRE(profile_measure(&o, &p, &e) == 0);
		CHECK_EQ_U64(p.n, o.points);
		profile_fini(&p);
	}
}

static void
the_way_up_ends_at_the_size_or_by_the_time(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e6 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	o.to = 1000000000;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	/*
	 * Four runs of the last size fit into the time; four runs of the next
	 * size do not.
	 */
	CHECK(4 * p.sample[p.n - 1].seconds < 60 &&
	    4 * 4 * p.sample[p.n - 1].seconds >= 60);
	profile_fini(&p);
	o.to = 1;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK(p.n == 1 && p.sample[0].n == 1);
	profile_fini(&p);
	o.to = 5000000;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK_EQ_U64(p.sample[p.n - 1].n, 5000000);
	profile_fini(&p);
	o.to = 1000000000;
	o.whole = true;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK_EQ_U64(p.sample[p.n - 1].n, 1000000000);
	profile_fini(&p);
}

static void
a_failure_is_a_capacity(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e6, .most = 777777 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK(p.failed > 777777);
	CHECK(p.sample[p.n - 1].n <= 777777);
	CHECK((double)p.failed <= 1.0501 * (double)p.sample[p.n - 1].n);
	profile_fini(&p);
	o.from = 1000000;
	CHECK(profile_measure(&o, &p, &e) == -1);
	CHECK(e.kind == HP_IO);
}

/* A run may fail in the first step, or at a size that is chosen in between. */
static void
an_error_of_any_run_is_an_error(void)
{
	struct fake all = { .fast = 1e6, .slow = 1e5, .cliff = 3e5 };
	struct profile_opts o = options(&all);
	struct profile p;
	struct hp_err e = { 0 };

	o.to = 1000000;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	/* Sizes between those of the first step were measured as well. */
	REQUIRE(p.n > 6);
	profile_fini(&p);
	for (unsigned run = 1; run <= all.runs; run++) {
		struct fake f = { .fast = 1e6,
			.slow = 1e5,
			.cliff = 3e5,
			.broken_run = run,
			.broken = -1 };

		o.context = &f;
		e = (struct hp_err){ 0 };
		CHECK(profile_measure(&o, &p, &e) == -1);
		CHECK(e.kind == HP_IO && f.runs == run && p.sample == NULL);
	}
}

/* Sizes that are measured later are inserted in order. */
static void
sizes_between_go_to_their_places(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e5, .cliff = 3e5 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	o.to = 4000000;
	o.whole = true;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	REQUIRE(p.n > 6);
	for (size_t i = 0; i < p.n; i++) {
		double speed = (double)p.sample[i].n <= f.cliff ? 1e6 : 1e5;

		CHECK(i == 0 || p.sample[i - 1].n < p.sample[i].n);
		CHECK_NEAR(p.sample[i].seconds, (double)p.sample[i].n / speed,
		    1e-9 * p.sample[i].seconds);
	}
	profile_fini(&p);
}

/* Cliffs and capacities among few items are found to the item. */
static void
small_sizes_are_measured_once(void)
{
	for (uint64_t n = 1; n < 60; n++)
		for (int fails = 0; fails < 2; fails++) {
			struct fake f = { .fast = 1e3,
				.slow = fails ? 1e3 : 1,
				.cliff = (double)n,
				.most = fails ? n : 0 };
			struct profile_opts o = options(&f);
			struct profile p;
			struct hp_err e = { 0 };
			bool last = false, next;

			o.from = 1;
			o.to = 64;
			o.whole = true;
			REQUIRE(profile_measure(&o, &p, &e) == 0);
			next = p.failed == n + 1;
			for (size_t i = 0; i < p.n; i++) {
				last = last || p.sample[i].n == n;
				next = next || p.sample[i].n == n + 1;
				CHECK(i == 0 ||
				    p.sample[i - 1].n < p.sample[i].n);
			}
			/* Sizes that differ by less than 5 % count as equal. */
			CHECK(n >= 20 || (last && next));
			profile_fini(&p);
		}
}

/* The integral of the density of Student's t from 0 to x, by Simpson's rule. */
static double
student_up_to(double x, double df)
{
	enum {
		STEPS = 2000
	};
	double sum = 0, h = x / STEPS;

	for (int i = 0; i <= STEPS; i++) {
		double t = h * i;
		double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;

		sum += weight * pow(1 + t * t / df, -(df + 1) / 2);
	}
	return sum * h / 3 * exp(lgamma((df + 1) / 2) - lgamma(df / 2)) /
	    sqrt(df * M_PI);
}

/* Runs of 1, 2, 3, ... seconds have no outlier. */
static void
intervals_hold_95_percent(void)
{
	for (size_t n = 2; n <= PROFILE_RUNS; n++) {
		double seconds[PROFILE_RUNS], mean = 0, squares = 0, t;
		struct sample s;

		for (size_t i = 0; i < n; i++)
			mean += (seconds[i] = (double)(1 + i)) / (double)n;
		for (size_t i = 0; i < n; i++)
			squares += (seconds[i] - mean) * (seconds[i] - mean);
		sample_of(seconds, n, &s);
		REQUIRE(s.runs == n);
		t = s.interval / sqrt(squares / (double)(n - 1) / (double)n);
		CHECK_NEAR(student_up_to(t, (double)(n - 1)), 0.475, 5e-4);
	}
}

static void
sizes_as_given_and_never_a_time_that_falls(void)
{
	static const uint64_t size[] = { 10, 11, 12, 13, 14, 15, 16, 17 };

	for (int i = 0; i < 100; i++) {
		struct fake f = { .fast = 10, .slow = 10, .noise = 0.4 };
		struct profile_opts o = options(&f);
		struct profile p;
		struct hp_err e = { 0 };

		o.size = size;
		o.nsizes = 8;
		REQUIRE(profile_measure(&o, &p, &e) == 0);
		REQUIRE(p.n == 8);
		CHECK(f.runs >= 24);
		for (size_t j = 0; j < 8; j++) {
			CHECK_EQ_U64(p.sample[j].n, size[j]);
			CHECK(p.sample[j].low <= p.sample[j].seconds);
			CHECK(p.sample[j].seconds <= p.sample[j].high);
			CHECK(p.sample[j].interval > 0 &&
			    isfinite(p.sample[j].interval));
			/*
			 * Sizes whose measurements were pooled have the same
			 * mean and the same interval.
			 */
			CHECK(j == 0 ||
			    p.sample[j].seconds != p.sample[j - 1].seconds ||
			    p.sample[j].interval == p.sample[j - 1].interval);
			if (j > 0 && p.sample[j].high >= p.sample[j - 1].low)
				CHECK(p.sample[j].seconds >=
				    p.sample[j - 1].seconds);
		}
		profile_fini(&p);
	}
}

static void
time_that_is_left_makes_the_long_runs_certain(void)
{
	static const uint64_t size[] = { 1000000, 4000000 };

	for (int i = 0; i < 50; i++) {
		struct fake f = { .fast = 1e6, .slow = 1e6, .noise = 0.3 };
		struct profile_opts o = options(&f);
		struct profile p;
		struct hp_err e = { 0 };

		o.size = size;
		o.nsizes = 2;
		o.now_s = fake_now_s;
		o.seconds = 240; /* enough for 40 runs of both sizes */
		REQUIRE(profile_measure(&o, &p, &e) == 0);
		for (size_t j = 0; j < p.n; j++)
			CHECK(
			    p.sample[j].interval <= 0.05 * p.sample[j].seconds);
		profile_fini(&p);
		f.clock_s = 0;
		o.seconds = 40;
		REQUIRE(profile_measure(&o, &p, &e) == 0);
		CHECK(f.clock_s < 40 + 4 * 1.3);
		profile_fini(&p);
	}
}

static const uint64_t wavering_size[] = { 1000000, 4000000 };

/* Measures two sizes whose means need more runs after the first few. */
static int
measure_wavering(struct fake *f, struct profile *p, struct hp_err *e)
{
	struct profile_opts o = options(f);

	f->fast = f->slow = 1e6;
	f->wavers = 0.3;
	o.size = wavering_size;
	o.nsizes = 2;
	o.now_s = fake_now_s;
	o.seconds = 240;
	return profile_measure(&o, p, e);
}

static void
an_error_of_an_additional_run_is_an_error(void)
{
	struct fake all = { 0 };
	struct profile p;
	struct hp_err e = { 0 };

	REQUIRE(measure_wavering(&all, &p, &e) == 0);
	profile_fini(&p);
	REQUIRE(all.downwards > 0);
	for (unsigned run = all.downwards; run <= all.runs; run++) {
		struct fake f = { .broken_run = run, .broken = -1 };

		e = (struct hp_err){ 0 };
		CHECK(measure_wavering(&f, &p, &e) == -1);
		CHECK(e.kind == HP_IO && f.runs == run && p.sample == NULL);
	}
}

/*
 * The size worked before, so the failure is not the capacity. The same holds
 * for a size whose input could be made before, but not this time.
 */
static void
a_failure_of_an_additional_run_ends_the_measurement(void)
{
	static const int how[] = { 0, PROFILE_UNTRIED };
	struct fake all = { 0 };
	struct profile p;
	struct hp_err e = { 0 };

	REQUIRE(measure_wavering(&all, &p, &e) == 0);
	profile_fini(&p);
	REQUIRE(all.downwards > 0);
	for (size_t i = 0; i < 2; i++)
		for (unsigned run = all.downwards; run <= all.runs; run++) {
			struct fake f = { .broken_run = run, .broken = how[i] };

			REQUIRE(measure_wavering(&f, &p, &e) == 0);
			CHECK_EQ_U64(f.runs, run);
			CHECK(p.n == 2 && p.failed == 0 && p.untried == 0);
			for (size_t j = 0; j < p.n; j++)
				CHECK(p.sample[j].n == wavering_size[j] &&
				    p.sample[j].runs >= 3);
			profile_fini(&p);
		}
}

static void
sizes_run_as_often_as_asked(void)
{
	static const unsigned most[] = { 1, 2, 7, 39, 40, 41, 0 };
	static const unsigned runs[] = { 1, 2, 7, 39, 40, 40, 40 };
	static const uint64_t size[] = { 10, 20 };

	for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
		struct fake f = { .fast = 1e6, .slow = 1e6, .noise = 0.5 };
		struct profile_opts o = options(&f);
		struct profile p;
		struct hp_err e = { 0 };

		o.size = size;
		o.nsizes = 2;
		o.precision = 1e-9;
		o.runs = most[i];
		REQUIRE(profile_measure(&o, &p, &e) == 0);
		CHECK_EQ_U64(f.runs, 2 * runs[i]);
		profile_fini(&p);
	}
}

/* Sizes from 16000 on can be measured; 1000 and 4000 are tried before. */
static void
sizes_without_input_are_no_failure(void)
{
	static const uint64_t empty[] = { 1001, 4000, 4001, 16000, 16001, 64000,
		64001, 1500000 };
	static const uint64_t first[] = { 1000, 1000, 4000, 4000, 16000, 16000,
		16000, 16000 };

	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
		struct fake f = { .fast = 1e6, .slow = 1e6, .empty = empty[i] };
		struct profile_opts o = options(&f);
		struct profile p;
		struct hp_err e = { 0 };

		REQUIRE(profile_measure(&o, &p, &e) == 0);
		CHECK(p.failed == 0 && p.untried >= empty[i]);
		CHECK_EQ_U64(p.sample[0].n, first[i]);
		CHECK(p.sample[p.n - 1].n < empty[i] &&
		    p.sample[p.n - 1].n * 4 >= p.untried);
		profile_fini(&p);
	}
}

static void
no_size_with_input_is_an_error(void)
{
	struct fake f = { .fast = 1e6, .slow = 1e6, .empty = 1000 };
	struct profile_opts o = options(&f);
	struct profile p;
	struct hp_err e = { 0 };

	CHECK(profile_measure(&o, &p, &e) == -1);
	CHECK_EQ_STR(e.text, "no input");
	CHECK(p.sample == NULL);
}

struct seen_runs {
	/* first member: its address is the context of the runs */
	struct fake fake;
	unsigned calls, of_size;
	uint64_t n;
};

static void
see(void *context, uint64_t n, unsigned run, double spent_s)
{
	struct seen_runs *s = context;

	s->of_size = n == s->n ? s->of_size + 1 : 1;
	s->n = n;
	s->calls++;
	CHECK_EQ_U64(run, s->of_size);
	CHECK(spent_s >= 0 && s->calls == s->fake.runs + 1);
}

static void
progress_tells_each_run(void)
{
	static const uint64_t size[] = { 10, 20 };
	struct seen_runs s = { .fake = { .fast = 1e6, .slow = 1e6 } };
	struct profile_opts o = options(&s.fake);
	struct profile p;
	struct hp_err e = { 0 };

	o.size = size;
	o.nsizes = 2;
	o.progress = see;
	REQUIRE(profile_measure(&o, &p, &e) == 0);
	CHECK_EQ_U64(s.calls, s.fake.runs);
	CHECK(s.calls >= 6);
	profile_fini(&p);
}

static void
commands_end_in_different_ways(void)
{
	static const struct {
		const char *script;
		int rc;
		const char *text;
	} ways[] = { { "exit 0", 1, "" }, { "exit 3", 0, "exit status 3" },
		{ "kill -9 $$", 0, "killed by signal 9" },
		{ "kill -INT $$", -1, "sh: interrupted" },
		{ "kill -TERM $$", -1, "sh: interrupted" } };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char script[32];
		char *argv[] = { "sh", "-c", script, NULL };
		struct command c = { .argv = argv };
		struct hp_err e = { 0 };
		double seconds = -1;

		snprintf(script, sizeof script, "%s", ways[i].script);
		REQUIRE(command_open(&c, false, &e) == 0);
		CHECK(command_run(&c, 5, &seconds, &e) == ways[i].rc);
		CHECK(seconds >= 0);
		CHECK_EQ_STR(e.text, ways[i].text);
		command_close(&c);
	}
}

/*
 * A command makes the input of each size only once, and not again after a
 * failure.
 */
static void
input_is_made_once_for_a_size(void)
{
	char script[] = "echo >>made; [ {n} -lt 9 ]";
	char *generator[] = { "sh", "-c", script, NULL };
	char *argv[] = { "test", "-s", "made", NULL };
	struct command c = { .argv = argv, .generator = generator };
	static const uint64_t size[] = { 5, 5, 9, 9, 5 };
	static const off_t made[] = { 1, 1, 2, 3, 4 };
	struct hp_err e = { 0 };
	struct stat st;
	double seconds;

	test_scratch();
	REQUIRE(command_open(&c, false, &e) == 0);
	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		int rc = command_run(&c, size[i], &seconds, &e);

		CHECK_EQ_I64(rc, size[i] < 9 ? 1 : PROFILE_UNTRIED);
		CHECK(stat("made", &st) == 0 && st.st_size == made[i]);
	}
	CHECK_EQ_STR(e.text, "sh cannot make 9 records");
	command_close(&c);
	unlink("made");
	generator[0] = "/nowhere/generator";
	REQUIRE(command_open(&c, false, &e) == 0);
	CHECK(command_run(&c, 5, &seconds, &e) == -1);
	command_close(&c);
}

static void
input_is_all_that_the_generator_made(void)
{
	char *generator[] = { "seq", "{n}", NULL };
	char *argv[] = { "sh", "-c", "seq {n} | cmp -s - {in}", NULL };
	struct command c = { .argv = argv, .generator = generator };
	static const uint64_t size[] = { 50, 6, 700, 6 };
	struct hp_err e = { 0 };
	double seconds;

	REQUIRE(command_open(&c, true, &e) == 0);
	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		CHECK(command_run(&c, size[i], &seconds, &e) == 1);
	command_close(&c);
}

static void
placeholders_are_found(void)
{
	char *argv[] = { "sort", "x{in}", "{", NULL };
	char *none[] = { NULL };

	CHECK(command_uses(argv, "{in}"));
	CHECK(!command_uses(argv, "{n}"));
	CHECK(!command_uses(none, "{n}"));
}

static void
commands_get_their_words(void)
{
	char *argv[] = { "sh", "-c",
		"test {n},{width},{x},{n = 5,2.5,{x},{n -a -s {in}", NULL };
	char *generator[] = { "seq", "{n}", NULL };
	struct param width = { "width", 2.5 };
	struct command c = { .argv = argv,
		.generator = generator,
		.param = &width,
		.nparams = 1 };
	struct hp_err e = { 0 };
	double seconds = -1;

	REQUIRE(command_open(&c, false, &e) == 0);
	CHECK(command_run(&c, 5, &seconds, &e) == 1);
	CHECK(seconds > 0);
	CHECK(command_run(&c, 6, &seconds, &e) == 0);
	command_close(&c);
	argv[0] = "/nowhere/command";
	REQUIRE(command_open(&c, true, &e) == 0);
	CHECK(command_run(&c, 5, &seconds, &e) == -1);
	CHECK(e.errnum == ENOENT);
	command_close(&c);
}

int
main(void)
{
	RUN(means_and_intervals);
	RUN(work_that_takes_no_time_takes_some);
	RUN(a_straight_line_takes_few_points);
	RUN(a_cliff_is_found_within_5_percent);
	RUN(intervals_on_a_line_are_halved_once);
	RUN(no_more_points_than_asked);
	RUN(the_way_up_ends_at_the_size_or_by_the_time);
	RUN(a_failure_is_a_capacity);
	RUN(an_error_of_any_run_is_an_error);
	RUN(sizes_between_go_to_their_places);
	RUN(small_sizes_are_measured_once);
	RUN(intervals_hold_95_percent);
	RUN(sizes_as_given_and_never_a_time_that_falls);
	RUN(time_that_is_left_makes_the_long_runs_certain);
	RUN(an_error_of_an_additional_run_is_an_error);
	RUN(a_failure_of_an_additional_run_ends_the_measurement);
	RUN(sizes_run_as_often_as_asked);
	RUN(sizes_without_input_are_no_failure);
	RUN(no_size_with_input_is_an_error);
	RUN(progress_tells_each_run);
	RUN(commands_end_in_different_ways);
	RUN(input_is_made_once_for_a_size);
	RUN(input_is_all_that_the_generator_made);
	RUN(placeholders_are_found);
	RUN(commands_get_their_words);
	return test_done();
}
