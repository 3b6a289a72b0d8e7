#include <stdbool.h>
#include <string.h>

#include "numbers/cells.h"
#include "numbers/loops.h"
#include "numbers/number.h"

#ifdef __x86_64__

#include "kernel/processor.h"

#define KERNEL AVX2_FUNCTION
#define PUT_LINE scatter_line
#include "numbers/loops.inc"

static const struct loops avx2 = { keys, restore, rising, cells_place, put_8,
	put_4 };

const struct loops *
loops_avx2(void)
{
	return processor_has_avx2() ? &avx2 : NULL;
}

#else

const struct loops *
loops_avx2(void)
{
	return NULL;
}

#endif
