#include <string.h>

#include "numbers/cells.h"
#include "numbers/loops.h"
#include "numbers/number.h"

#define KERNEL
#define PUT_LINE scatter_line
#include "numbers/loops.inc"

const struct loops loops_plain = { keys, restore, rising, cells_place, put_8,
	put_4 };
