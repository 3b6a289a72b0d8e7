#ifndef HP_COST_COST_H
#define HP_COST_COST_H

/*
 * A cost function f(n): the work that n items cause. The time of a node is this
 * work divided by the node's relative speed. Costs such as n log n have an
 * exact inverse. Any other expression in n is evaluated numerically.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum cost_kind {
	COST_LINEAR, /* n */
	COST_NLOGN,  /* n log n */
	COST_POWER,  /* n^exponent */
	/* linear between known points, beginning at (0, 0); see learned.h */
	COST_LEARNED,
	COST_EXPR /* any other expression that muparser accepts */
};

struct known {
	double n, cost;
};

struct expr;

struct cost {
	enum cost_kind kind;
	int base; /* base of the logarithm in COST_NLOGN: 2, 10, or 0 for e */
	double exponent; /* exponent of COST_POWER, above 0 */
	/* COST_LEARNED: at least one known point, sorted by increasing n */
	struct known *known;
	size_t nknown;
	struct expr *expr;
	char *text; /* the expression as given, without blanks */
};

#define COST_DEFAULT "n*log(n)"

/* Parses an expression. Fails with HP_USAGE if it is invalid. */
int cost_parse(const char *, struct cost *, struct hp_err *);
/* Frees the members. The struct may be zeroed. */
void cost_fini(struct cost *);

/*
 * Returns f(n) for n >= 1. Returns infinity if the expression has no value at
 * n.
 */
long double cost_at(const struct cost *, double n);
/*
 * Returns f(n) accurate to 14 digits, much faster than cost_at. Returns NAN if
 * the expression has no value at n.
 */
double cost_about(const struct cost *, double n);

/*
 * Returns the real number x with f(x) = y, but at least the smallest x for
 * which f is defined (1 for n log n). Stores the derivative of x by y in
 * *slope, unless slope is NULL. Does not work for COST_EXPR.
 */
double cost_inverse(const struct cost *, double y, double *slope);

/*
 * Returns the number n with n ln n = x, accurate to the last bits of a double.
 * It equals x/W(x), where W is the Lambert function. Returns 1 for x = 0.
 */
double cost_lambert(double x);

#endif
