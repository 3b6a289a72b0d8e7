#ifndef HP_SHARE_OPTIMUM_H
#define HP_SHARE_OPTIMUM_H

/*
 * Methods that find the optimum. Each needs a certain model of the nodes:
 *   power     speeds, and a cost n^b
 *   nlogn     speeds, and the cost n log n
 *   exact     any non-decreasing times
 *   fpm       measured points with non-decreasing times
 *   dp        any times
 *   learned   points or a learned cost
 *   stages    the rates of links and the size of an item; stages.h
 * Each fails with HP_USAGE if the nodes do not have its model.
 */

#include "share/problem.h"

int optimum_power(const struct problem *, struct division *, struct hp_err *);
int optimum_nlogn(const struct problem *, struct division *, struct hp_err *);
int optimum_exact(const struct problem *, struct division *, struct hp_err *);
int optimum_fpm(const struct problem *, struct division *, struct hp_err *);
int optimum_dp(const struct problem *, struct division *, struct hp_err *);
int optimum_learned(const struct problem *, struct division *, struct hp_err *);
int optimum_stages(const struct problem *, struct division *, struct hp_err *);

#endif
