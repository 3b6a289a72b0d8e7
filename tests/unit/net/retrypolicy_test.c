/*
 * The retry policy for silent peers: a slow peer is not called too often, and a
 * broken connection is retried soon.
 */

#include "net/retrypolicy.h"
#include "test.h"

#define LEAST_S 3.0
#define MOST_S 15.0

static void
tolerated_silence_is_at_least_the_minimum(void)
{
	struct retry_policy p = { 0 };

	CHECK(retrypolicy_silence_s(&p, LEAST_S, MOST_S) == LEAST_S);
	retrypolicy_heard(&p, 0.5);
	CHECK(retrypolicy_silence_s(&p, LEAST_S, MOST_S) == LEAST_S);
	/*
	 * The silence may be shorter than the least one if the timeout is
	 * shorter.
	 */
	CHECK(retrypolicy_silence_s(&p, 0.5, 0.5) == 0.5);
}

static void
a_peer_that_recovered_is_given_twice_as_long(void)
{
	struct retry_policy p = { 0 };

	retrypolicy_heard(&p, 4);
	CHECK(retrypolicy_silence_s(&p, LEAST_S, MOST_S) == 8);
	retrypolicy_connected(&p);
	CHECK(retrypolicy_silence_s(&p, LEAST_S, MOST_S) == 8);
	retrypolicy_heard(&p, 100);
	CHECK(retrypolicy_silence_s(&p, LEAST_S, MOST_S) == MOST_S);
}

static void
a_pause_is_forgotten(void)
{
	struct retry_policy p = { 0 };
	double before_s;
	int beats = 0;

	retrypolicy_heard(&p, 4);
	do {
		before_s = retrypolicy_silence_s(&p, LEAST_S, MOST_S);
		retrypolicy_heard(&p, 0.5);
		CHECK(retrypolicy_silence_s(&p, LEAST_S, MOST_S) <= before_s);
	} while (before_s > LEAST_S && ++beats < 1000);
	CHECK(beats > 10);
	CHECK(beats < 1000);
}

/* Returns the longest of many intervals between attempts. */
static double
longest_s(struct retry_policy *p, double most_s)
{
	double last_s = 0, s;

	CHECK(retrypolicy_delay_s(p, most_s) == 1);
	for (int i = 0; i < 10; i++) {
		s = retrypolicy_delay_s(p, most_s);
		CHECK(s >= last_s);
		last_s = s;
	}
	return last_s;
}

/* Whenever a connection becomes possible again, the peer is called soon. */
static void
after_a_connection_attempts_begin_with_short_delays(void)
{
	struct retry_policy p = { 0 };

	CHECK(longest_s(&p, 7.5) == 2);
	retrypolicy_connected(&p);
	retrypolicy_heard(&p, 0.5);
	CHECK(longest_s(&p, 7.5) == 2);
	retrypolicy_connected(&p);
	CHECK(longest_s(&p, 0.1) == 1);
}

static void
slow_peers_get_few_connection_attempts(void)
{
	struct retry_policy p = { 0 };

	retrypolicy_heard(&p, 2.5);
	CHECK(longest_s(&p, 7.5) == 5);
	retrypolicy_connected(&p);
	retrypolicy_heard(&p, 10);
	CHECK(longest_s(&p, 7.5) == 7.5);
}

/*
 * A login closes the one that began four logins before.  Even if each login
 * takes most of the timeout, one succeeds.
 */
static void
slow_logins_succeed(void)
{
	const double first_s[] = { 1, 5 }, most_s = 50;
	struct retry_policy p = { 0 };
	double at_s[16] = { 0 }, lived_s, longest_s = 0;

	for (size_t k = 0; k < 2; k++) {
		retrypolicy_connected(&p);
		for (int i = 0; i < 15; i++)
			at_s[i + 1] = at_s[i] +
			    retrypolicy_login_s(&p, first_s[k], most_s);
		CHECK(at_s[1] == first_s[k]);
		CHECK(at_s[2] == 3 * first_s[k]);
		for (int i = 0; i + 4 < 16; i++) {
			lived_s = at_s[i + 4] - at_s[i];
			CHECK(lived_s >= 15 * first_s[k]);
			longest_s = lived_s > longest_s ? lived_s : longest_s;
		}
		CHECK(longest_s == 4 * most_s);
	}
}

/* A short timeout never makes the delay shorter than the first one. */
static void
short_timeouts_keep_the_first_delay(void)
{
	struct retry_policy p = { 0 };

	for (int i = 0; i < 5; i++)
		CHECK(retrypolicy_login_s(&p, 2, 1.5) == 2);
}

int
main(void)
{
	RUN(tolerated_silence_is_at_least_the_minimum);
	RUN(a_peer_that_recovered_is_given_twice_as_long);
	RUN(a_pause_is_forgotten);
	RUN(after_a_connection_attempts_begin_with_short_delays);
	RUN(slow_peers_get_few_connection_attempts);
	RUN(slow_logins_succeed);
	RUN(short_timeouts_keep_the_first_delay);
	return test_done();
}
