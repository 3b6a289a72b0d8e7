#ifndef HP_BUCKET_BRIEFS_H
#define HP_BUCKET_BRIEFS_H

/*
 * The kind of elements for records whose keys lie in themselves: one number of
 * 8 bytes, made of the key and the record's distance from an address (brief.h).
 * The numbers are sorted first; records whose numbers agree in the bits of the
 * key are then sorted as entries.
 */

#include <stddef.h>
#include <stdint.h>

#include "bucket/engine.h"
#include "bucket/kind.h"
#include "bucket/loader.h"
#include "kernel/entry.h"

enum {
	OFF_BITS_MOST = 40 /* of the distance; the key has the others */
};

extern const struct kind kind_briefs;

/* Fills up to `room` brief elements of the bucket; returns how many. */
typedef size_t briefs_loader(struct loader *, uint64_t *, size_t room);

/* As kind.load and kind.sort, by the elements that `load` makes. */
size_t
briefs_load(struct loader *, struct entry *, size_t room, briefs_loader *load);
size_t
briefs_sort(struct loader *, struct entry *, size_t room, briefs_loader *load);

/*
 * Bytes of the input's memory that stay free for dividing buckets.  Each part
 * of a bucket wastes half a chunk in each list and has structs of its own.
 * record: bytes of the input for an element.
 */
size_t briefs_kept(const struct buckets *, size_t record);

/* Bits for distances below n. */
static inline unsigned
briefs_off_bits(size_t n)
{
	return 64 - (unsigned)__builtin_clzll(n);
}

/* The distance of a record from the base. */
static inline uint64_t
briefs_off(const struct buckets *b, const void *record)
{
	return (uint64_t)((uintptr_t)record - (uintptr_t)b->base);
}

#endif
