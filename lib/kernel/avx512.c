#include "kernel/kernel.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/processor.h"
#include "kernel/vector.h"

#define VECTORS AVX512_FUNCTION
#define VECTORS_INLINE static inline VECTORS __attribute__((always_inline))

typedef __m512i vec;

/* The vector operations for numbers of 8 bytes, with 8 lanes per register. */

#define NAME(x) x##_8
#define ELEMENT uint64_t
#define LANES 8
#define ALL(x) _mm512_set1_epi64((long long)(x))
#define LOAD(fill, mask, p) _mm512_mask_loadu_epi64(fill, (__mmask8)(mask), p)
#define STORE(p, mask, v) _mm512_mask_storeu_epi64(p, (__mmask8)(mask), v)
#define LESS(mask, a, b) _mm512_mask_cmplt_epu64_mask((__mmask8)(mask), a, b)
#define PACK(mask, v) _mm512_maskz_compress_epi64((__mmask8)(mask), v)

VECTORS_INLINE void
order_8(vec *a, vec *b)
{
	__mmask8 k = _mm512_cmplt_epu64_mask(*b, *a);
	vec x = *a;

	*a = _mm512_mask_blend_epi64(k, x, *b);
	*b = _mm512_mask_blend_epi64(k, *b, x);
}

/*
 * Compares each lane of v with the same lane of s. The lanes that are set in
 * the mask `high` get the greater number, all others the smaller one.
 */
VECTORS_INLINE vec
hold_8(vec v, vec s, __mmask8 high)
{
	__mmask8 k = _mm512_cmplt_epu64_mask(v, s);

	return _mm512_mask_blend_epi64(_kxor_mask8(k, high), s, v);
}

VECTORS_INLINE vec
reverse_8(vec v)
{
	return _mm512_permutexvar_epi64(
	    _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), v);
}

/*
 * Runs the last stages of a bitonic sorting network. They compare lanes of the
 * same register.
 */
VECTORS_INLINE vec
settle_8(vec v)
{
	v = hold_8(v, _mm512_shuffle_i64x2(v, v, 0x4e), 0xf0);
	v = hold_8(v, _mm512_permutex_epi64(v, 0x4e), 0xcc);
	return hold_8(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
}

VECTORS_INLINE vec
sort_lanes_8(vec v)
{
	v = hold_8(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
	v = hold_8(v, _mm512_permutex_epi64(v, 0x1b), 0xcc);
	v = hold_8(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
	v = hold_8(v, reverse_8(v), 0xf0);
	v = hold_8(v, _mm512_permutex_epi64(v, 0x4e), 0xcc);
	return hold_8(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
}

VECTORS_INLINE void
transpose_8x8(vec *v)
{
	vec a[8], b[8];

	UNROLLED
	for (unsigned i = 0; i < 8; i += 2) {
		a[i] = _mm512_unpacklo_epi64(v[i], v[i + 1]);
		a[i + 1] = _mm512_unpackhi_epi64(v[i], v[i + 1]);
	}
	UNROLLED
	for (unsigned i = 0; i < 8; i += 4)
		for (unsigned p = i; p < i + 2; p++) {
			b[p] = _mm512_shuffle_i64x2(a[p], a[p + 2], 0x88);
			b[p + 2] = _mm512_shuffle_i64x2(a[p], a[p + 2], 0xdd);
		}
	UNROLLED
	for (unsigned i = 0; i < 4; i++) {
		v[i] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0x88);
		v[i + 4] = _mm512_shuffle_i64x2(b[i], b[i + 4], 0xdd);
	}
}

/* Transposes 16 rows into 8 columns. Each column fills two registers. */
VECTORS_INLINE void
transpose_8(vec *v)
{
	vec w[REGISTERS];

	UNROLLED
	for (unsigned i = 0; i < REGISTERS; i++)
		w[i] = v[i];
	transpose_8x8(w);
	transpose_8x8(w + 8);
	UNROLLED
	for (unsigned i = 0; i < 8; i++) {
		v[2 * i] = w[i];
		v[2 * i + 1] = w[8 + i];
	}
}

/*
 * Partitions the 8 numbers at `from`: first those below the pivot, then the
 * others. Stores all 8 both at `left` and at `right`. Returns how many are
 * below the pivot. The caller advances `left` by this count, and moves `right`
 * back by the count of the others.
 */
VECTORS_INLINE size_t
divide_lanes_8(const uint64_t *from, vec pivot, uint64_t *left, uint64_t *right)
{
	vec v = _mm512_loadu_si512(from);
	unsigned mask = _mm512_cmplt_epu64_mask(v, pivot);

	v = _mm512_permutexvar_epi64(
	    _mm512_cvtepu32_epi64(_mm256_load_si256((const void *)front[mask])),
	    v);
	_mm512_storeu_si512(left, v);
	_mm512_storeu_si512(right, v);
	return (size_t)__builtin_popcount(mask);
}

#include "kernel/vector.inc"

/* The vector operations for numbers of 4 bytes, with 16 lanes per register. */

#define NAME(x) x##_4
#define ELEMENT uint32_t
#define LANES 16
#define ALL(x) _mm512_set1_epi32((int)(x))
#define LOAD(fill, mask, p) _mm512_mask_loadu_epi32(fill, (__mmask16)(mask), p)
#define STORE(p, mask, v) _mm512_mask_storeu_epi32(p, (__mmask16)(mask), v)
#define LESS(mask, a, b) _mm512_mask_cmplt_epu32_mask((__mmask16)(mask), a, b)
#define PACK(mask, v) _mm512_maskz_compress_epi32((__mmask16)(mask), v)

VECTORS_INLINE void
order_4(vec *a, vec *b)
{
	vec x = *a;

	*a = _mm512_min_epu32(x, *b);
	*b = _mm512_max_epu32(x, *b);
}

VECTORS_INLINE vec
hold_4(vec v, vec s, __mmask16 high)
{
	return _mm512_mask_max_epu32(_mm512_min_epu32(v, s), high, v, s);
}

VECTORS_INLINE vec
reverse_4(vec v)
{
	return _mm512_permutexvar_epi32(_mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7,
					    8, 9, 10, 11, 12, 13, 14, 15),
	    v);
}

/*
 * Runs the last three stages of a bitonic sorting network. They compare lanes
 * of the same group of 8 lanes.
 */
VECTORS_INLINE vec
settle_half_4(vec v)
{
	v = hold_4(v, _mm512_shuffle_i64x2(v, v, 0xb1), 0xf0f0);
	v = hold_4(v, _mm512_shuffle_epi32(v, 0x4e), 0xcccc);
	return hold_4(v, _mm512_shuffle_epi32(v, 0xb1), 0xaaaa);
}

VECTORS_INLINE vec
settle_4(vec v)
{
	v = hold_4(v, _mm512_shuffle_i64x2(v, v, 0x4e), 0xff00);
	return settle_half_4(v);
}

VECTORS_INLINE vec
sort_lanes_4(vec v)
{
	v = hold_4(v, _mm512_shuffle_epi32(v, 0xb1), 0xaaaa);
	v = hold_4(v, _mm512_shuffle_epi32(v, 0x1b), 0xcccc);
	v = hold_4(v, _mm512_shuffle_epi32(v, 0xb1), 0xaaaa);
	v = hold_4(v,
	    _mm512_shuffle_epi32(_mm512_shuffle_i64x2(v, v, 0xb1), 0x1b),
	    0xf0f0);
	v = hold_4(v, _mm512_shuffle_epi32(v, 0x4e), 0xcccc);
	v = hold_4(v, _mm512_shuffle_epi32(v, 0xb1), 0xaaaa);
	v = hold_4(v, reverse_4(v), 0xff00);
	return settle_half_4(v);
}

/* Transposes 16 rows into 16 columns. */
VECTORS_INLINE void
transpose_4(vec *v)
{
	vec a[16], b[16];

	UNROLLED
	for (unsigned i = 0; i < 16; i += 2) {
		a[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
		a[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
	}
	UNROLLED
	for (unsigned i = 0; i < 16; i += 4)
		for (unsigned p = 0; p < 2; p++) {
			vec x = a[i + p], y = a[i + p + 2];

			b[i + 2 * p] = _mm512_unpacklo_epi64(x, y);
			b[i + 2 * p + 1] = _mm512_unpackhi_epi64(x, y);
		}
	/*
	 * Now b[4i + c] holds rows 4i to 4i + 3 of columns c, c + 4, c + 8 and
	 * c + 12.
	 */
	UNROLLED
	for (unsigned k = 0; k < 8; k++) {
		unsigned i = k / 4 * 8 + k % 4;
		vec x = b[i], y = b[i + 4];

		a[i] = _mm512_shuffle_i32x4(x, y, 0x88);
		a[i + 4] = _mm512_shuffle_i32x4(x, y, 0xdd);
	}
	UNROLLED
	for (unsigned c = 0; c < 8; c++) {
		v[c] = _mm512_shuffle_i32x4(a[c], a[8 + c], 0x88);
		v[8 + c] = _mm512_shuffle_i32x4(a[c], a[8 + c], 0xdd);
	}
}

/*
 * Works like divide_lanes_8 for 16 lanes, but uses compress instructions: a
 * table with a permutation for each of the 2^16 masks would be too large.
 */
VECTORS_INLINE size_t
divide_lanes_4(const uint32_t *from, vec pivot, uint32_t *left, uint32_t *right)
{
	vec v = _mm512_loadu_si512(from), lane, high;
	__mmask16 mask = _mm512_cmplt_epu32_mask(v, pivot);
	unsigned k = (unsigned)__builtin_popcount(mask);

	lane = _mm512_set_epi32(
	    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	lane = _mm512_sub_epi32(lane, _mm512_set1_epi32((int)k));
	high = _mm512_maskz_compress_epi32(_knot_mask16(mask), v);
	high = _mm512_permutexvar_epi32(lane, high);
	v = _mm512_mask_compress_epi32(high, mask, v);
	_mm512_storeu_si512(left, v);
	_mm512_storeu_si512(right, v);
	return k;
}

#include "kernel/vector.inc"

static const struct kernel avx512 = { sort_8, sort_4 };

const struct kernel *
kernel_avx512(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!processor_has_avx512())
		return NULL;
	pthread_once(&once, fill_front);
	return &avx512;
}

#else

const struct kernel *
kernel_avx512(void)
{
	return NULL;
}

#endif
