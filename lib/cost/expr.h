#ifndef HP_COST_EXPR_H
#define HP_COST_EXPR_H

/*
 * An expression in n, read and evaluated by muparser: numbers, n, + - * / ^,
 * parentheses, comparisons with ?:, and the functions log (natural) ln log2
 * log10 exp sqrt pow abs min max.
 */

#include "base/err.h"

struct expr;

/* HP_USAGE with muparser's words. */
struct expr *expr_new(const char *, struct hp_err *);
/* Harmless on NULL. */
void expr_free(struct expr *);
/* Its value, or nan.  The expression remembers n: one thread at a time. */
double expr_at(struct expr *, double n);

#endif
