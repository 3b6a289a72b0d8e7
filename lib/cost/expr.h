#ifndef HP_COST_EXPR_H
#define HP_COST_EXPR_H

/*
 * An arithmetic expression in n, evaluated by the library muparser. It may
 * contain numbers, n, + - * / ^, parentheses, comparisons with ?:, and the
 * functions log (natural) ln log2 log10 exp sqrt pow abs min max.
 */

#include "base/err.h"

struct expr;

/* Parses an expression. Fails with HP_USAGE and the message of muparser. */
struct expr *expr_new(const char *, struct hp_err *);
/* Frees the expression. NULL is allowed. */
void expr_free(struct expr *);
/*
 * Returns the value at n, or NAN if there is none. Only one thread at a time
 * may use the expression, because n is stored in it.
 */
double expr_at(struct expr *, double n);

#endif
