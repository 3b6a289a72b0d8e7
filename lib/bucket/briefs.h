#ifndef HP_BUCKET_BRIEFS_H
#define HP_BUCKET_BRIEFS_H

/*
 * Brief elements: one number of 8 bytes per record. The high bits are bits of
 * the key. The low bits are the record's offset from a base address (brief.h).
 * Sorting these numbers sorts the records by their key bits. Records that agree
 * in these bits are then compared by the rest of their keys. This works for
 * records that contain their keys.
 */

#include <stddef.h>
#include <stdint.h>

#include "bucket/engine.h"
#include "bucket/kind.h"
#include "bucket/loader.h"
#include "kernel/entry.h"

enum {
	/*
	 * maximum number of bits for the offset; the other bits are for the key
	 */
	OFF_BITS_MOST = 40
};

extern const struct kind kind_briefs;

/* Stores up to `room` brief elements of the bucket. Returns their number. */
typedef size_t briefs_loader(struct loader *, uint64_t *, size_t room);

/*
 * The functions load and sort of struct kind (kind.h), for kinds whose elements
 * become brief elements first. The argument `load` makes the brief elements.
 */
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
