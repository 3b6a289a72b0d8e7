#include "share/energy.h"

double
energy_rise(const struct node *node)
{
	return node->power.busy - node->power.idle;
}

double
energy_idle(const struct cluster *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->node[i].power.idle;
	return sum;
}

double
energy_total(const struct cluster *c, const uint64_t *n, double makespan)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += energy_rise(&c->node[i]) *
		    curve_time(&c->node[i].curve, n[i]);
	return energy_idle(c) * makespan + sum;
}
