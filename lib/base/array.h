#ifndef HP_BASE_ARRAY_H
#define HP_BASE_ARRAY_H

/*
 * Arrays that grow when elements are added. An empty array is NULL and has a
 * capacity of 0.
 *
 *	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
 *		return hp_fail(e, HP_NOMEM, "list");
 *	l->v[l->n++] = element;
 */

#include <stddef.h>

/*
 * Doubles the capacity *cap, counted in elements of `size` bytes, of the array
 * whose address is at `array`. Returns -1 if memory is short; the array is then
 * unchanged.
 */
int array_grow(void *array, size_t *cap, size_t size);

/*
 * Makes sure that the array, a pointer, has room for an element with index n.
 * The array may move. Returns -1 if memory is short; the array is then
 * unchanged.
 */
#define ARRAY_ROOM(array, n, cap) \
	((n) < (cap) ? 0 : array_grow(&(array), &(cap), sizeof *(array)))

#endif
