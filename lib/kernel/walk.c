/*
 * Finds the buckets of many strings in a tree. Eight strings descend the tree
 * at the same time, one step each in turn. So the processor works on other
 * strings while it waits for the memory of one. No branch depends on how deep a
 * string descends.
 */
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/walk.h"

enum {
	LANES = 8
};

static inline unsigned
below_plain(const struct step *s, uint64_t key)
{
	unsigned k = 0;

#pragma GCC unroll 8
	for (unsigned i = 0; i < STEP_WAYS - 1; i++)
		k += key > s->most[i];
	return k;
}

#define WALK_NAME walk_plain
#define WALK_ATTRIBUTE
#define WALK_LOAD(s, at) span_load(s, at, false)
#define WALK_BELOW below_plain
#define WALK_AGREE(s, path, n) ((n) == 0 || memcmp(s, path, n) == 0)
#include "kernel/walk.h"
#include "kernel/walk.inc"

#ifdef __x86_64__

#include <immintrin.h>

#define VECTORS         \
	__attribute__(( \
	    target("avx512f,avx512vl,avx512bw,avx512dq,bmi,bmi2,popcnt")))
#define VECTORS_INLINE static inline VECTORS __attribute__((always_inline))

/*
 * The mask limits the load to the bytes of the string, so no memory behind its
 * end is read.
 */
VECTORS_INLINE uint64_t
load_vector(struct span s, size_t at)
{
	size_t n = s.len > at ? s.len - at : 0;
	__mmask16 in = (__mmask16)_bzhi_u32(0xff, n < 8 ? (unsigned)n : 8);

	return __builtin_bswap64(
	    (uint64_t)_mm_cvtsi128_si64(_mm_maskz_loadu_epi8(in, s.at + at)));
}

VECTORS_INLINE unsigned
below_vector(const struct step *s, uint64_t key)
{
	__m512i most = _mm512_loadu_si512(s->most);
	__m512i all = _mm512_set1_epi64((long long)key);

	return (unsigned)_mm_popcnt_u32(_mm512_cmplt_epu64_mask(most, all));
}

VECTORS_INLINE bool
agree_vector(const unsigned char *s, const unsigned char *path, size_t n)
{
	__mmask64 in, unlike = 0;

	for (size_t i = 0; i < n; i += 64) {
		in = _bzhi_u64(UINT64_MAX, n - i < 64 ? (unsigned)(n - i) : 64);
		unlike |= _mm512_cmpneq_epu8_mask(
		    _mm512_maskz_loadu_epi8(in, s + i),
		    _mm512_maskz_loadu_epi8(in, path + i));
	}
	return unlike == 0;
}

#define WALK_NAME walk_vector
#define WALK_ATTRIBUTE VECTORS
#define WALK_LOAD load_vector
#define WALK_BELOW below_vector
#define WALK_AGREE agree_vector
#include "kernel/walk.inc"

#else
#define walk_vector walk_plain
#endif

void
tree_find_many(
    const struct tree *t, const struct span *s, size_t n, uint16_t *to)
{
	if (t->vectors)
		walk_vector(t, s, n, to);
	else
		walk_plain(t, s, n, to);
}
