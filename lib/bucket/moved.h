#ifndef HP_BUCKET_MOVED_H
#define HP_BUCKET_MOVED_H

/*
 * The kind of elements for short records of one size: the records themselves,
 * copied to the chunks of their bucket.  To sort a bucket, brief elements for
 * these copies are made, whose distances are from the start of the arena.
 */

#include "bucket/kind.h"

extern const struct kind kind_moved;

#endif
