#ifndef HP_BUCKET_MOVED_H
#define HP_BUCKET_MOVED_H

/*
 * Moved records, the kind of elements for short records of fixed size: the
 * records themselves, copied to the chunks of their bucket. To sort a bucket,
 * brief elements are made of these copies. Their offsets count from the start
 * of the arena.
 */

#include "bucket/kind.h"

extern const struct kind kind_moved;

#endif
