#ifndef HP_COST_COST_H
#define HP_COST_COST_H

/*
 * A cost function f(n): the work of n items. Work divided by a node's relative
 * speed is time. The closed forms have exact inverses. Any other expression in
 * n is evaluated as written.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum cost_kind {
	COST_LINEAR, /* n */
	COST_NLOGN,  /* n log n */
	COST_POWER,  /* n^exponent */
	/*
	 * piecewise linear from (0, 0) through the known points; see learned.h
	 */
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
	double exponent; /* of COST_POWER, above 0 */
	/* known points of COST_LEARNED: at least 1, sorted by increasing n */
	struct known *known;
	size_t nknown;
	struct expr *expr;
	char *text; /* the expression as given, without blanks */
};

#define COST_DEFAULT "n*log(n)"

/* Parses an expression. Fails with HP_USAGE if it is invalid. */
int cost_parse(const char *, struct cost *, struct hp_err *);
/* Frees the members. A zeroed struct is allowed. */
void cost_fini(struct cost *);

/* Returns f(n) for n >= 1; infinity if the expression has no value there. */
long double cost_at(const struct cost *, double n);
/*
 * Returns f(n) to 14 digits, much faster than cost_at. NAN if the expression
 * has no value.
 */
double cost_about(const struct cost *, double n);

/*
 * Stores in *rises whether f is known not to decrease from 1 to `most` items.
 * The closed forms never decrease. An expression is known not to if interval
 * arithmetic proves it (bounds.h), or if `most` is small enough to evaluate
 * every size. Fails with HP_USAGE and the place if f is found to decrease, to
 * be negative or not to be a number.
 *
 * Evaluation in doubles is not exact. So f(n) counts as a decrease only if it
 * is below COST_LEVEL times f of a smaller size.
 */
#define COST_LEVEL (1 - 1e-11)
int cost_check(const struct cost *, double most, bool *rises, struct hp_err *);
/*
 * Evaluates f at n - 1, n and n + 1. Fails with HP_USAGE if f decreases there.
 * This is for the shares of a plan, if cost_check could not decide whether f
 * increases everywhere.
 */
int cost_check_at(const struct cost *, double n, struct hp_err *);

/*
 * Returns the real x with f(x) = y, but at least the smallest x for which f is
 * defined (1 for n log n). Stores the derivative of x by y in *slope unless
 * slope is NULL. Does not work for COST_EXPR.
 */
double cost_inverse(const struct cost *, double y, double *slope);

/*
 * Returns x/W(x), where W is the Lambert function. This is the n with n ln n =
 * x, accurate to the last bits of a double. The result for x = 0 is 1.
 */
double cost_lambert(double x);

#endif
