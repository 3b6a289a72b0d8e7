#ifndef HP_SHARE_FILL_H
#define HP_SHARE_FILL_H

/*
 * Divides items by a finish time: each node gets all whole items that it can
 * finish by that time. The last few items are handed out one by one.
 */

#include "share/cluster.h"

/*
 * Returns the key of a node with n items. The next item goes to the node whose
 * key is smallest.
 */
typedef double share_key(const struct node *, uint64_t n);

share_key share_key_items; /* n, so that nodes take turns */
share_key share_key_speed; /* n / speed, the method of d'Hondt */
share_key share_key_time;  /* t(n), the finish time */

/*
 * Returns how many items all nodes together can take. The result is at most
 * UINT64_MAX.
 */
uint64_t share_capacity(const struct cluster *);

/*
 * Hands out `rest` more items one by one. The function share_key computes a
 * number (key) for a node and its items. Each item goes to the node whose key
 * is smallest after it gets the item; of equal keys, the lowest rank wins. The
 * nodes must be able to take all items. O(p + rest log p).
 */
int share_hand_out(const struct cluster *, share_key *, uint64_t rest,
    uint64_t *n, struct hp_err *);

/*
 * Stores in n[p] the shares that add up to total and have the least makespan.
 * No share gets less than its value in n at the start. The function searches a
 * time T, gives each node max {x : t(x) <= T} items, and hands out the last
 * few. The search starts at guess, so a good guess saves time. The nodes must
 * have room for total, which must be at least the sum of n at the start.
 * Optimal if the times do not decrease.
 */
int share_level(const struct cluster *, uint64_t total, double guess,
    uint64_t *n, struct hp_err *);

#endif
