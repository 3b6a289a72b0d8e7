#ifndef HP_SHARE_OPTIMUM_H
#define HP_SHARE_OPTIMUM_H

/*
 * The methods that find the optimum, each for the model that it knows: the
 * speeds and a cost of one kind, times that do not fall, measured points, times
 * of any shape, or what was learned.  HP_USAGE when the nodes are not such.
 */

#include "share/problem.h"

int optimum_power(const struct problem *, struct division *, struct hp_err *);
int optimum_nlogn(const struct problem *, struct division *, struct hp_err *);
int optimum_exact(const struct problem *, struct division *, struct hp_err *);
int optimum_fpm(const struct problem *, struct division *, struct hp_err *);
int optimum_dp(const struct problem *, struct division *, struct hp_err *);
int optimum_learned(const struct problem *, struct division *, struct hp_err *);

#endif
