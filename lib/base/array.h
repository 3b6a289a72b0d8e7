#ifndef HP_BASE_ARRAY_H
#define HP_BASE_ARRAY_H

/*
 * Arrays that grow by one element at a time.  They begin with NULL and *cap 0.
 */

#include <stddef.h>

/* Twice the room, *cap; NULL without memory, and the array is as it was. */
void *array_grow(void *, size_t *cap, size_t size);

/* Room behind n elements of so many bytes: the array, or where it is now. */
static inline void *
array_room(void *array, size_t n, size_t *cap, size_t size)
{
	return n < *cap ? array : array_grow(array, cap, size);
}

#endif
