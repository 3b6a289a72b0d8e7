#ifndef HP_BUCKET_BRIEFS_H
#define HP_BUCKET_BRIEFS_H

/*
 * Brief elements, for records that contain their keys. An element is a number
 * of 8 bytes: bits of the key, then the record's offset from a base address
 * (brief.h). The numbers are sorted first. Records that agree in these key bits
 * are then sorted as entries.
 */

#include <stddef.h>
#include <stdint.h>

#include "bucket/engine.h"
#include "bucket/kind.h"
#include "bucket/loader.h"
#include "kernel/entry.h"

enum {
	/* most bits for the offset; the rest is for the key */
	OFF_BITS_MOST = 40
};

extern const struct kind kind_briefs;

/* Stores up to `room` brief elements of the bucket. Returns their number. */
typedef size_t briefs_loader(struct loader *, uint64_t *, size_t room);

/* Implement kind.load and kind.sort with the elements that `load` makes. */
size_t
briefs_load(struct loader *, struct entry *, size_t room, briefs_loader *load);
size_t
briefs_sort(struct loader *, struct entry *, size_t room, briefs_loader *load);

/*
 * Returns how many bytes of the memory must stay free to divide buckets. Each
 * part of a bucket wastes half a chunk per list and has structs of its own.
 * record: bytes of input per element.
 */
size_t briefs_kept(const struct buckets *, size_t record);

/* Returns the number of bits for offsets up to n. */
static inline unsigned
briefs_off_bits(size_t n)
{
	return 64 - (unsigned)__builtin_clzll(n);
}

/* Returns the offset of a record from the base address. */
static inline uint64_t
briefs_off(const struct buckets *b, const void *record)
{
	return (uint64_t)((uintptr_t)record - (uintptr_t)b->base);
}

#endif
