#include <time.h>

#include "base/clock.h"

static double
seconds(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
clock_now_s(void)
{
	return seconds(CLOCK_MONOTONIC);
}

double
clock_wall_s(void)
{
	return seconds(CLOCK_REALTIME);
}

void
clock_sleep_s(double s)
{
	struct timespec t = { .tv_nsec = (long)(s * 1e9) };

	nanosleep(&t, NULL);
}
