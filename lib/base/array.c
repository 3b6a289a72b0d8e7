#include <stdlib.h>

#include "base/array.h"

void *
array_grow(void *array, size_t *cap, size_t size)
{
	size_t more = *cap == 0 ? 16 : 2 * *cap;
	void *grown = reallocarray(array, more, size);

	if (grown != NULL)
		*cap = more;
	return grown;
}
