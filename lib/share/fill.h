#ifndef HP_SHARE_FILL_H
#define HP_SHARE_FILL_H

/*
 * From times to whole items: all that fit below a finish time, and the last
 * few one by one.
 */

#include "share/cluster.h"

/* How soon a node would be done with n items: which gets the next one. */
typedef double share_key(const struct node *, uint64_t n);

share_key share_key_items; /* n: turn by turn */
share_key share_key_speed; /* n / speed: d'Hondt */
share_key share_key_time;  /* t(n) */

/* The items that all nodes together can take, at most UINT64_MAX. */
uint64_t share_capacity(const struct cluster *);

/*
 * Hands out `rest` more items, each to the node whose key for one more is the
 * least, the lowest rank among equals.  They must fit.  O(p + rest log p).
 */
int share_hand_out(const struct cluster *, share_key *, uint64_t rest,
    uint64_t *n, struct hp_err *);

/*
 * The shares that add up to total and finish first, none below what it is in n
 * at the start: each node gets what it can do until a time T, max {x : t(x) <=
 * T}, and the last few are handed out.  guess is near T.  total must fit, and
 * be at least what is in n.  Exact where t does not fall.
 */
int share_level(const struct cluster *, uint64_t total, double guess,
    uint64_t *n, struct hp_err *);

#endif
