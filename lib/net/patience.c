#include <math.h>

#include "net/patience.h"

static const double AGAIN_S = 1;     /* after the first call */
static const double FADES = 1. / 16; /* of the time that passes */

void
patience_connected(struct patience *p)
{
	p->again_s = 0;
}

void
patience_heard(struct patience *p, double silence_s)
{
	p->pause_s = fmax(silence_s, p->pause_s - silence_s * FADES);
}

double
patience_silent_s(const struct patience *p, double least_s, double most_s)
{
	return fmin(fmax(least_s, 2 * p->pause_s), most_s);
}

double
patience_call_s(struct patience *p, double most_s)
{
	p->again_s = p->again_s == 0
	    ? AGAIN_S
	    : fmax(p->again_s, fmin(2 * p->again_s, most_s));
	return p->again_s;
}
