#ifndef HP_COST_EXPR_H
#define HP_COST_EXPR_H

/*
 * An expression in n, parsed and evaluated by muparser: numbers, n, + - * / ^,
 * parentheses, comparisons with ?:, and the functions log (natural) ln log2
 * log10 exp sqrt pow abs min max.
 */

#include "base/err.h"

struct expr;

/* Parses an expression. Fails with HP_USAGE and muparser's message. */
struct expr *expr_new(const char *, struct hp_err *);
/* Frees the expression. NULL is allowed. */
void expr_free(struct expr *);
/*
 * Returns the value at n, or NAN. Stores n in the expression, so only one
 * thread may use it at a time.
 */
double expr_at(struct expr *, double n);

#endif
