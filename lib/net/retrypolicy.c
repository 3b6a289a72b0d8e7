#include <math.h>

#include "net/retrypolicy.h"

static const double AGAIN_S = 1; /* delay after the first attempt */
/*
 * longest delay in seconds before the next connection attempt to a peer that
 * has not been slow
 */
static const double SOON_S = 2;
static const double FADES = 1. / 16; /* decay per second of silence */

void
retrypolicy_connected(struct retry_policy *p)
{
	p->again_s = 0;
}

void
retrypolicy_heard(struct retry_policy *p, double silence_s)
{
	p->pause_s = fmax(silence_s, p->pause_s - silence_s * FADES);
}

double
retrypolicy_silence_s(
    const struct retry_policy *p, double least_s, double most_s)
{
	return fmin(fmax(least_s, 2 * p->pause_s), most_s);
}

double
retrypolicy_delay_s(struct retry_policy *p, double most_s)
{
	double limit_s = fmin(fmax(SOON_S, 2 * p->pause_s), most_s);

	p->again_s = fmax(AGAIN_S, fmin(2 * p->again_s, limit_s));
	return p->again_s;
}

double
retrypolicy_login_s(struct retry_policy *p, double first_s, double most_s)
{
	p->again_s = fmax(first_s, fmin(2 * p->again_s, most_s));
	return p->again_s;
}
