#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cost/cost.h"
#include "cost/expr.h"
#include "cost/learned.h"

static char *
without_blanks(const char *s)
{
	char *copy = malloc(strlen(s) + 1), *to = copy;

	if (copy == NULL)
		return NULL;
	for (; *s != '\0'; s++)
		if (!isspace((unsigned char)*s))
			*to++ = *s;
	*to = '\0';
	return copy;
}

/*
 * Parses sqrt(n) or n^b, where b is a number above 0 or a fraction in
 * parentheses, such as (3/2). Returns false for any other expression.
 */
static bool
parse_power(const char *s, double *b)
{
	char *end;
	bool inside;

	if (strcmp(s, "sqrt(n)") == 0) {
		*b = 0.5;
		return true;
	}
	if (strncmp(s, "n^", 2) != 0)
		return false;
	inside = s[2] == '(';
	s += inside ? 3 : 2;
	if (!isdigit((unsigned char)*s))
		return false;
	*b = strtod(s, &end);
	if (inside && *end == '/' && isdigit((unsigned char)end[1]))
		*b /= strtod(end + 1, &end);
	return strcmp(end, inside ? ")" : "") == 0 && *b > 0 && isfinite(*b);
}

int
cost_parse(const char *text, struct cost *c, struct hp_err *e)
{
	static const struct {
		const char *text;
		int base;
	} nlogn[] = { { "n*log(n)", 0 }, { "n*ln(n)", 0 }, { "n*log2(n)", 2 },
		{ "n*log10(n)", 10 } };

	*c = (struct cost){ .kind = COST_EXPR };
	if ((c->text = without_blanks(text)) == NULL)
		return hp_fail(e, HP_NOMEM, "cost '%.200s'", text);
	for (size_t i = 0; i < sizeof nlogn / sizeof nlogn[0]; i++)
		if (strcmp(c->text, nlogn[i].text) == 0) {
			c->kind = COST_NLOGN;
			c->base = nlogn[i].base;
			return 0;
		}
	if (strcmp(c->text, "n") == 0) {
		c->kind = COST_LINEAR;
		return 0;
	}
	if (parse_power(c->text, &c->exponent)) {
		c->kind = c->exponent == 1 ? COST_LINEAR : COST_POWER;
		return 0;
	}
	if ((c->expr = expr_new(c->text, e)) == NULL) {
		cost_fini(c);
		return -1;
	}
	return 0;
}

void
cost_fini(struct cost *c)
{
	expr_free(c->expr);
	free(c->known);
	free(c->text);
	*c = (struct cost){ 0 };
}

long double
cost_at(const struct cost *c, double n)
{
	long double x = n;

	switch (c->kind) {
	case COST_LINEAR:
		break;
	case COST_NLOGN:
		/*
		 * log2l and log10l give exact results for powers of 2 and of
		 * 10.
		 */
		return x *
		    (c->base == 2	    ? log2l(x)
			    : c->base == 10 ? log10l(x)
					    : logl(x));
	case COST_POWER:
		return powl(x, c->exponent);
	case COST_LEARNED:
		return learned_at(c, n);
	case COST_EXPR:
		x = expr_at(c->expr, n);
		/*
		 * The expression has no value at n. Treat its cost as infinite.
		 */
		return isnan(x) ? INFINITY : x;
	}
	return x;
}

double
cost_about(const struct cost *c, double n)
{
	if (c->kind == COST_LINEAR)
		return n;
	if (c->kind == COST_NLOGN && c->base == 0)
		return n * log(n);
	return NAN;
}

/*
 * Finds w = W(y), the Lambert function: the solution of w e^w = y. Returns y/w.
 * Uses the fourth-order iteration of Fritsch, Shafer and Crowley 1973, one
 * logarithm per step, and starts from ln y - ln ln y, which is accurate to a
 * few per cent. For small y, y/w would lose digits; there Newton's method
 * solves x ln x = y.
 */
double
cost_lambert(double y)
{
	double l, w, x, z, q, step;

	if (y < 3) {
		x = 1 + 0.7 * y;
		for (int i = 0; i < 6; i++)
			x = (x + y) / (log(x) + 1);
		return x;
	}
	l = log(y);
	w = l - log(l);
	for (int i = 0; i < 4; i++) {
		z = l - log(w) - w;
		q = 2 * (1 + w) * (1 + w + 2 * z / 3);
		step = z / (1 + w) * (q - z) / (q - 2 * z);
		w *= 1 + step;
		if (fabs(step) < 1e-4)
			break;
	}
	return y / w;
}

double
cost_inverse(const struct cost *c, double y, double *slope)
{
	double x = y, dx = 1, scale;

	switch (c->kind) {
	case COST_LINEAR:
	case COST_EXPR:
		break;
	case COST_NLOGN:
		scale = c->base == 2 ? M_LN2 : c->base == 10 ? M_LN10 : 1;
		x = cost_lambert(y * scale);
		dx = scale * x / (y * scale + x); /* because ln x = y/x */
		break;
	case COST_LEARNED:
		x = learned_inverse(c, y, &dx);
		break;
	case COST_POWER:
		x = pow(y, 1 / c->exponent);
		dx = y > 0 ? x / y / c->exponent : 0;
		break;
	}
	if (slope != NULL)
		*slope = dx;
	return x;
}
