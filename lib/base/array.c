#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int
array_grow(void *array, size_t *cap, size_t size)
{
	size_t more = *cap == 0 ? 16 : 2 * *cap;
	void *v;

	memcpy(&v, array, sizeof v);
	if ((v = reallocarray(v, more, size)) == NULL)
		return -1;
	memcpy(array, &v, sizeof v);
	*cap = more;
	return 0;
}
