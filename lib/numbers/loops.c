#include "numbers/loops.h"

const struct loops *
loops_best(void)
{
	const struct loops *l = loops_avx512();

	if (l == NULL)
		l = loops_avx2();
	return l != NULL ? l : &loops_plain;
}
