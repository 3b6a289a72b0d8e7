#ifndef HP_PROFILE_POOL_H
#define HP_PROFILE_POOL_H

#include "base/err.h"
#include "profile/profile.h"

/*
 * If a larger size took less time than a smaller one, but the times of their
 * runs overlap, pools their runs.  Otherwise noise would look like more work in
 * less time.  The method is "pool adjacent violators", weighted by runs (Ayer
 * and others 1955).  Cost O(n).  Fails only if memory is short.
 */
int pool_times(struct profile *, struct hp_err *);

#endif
