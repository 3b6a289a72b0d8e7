#include "share/prefix.h"

/* Returns a + b without any rounding error, unless it overflows. */
static struct prefix
sum_of(double a, double b)
{
	double sum = a + b, other = sum - a;

	return (struct prefix){ sum, (a - (sum - other)) + (b - other) };
}

struct prefix
prefix_add(struct prefix p, double weight)
{
	struct prefix all = sum_of(p.sum, weight);

	return sum_of(all.sum, all.rest + p.rest);
}

double
prefix_between(struct prefix from, struct prefix to)
{
	struct prefix part = sum_of(to.sum, -from.sum);

	return part.sum + (part.rest + (to.rest - from.rest));
}
