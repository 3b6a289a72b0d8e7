#ifndef HP_CMD_COSTS_H
#define HP_CMD_COSTS_H

/* Parses option arguments that are cost functions, such as "n*log(n)". */

#include "cost/cost.h"
#include "options.h"

/*
 * Stores the text of a cost function in *to, a const char *.  Fails if
 * cost_parse rejects the text.
 */
static inline int
set_cost(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct cost cost = { 0 };
	int rc = cost_parse(arg, &cost, e);

	cost_fini(&cost);
	return rc == 0 ? set_text(to, letter, arg, e) : -1;
}

#endif
