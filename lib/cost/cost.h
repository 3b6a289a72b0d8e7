#ifndef HP_COST_COST_H
#define HP_COST_COST_H

/*
 * A cost function f(n): the work in n items, which a relative speed divides.
 * The closed forms have exact inverses; any other expression in n is evaluated
 * as it is written.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum cost_kind {
	COST_LINEAR,  /* n */
	COST_NLOGN,   /* n log n */
	COST_POWER,   /* n^exponent */
	COST_LEARNED, /* affine from (0, 0) through what is known: learned.h */
	COST_EXPR     /* anything else that muparser reads */
};

struct known {
	double n, cost;
};

struct expr;

struct cost {
	enum cost_kind kind;
	int base;	     /* of COST_NLOGN: 2, 10, or 0 for e */
	double exponent;     /* of COST_POWER, above 0 */
	struct known *known; /* of COST_LEARNED, at least 1, n increasing */
	size_t nknown;
	struct expr *expr;
	char *text; /* as it was written, without blanks */
};

#define COST_DEFAULT "n*log(n)"

/* HP_USAGE for what cannot be read. */
int cost_parse(const char *, struct cost *, struct hp_err *);
/* Harmless on a zeroed struct. */
void cost_fini(struct cost *);

/* f(n) for n >= 1; infinite where an expression has no value. */
long double cost_at(const struct cost *, double n);
/* The same to 14 digits at a fraction of the time; nan where it is not. */
double cost_about(const struct cost *, double n);

/*
 * Does f rise, or stay the same, from 1 to most items?  The closed forms do. An
 * expression is known to if interval arithmetic shows it (bounds.h), or if
 * `most` is so small that all sizes can be evaluated.  Else *rises is false.
 * HP_USAGE, with the place, where f is seen to fall, or is negative or not a
 * number.
 *
 * To rise means here that f is nowhere less than COST_LEVEL times what it is at
 * a smaller size: the evaluation in doubles is not exact.
 */
#define COST_LEVEL (1 - 1e-11)
int cost_check(const struct cost *, double most, bool *rises, struct hp_err *);
/* HP_USAGE where f is seen to fall next to n: where a share was cut. */
int cost_check_at(const struct cost *, double n, struct hp_err *);

/*
 * The real x with f(x) = y, at least the x where f begins (1 for n log n), and
 * its derivative by y if slope is not NULL.  Not for COST_EXPR.
 */
double cost_inverse(const struct cost *, double y, double *slope);

/*
 * x/W(x), W being Lambert's: the n with n ln n = x, to the last bits of a
 * double.  g(0) = 1.
 */
double cost_lambert(double x);

#endif
