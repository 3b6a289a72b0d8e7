#include <sys/resource.h>

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <err.h>

#include "tell.h"

double
tell_clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void
tell_stats(double begin_s, double read_s, double solved_s, unsigned steps)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	fprintf(stderr,
	    "read %.5f s, solve %.5f s, write %.5f s, peak memory %ld KiB",
	    read_s - begin_s, solved_s - read_s, tell_clock_s() - solved_s,
	    used.ru_maxrss);
	if (steps > 0)
		fprintf(stderr, ", %u step%s", steps, steps == 1 ? "" : "s");
	fputc('\n', stderr);
}

void
tell_unproven(const struct problem *problem)
{
	warnx("cost '%.200s': not known to rise up to n = %ju: no plan is "
	      "proven optimal",
	    problem->cluster->node[0].curve.cost->text,
	    (uintmax_t)problem->total);
}

void
tell_clamped(const struct answer *a)
{
	warnx("method %s: %zu of the shares %s negative and count%s as 0",
	    method_name(a->method), a->clamped, a->clamped == 1 ? "is" : "are",
	    a->clamped == 1 ? "s" : "");
}
