#include <stdbool.h>
#include <string.h>

#include "numbers/cells.h"
#include "numbers/loops.h"
#include "numbers/number.h"

#ifdef __x86_64__

#include <immintrin.h>

#include "kernel/processor.h"

#define VECTORS AVX512_FUNCTION
#define VECTORS_INLINE static inline VECTORS __attribute__((always_inline))

typedef __m512i vec;

/* Returns the buckets of 8 keys, as cells_find does for one key. */
VECTORS_INLINE __m256i
place_lanes(const struct cells *s, vec key, bool heavy)
{
	vec low = _mm512_set1_epi64((long long)s->grid.low);
	vec last = _mm512_set1_epi64((long long)s->grid.cells - 1);
	vec one = _mm512_set1_epi64(1), value, at, b;

	at = _mm512_sub_epi64(_mm512_max_epu64(key, low), low);
	at = _mm512_srl_epi64(at, _mm_cvtsi32_si128((int)s->grid.shift));
	at = _mm512_min_epu64(at, last);
	b = _mm512_i64gather_epi64(at, s->cell, sizeof *s->cell);
	b = _mm512_and_si512(b, _mm512_set1_epi64(UINT16_MAX));
	if (!heavy)
		return _mm512_cvtepi64_epi32(b);
	value = _mm512_i64gather_epi64(b, s->value, sizeof *s->value);
	b = _mm512_mask_add_epi64(
	    b, _mm512_cmpge_epu64_mask(key, value), b, one);
	b = _mm512_mask_add_epi64(
	    b, _mm512_cmpgt_epu64_mask(key, value), b, one);
	return _mm512_cvtepi64_epi32(b);
}

VECTORS_INLINE void
place_all(const struct cells *s, const uint64_t *key, uint32_t *bucket,
    size_t n, bool heavy)
{
	size_t i;

	for (i = 0; i + 8 <= n; i += 8)
		_mm256_storeu_si256((void *)(bucket + i),
		    place_lanes(s, _mm512_loadu_si512(key + i), heavy));
	for (; i < n; i++)
		bucket[i] = (uint32_t)cells_find(s, key[i]);
}

static VECTORS void
place(const struct cells *s, const uint64_t *key, uint32_t *bucket, size_t n)
{
	if (s->heavy)
		place_all(s, key, bucket, n, true);
	else
		place_all(s, key, bucket, n, false);
}

/* Like scatter_line, with wider stores. */
static VECTORS int
put_line(struct scatter *to, size_t b)
{
	unsigned char *at;

	if (to->equal[b])
		return 0;
	if ((at = scatter_room(to, b)) == NULL)
		return -1;
	for (size_t i = 0; i < LINE; i += sizeof(vec))
		_mm512_stream_si512((void *)(at + i),
		    _mm512_load_si512(to->line + b * LINE + i));
	return 0;
}

#define KERNEL VECTORS
#define PUT_LINE put_line
#include "numbers/loops.inc"

static const struct loops avx512 = { keys, restore, rising, place, put_8,
	put_4 };

const struct loops *
loops_avx512(void)
{
	return processor_has_avx512() ? &avx512 : NULL;
}

#else

const struct loops *
loops_avx512(void)
{
	return NULL;
}

#endif
