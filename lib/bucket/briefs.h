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
	 * Maximum number of bits for the record's offset. An element is a
	 * 64-bit number: key bits above the offset of the record.
	 */
	OFF_BITS_MOST = 40
};

extern const struct kind kind_briefs;

/*
 * Stores up to `room` elements of the bucket as brief elements, numbers made of
 * key bits and the record's offset. Returns how many it stored.
 */
typedef size_t briefs_loader(struct loader *, uint64_t *, size_t room);

/*
 * The functions `load` and `sort` of struct kind (kind.h) for elements that are
 * not sorted directly. For each such element, briefs_load makes a brief
 * element: an 8-byte number of key bits and the record's offset. The brief
 * elements are sorted instead.
 */
size_t
briefs_load(struct loader *, struct entry *, size_t room, briefs_loader *load);
size_t
briefs_sort(struct loader *, struct entry *, size_t room, briefs_loader *load);

/*
 * Returns how many bytes of memory the division of large buckets needs. Each
 * new bucket needs its structs. Each of its lists also wastes half a chunk
 * (memory block) on average. `record` is the number of input bytes per element.
 */
size_t briefs_kept(const struct buckets *, size_t record);

/* Returns how many bits an offset up to n needs. */
static inline unsigned
briefs_off_bits(size_t n)
{
	return 64 - (unsigned)__builtin_clzll(n);
}

/*
 * Returns the record's offset from b->base, the address at which all offsets
 * begin.
 */
static inline uint64_t
briefs_off(const struct buckets *b, const void *record)
{
	return (uint64_t)((uintptr_t)record - (uintptr_t)b->base);
}

#endif
