#include "kernel/kernel.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/processor.h"
#include "kernel/vector.h"

#define VECTORS AVX2_FUNCTION
#define VECTORS_INLINE static inline VECTORS __attribute__((always_inline))

typedef __m256i vec;

/*
 * Returns a vector in which the lanes that are set in the mask have all bits
 * set.
 */
VECTORS_INLINE vec
lanes_4(unsigned mask)
{
	vec bit = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);

	return _mm256_cmpeq_epi32(
	    _mm256_and_si256(_mm256_set1_epi32((int)mask), bit), bit);
}

/*
 * The vector operations for numbers of 4 bytes, with 8 lanes per register.
 * There are none for 8 bytes: AVX2 has only 4 such lanes and no unsigned
 * comparison, so a radix sort in plain C is faster.
 */

VECTORS_INLINE unsigned
mask_4(vec v)
{
	return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

/* Returns the lanes in which a < b, compared as unsigned numbers. */
VECTORS_INLINE vec
less_4(vec a, vec b)
{
	vec sign = _mm256_set1_epi32(INT32_MIN);

	return _mm256_cmpgt_epi32(
	    _mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign));
}

VECTORS_INLINE vec
front_lanes_4(unsigned mask, vec v)
{
	return _mm256_permutevar8x32_epi32(
	    v, _mm256_load_si256((const void *)front[mask]));
}

#define NAME(x) x##_4
#define ELEMENT uint32_t
#define LANES 8
#define ALL(x) _mm256_set1_epi32((int)(x))
#define LOAD(fill, mask, p)                                          \
	_mm256_blendv_epi8(fill,                                     \
	    _mm256_maskload_epi32((const void *)(p), lanes_4(mask)), \
	    lanes_4(mask))
#define STORE(p, mask, v) _mm256_maskstore_epi32((void *)(p), lanes_4(mask), v)
#define LESS(mask, a, b) ((mask)&mask_4(less_4(a, b)))
#define PACK(mask, v) front_lanes_4(mask, v)

VECTORS_INLINE void
order_4(vec *a, vec *b)
{
	vec x = *a;

	*a = _mm256_min_epu32(x, *b);
	*b = _mm256_max_epu32(x, *b);
}

VECTORS_INLINE vec
hold_4(vec v, vec s, unsigned high)
{
	return _mm256_blendv_epi8(
	    _mm256_min_epu32(v, s), _mm256_max_epu32(v, s), lanes_4(high));
}

VECTORS_INLINE vec
reverse_4(vec v)
{
	return _mm256_permutevar8x32_epi32(
	    v, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

VECTORS_INLINE vec
settle_half_4(vec v)
{
	v = hold_4(v, _mm256_shuffle_epi32(v, 0x4e), 0xcc);
	return hold_4(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
}

VECTORS_INLINE vec
settle_4(vec v)
{
	v = hold_4(v, _mm256_permute4x64_epi64(v, 0x4e), 0xf0);
	return settle_half_4(v);
}

VECTORS_INLINE vec
sort_lanes_4(vec v)
{
	v = hold_4(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
	v = hold_4(v, _mm256_shuffle_epi32(v, 0x1b), 0xcc);
	v = hold_4(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
	v = hold_4(v, reverse_4(v), 0xf0);
	return settle_half_4(v);
}

/* Transposes 16 rows into 8 columns. Each column fills two registers. */
VECTORS_INLINE void
transpose_4(vec *v)
{
	vec w[REGISTERS];

	for (unsigned g = 0; g < REGISTERS; g += 8) {
		vec a[8], b[8];

		UNROLLED
		for (unsigned i = 0; i < 8; i += 2) {
			a[i] = _mm256_unpacklo_epi32(v[g + i], v[g + i + 1]);
			a[i + 1] = _mm256_unpackhi_epi32(
			    v[g + i], v[g + i + 1]);
		}
		/*
		 * Now b[4 * i + c] holds rows 4i to 4i + 3 of columns c and c +
		 * 4.
		 */
		UNROLLED
		for (unsigned i = 0; i < 8; i += 4)
			for (unsigned p = 0; p < 2; p++) {
				vec x = a[i + p], y = a[i + p + 2];

				b[i + 2 * p] = _mm256_unpacklo_epi64(x, y);
				b[i + 2 * p + 1] = _mm256_unpackhi_epi64(x, y);
			}
		UNROLLED
		for (unsigned c = 0; c < 4; c++) {
			vec x = b[c], y = b[4 + c];

			w[2 * c + g / 8] = _mm256_permute2x128_si256(
			    x, y, 0x20);
			w[8 + 2 * c + g / 8] = _mm256_permute2x128_si256(
			    x, y, 0x31);
		}
	}
	UNROLLED
	for (unsigned i = 0; i < REGISTERS; i++)
		v[i] = w[i];
}

VECTORS_INLINE size_t
divide_lanes_4(const uint32_t *from, vec pivot, uint32_t *left, uint32_t *right)
{
	vec v = _mm256_loadu_si256((const void *)from);
	unsigned mask = mask_4(less_4(v, pivot));

	v = front_lanes_4(mask, v);
	_mm256_storeu_si256((void *)left, v);
	_mm256_storeu_si256((void *)right, v);
	return (size_t)__builtin_popcount(mask);
}

#include "kernel/vector.inc"

static struct kernel avx2;

static void
fill_kernel(void)
{
	fill_front();
	avx2 = kernel_plain;
	avx2.sort_4 = sort_4;
}

const struct kernel *
kernel_avx2(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!processor_has_avx2())
		return NULL;
	pthread_once(&once, fill_kernel);
	return &avx2;
}

#else

const struct kernel *
kernel_avx2(void)
{
	return NULL;
}

#endif
