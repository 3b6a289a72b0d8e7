#ifndef HP_BUCKET_ENTRIES_H
#define HP_BUCKET_ENTRIES_H

/*
 * Elements of 16 bytes, for any order and any record: 8 bytes of the key, and
 * the address and length of the record or of the key built from it (struct
 * entry).
 */

#include "bucket/kind.h"

extern const struct kind kind_entries;

#endif
