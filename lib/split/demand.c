#include <math.h>
#include <string.h>

#include "split/demand.h"

enum {
	SUM_MOST = 256,
	TIMES_MOST = 16
};

static const char *const names[] = { [DEMAND_PSS] = "pss",
	[DEMAND_PSRS] = "psrs",
	[DEMAND_PSOP] = "psop",
	[DEMAND_EXACT] = "exact",
	[DEMAND_RANGE] = "range" };

int
demand_parse(const char *name, enum demand_method *method, struct hp_err *e)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0) {
			*method = (enum demand_method)i;
			return 0;
		}
	return hp_fail(e, HP_USAGE,
	    "'%.64s': must be exact, psrs, pss, psop or range", name);
}

const char *
demand_name(enum demand_method method)
{
	return names[method];
}

bool
demand_sorts_first(enum demand_method method)
{
	return method == DEMAND_EXACT || method == DEMAND_PSRS;
}

/*
 * Divides each share by `unit` and stores the rounded results in the vector, at
 * least 1 for a share that is not 0. Returns the sum of the vector. Stores in
 * *worst the largest relative error of the shares that were not raised to 1.
 */
static uint64_t
scale(const uint64_t *share, size_t p, double unit, uint64_t *vector,
    double *worst)
{
	uint64_t sum = 0;

	*worst = 0;
	for (size_t i = 0; i < p; i++) {
		double exact = (double)share[i] / unit, off;

		vector[i] = share[i] == 0 ? 0
		    : exact < 1		  ? 1
					  : (uint64_t)(exact + 0.5);
		sum += vector[i];
		off = fabs((double)vector[i] - exact) / exact;
		if (exact >= 1 && off > *worst)
			*worst = off;
	}
	return sum;
}

uint64_t
demand_performance(const uint64_t *share, size_t p, uint64_t *vector)
{
	double total = 0, least = 0, worst, best = INFINITY;
	uint64_t sum;
	int times, chosen = 1;

	for (size_t i = 0; i < p; i++) {
		total += (double)share[i];
		if (share[i] > 0 && (least == 0 || (double)share[i] < least))
			least = (double)share[i];
	}
	if (least < total / SUM_MOST)
		least = total / SUM_MOST;
	for (times = 1; times <= TIMES_MOST && best > 0.05; times++) {
		sum = scale(share, p, least / times, vector, &worst);
		if (times > 1 && sum > SUM_MOST)
			break;
		if (worst < best) {
			best = worst;
			chosen = times;
		}
	}
	return scale(share, p, least / chosen, vector, &worst);
}

uint64_t
demand_candidates(enum demand_method method, uint64_t sum, size_t p)
{
	double s = (double)sum;

	if (sum <= 1 || p <= 1)
		return 0;
	switch (method) {
	case DEMAND_PSS:
		return (uint64_t)(6 * s * log2(s));
	case DEMAND_PSRS:
		return sum * (p - 1);
	case DEMAND_PSOP:
		return (uint64_t)(4 * s * s * log2(s));
	case DEMAND_EXACT:
	case DEMAND_RANGE:
		break;
	}
	return 0;
}

uint64_t
demand_sublists(uint64_t sum)
{
	uint64_t n = sum < 2 ? 1
			     : (uint64_t)(4 * (double)sum * log2((double)sum));

	return n > sum ? n : sum;
}

uint64_t
demand_part(uint64_t candidates, uint64_t n, uint64_t total)
{
	if (total == 0)
		return 0;
	return (
	    uint64_t)(((unsigned __int128)candidates * n + total - 1) / total);
}

double
demand_probability(uint64_t sum, uint64_t pivots)
{
	double s = 2 * (double)sum, p;

	if (sum == 0)
		return 1;
	p = 1 - s * exp((double)pivots * log1p(-1 / s));
	return p > 0 ? p : 0;
}
