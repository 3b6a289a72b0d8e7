#ifndef HP_BUCKET_MOVED_H
#define HP_BUCKET_MOVED_H

/*
 * Elements that are copies of short binary records. Copying the records to
 * their bucket brings them into the processor cache together. A bucket is
 * sorted by numbers of 8 bytes (brief elements), which contain key bits and the
 * offset of the copy in memory.
 */

#include "bucket/kind.h"

extern const struct kind kind_moved;

#endif
