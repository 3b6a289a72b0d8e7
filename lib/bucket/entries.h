#ifndef HP_BUCKET_ENTRIES_H
#define HP_BUCKET_ENTRIES_H

/*
 * Entries: the kind of elements that works for any order and any record. An
 * entry is 8 bytes of the key and a place (entry.h): the address and length of
 * the record, or of the key built from it.
 */

#include "bucket/kind.h"

extern const struct kind kind_entries;

#endif
