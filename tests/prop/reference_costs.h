#ifndef HP_TEST_REFERENCE_COSTS_H
#define HP_TEST_REFERENCE_COSTS_H

/* Costs as expressions, and as functions that compute with 113 bits. */

#include <math.h>

#if __LDBL_MANT_DIG__ == 113
typedef long double quad;
#define quad_log logl
#define quad_exp expl
#define quad_pow powl
#define quad_sin sinl
#define quad_sqrt sqrtl
#else
typedef __float128 quad;
#define quad_log logf128
#define quad_exp expf128
#define quad_pow powf128
#define quad_sin sinf128
#define quad_sqrt sqrtf128
extern quad logf128(quad), expf128(quad), powf128(quad, quad), sinf128(quad),
    sqrtf128(quad);
#endif

/* A stands for a size of the case, B for a number. */
static quad
linear(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n;
}

static quad
n_log_n(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n * quad_log(n);
}

static quad
n_log2_n(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n * quad_log(n) / quad_log(2);
}

static quad
square(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n * n;
}

static quad
root(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return quad_sqrt(n);
}

static quad
to_the_1_3(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return quad_pow(n, 1.3);
}

static quad
always_B(quad n, quad A, quad B)
{
	(void)n, (void)A;
	return B;
}

static quad
n_plus_5(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n + 5;
}

static quad
quadratic(quad n, quad A, quad B)
{
	(void)A;
	return n * n + B * n;
}

static quad
two_terms(quad n, quad A, quad B)
{
	(void)A;
	return n * quad_log(n) + B * n;
}

static quad
at_least_A(quad n, quad A, quad B)
{
	(void)B;
	return n > A ? n : A;
}

static quad
at_most_A(quad n, quad A, quad B)
{
	(void)B;
	return n < A ? n : A;
}

static quad
logarithm(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return quad_log(n);
}

static quad
exponential(quad n, quad A, quad B)
{
	(void)B;
	return quad_exp(n / A);
}

static quad
over_log(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n / quad_log(n + 2);
}

static quad
minus_log(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n - quad_log(n);
}

static quad
jump_at_A(quad n, quad A, quad B)
{
	(void)B;
	return n >= A ? 2 * n : n;
}

static quad
slower_from_A(quad n, quad A, quad B)
{
	(void)B;
	return n < A ? n : A + quad_sqrt(n - A);
}

static quad
more_from_A(quad n, quad A, quad B)
{
	return (n > A ? B : 0) + n;
}

static quad
wave(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return n + quad_sin(n);
}

static quad
cheap_at_A(quad n, quad A, quad B)
{
	(void)B;
	return n == A ? n : 4 * n;
}

static quad
free_at_A(quad n, quad A, quad B)
{
	(void)B;
	return n == A ? 0 : n;
}

static quad
half_at_two(quad n, quad A, quad B)
{
	(void)B;
	return n == A || n == A + 1 ? n / 2 : n * quad_log(n + 1);
}

static quad
falls_at_A(quad n, quad A, quad B)
{
	(void)B;
	return n + (n < A ? A : 0);
}

static quad
less_B_at_A(quad n, quad A, quad B)
{
	return n + (n != A ? B : 0);
}

static quad
from_0_at_A(quad n, quad A, quad B)
{
	(void)B;
	return n < A ? n : n - A;
}

static quad
some_off_at_A(quad n, quad A, quad B)
{
	(void)B;
	return n * quad_log(n + 1) * (n == A ? (quad)0.7 : 1);
}

static quad
flat_behind_A(quad n, quad A, quad B)
{
	return n > A && n < A + B ? A / 2 : n;
}

static quad
distance(quad n, quad A, quad B)
{
	(void)B;
	return n > A ? n - A : A - n;
}

static quad
falls_to_half_A(quad n, quad A, quad B)
{
	(void)B;
	return A - n > n ? A - n : n;
}

static quad
inverse(quad n, quad A, quad B)
{
	(void)A, (void)B;
	return 1 / n;
}

enum falls {
	RISES,
	JUMPS, /* increases, but jumps down at one place */
	SINKS  /* decreases in an interval */
};

static const struct cost_case {
	const char *text;
	quad (*at)(quad n, quad A, quad B);
	enum falls falls;
} costs[] = {
	{ "n", linear, RISES },
	{ "n*log(n)", n_log_n, RISES },
	{ "n*log2(n)", n_log2_n, RISES },
	{ "n^2", square, RISES },
	{ "sqrt(n)", root, RISES },
	{ "n^1.3", to_the_1_3, RISES },
	{ "B", always_B, RISES },
	{ "n+5", n_plus_5, RISES },
	{ "n*n+B*n", quadratic, RISES },
	{ "n*log(n)+B*n", two_terms, RISES },
	{ "max(n,A)", at_least_A, RISES },
	{ "min(n,A)", at_most_A, RISES },
	{ "log(n)", logarithm, RISES },
	{ "exp(n/A)", exponential, RISES },
	{ "n/log(n+2)", over_log, RISES },
	{ "n-log(n)", minus_log, RISES },
	{ "n>=A?2*n:n", jump_at_A, RISES },
	{ "n<A?n:A+sqrt(n-A)", slower_from_A, RISES },
	{ "(n>A)*B+n", more_from_A, RISES },
	{ "n+sin(n)", wave, RISES },
	{ "n==A?n:4*n", cheap_at_A, JUMPS },
	{ "n==A?0:n", free_at_A, JUMPS },
	{ "n==A||n==A+1?n/2:n*log(n+1)", half_at_two, JUMPS },
	{ "n+A*(n<A)", falls_at_A, JUMPS },
	{ "n+B*(n!=A)", less_B_at_A, JUMPS },
	{ "n<A?n:n-A", from_0_at_A, JUMPS },
	{ "n*log(n+1)*(n==A?0.7:1)", some_off_at_A, JUMPS },
	{ "n>A&&n<A+B?A/2:n", flat_behind_A, JUMPS },
	{ "abs(n-A)", distance, SINKS },
	{ "max(A-n,n)", falls_to_half_A, SINKS },
	{ "1/n", inverse, SINKS },
};

#endif
