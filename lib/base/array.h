#ifndef HP_BASE_ARRAY_H
#define HP_BASE_ARRAY_H

/*
 * Arrays that grow when elements are added. An empty array is NULL and has a
 * capacity *cap of 0.
 */

#include <stddef.h>

/*
 * Doubles the capacity *cap, counted in elements of `size` bytes. Returns the
 * new array. Returns NULL if memory is short; the old array is then unchanged.
 */
void *array_grow(void *, size_t *cap, size_t size);

/*
 * Makes sure that the array has room for an element with index n. Returns the
 * array, whose address may have changed. Returns NULL if memory is short; the
 * old array is then unchanged.
 */
static inline void *
array_room(void *array, size_t n, size_t *cap, size_t size)
{
	return n < *cap ? array : array_grow(array, cap, size);
}

#endif
