#include <math.h>

#include "share/closed.h"

static double
sum_of(const double *k, size_t p)
{
	double sum = 0;

	for (size_t i = 0; i < p; i++)
		sum += k[i];
	return sum;
}

/*
 * x_i = N k_i / K, where k_i is the speed of node i and K the sum of all speeds
 * (Cérin, Koskas, Jemni and Fkaier 2004, equations 1 and 2).
 */
void
closed_proportional(const double *k, size_t p, double N, double *x)
{
	double K = sum_of(k, p);

	for (size_t i = 0; i < p; i++)
		x[i] = N * (k[i] / K);
}

/*
 * x_i = N k_i/K + (N/ln N) (k_i/K^2) sum_j k_j ln(k_j/k_i), where k_i is the
 * speed of node i and K the sum of all speeds.
 */
void
closed_taylor(const double *k, size_t p, double N, double *x)
{
	double K = sum_of(k, p), mean = 0;

	/*
	 * sum_j k_j ln(k_j/k_i) = K (mean - ln k_i), where `mean` is the mean
	 * of all ln k_j weighted by k_j, and K is the sum of the speeds.
	 */
	for (size_t j = 0; j < p; j++)
		mean += k[j] / K * log(k[j]);
	for (size_t i = 0; i < p; i++)
		x[i] = N * (k[i] / K) * (1 + (mean - log(k[i])) / log(N));
}

/*
 * Replaces f by its tangents at y_i = N k_i/K. Then x_i = (k_i T + y_i)/(1 + ln
 * y_i), and T follows from the sum N. If no y_i is below 1, x_i = N (k_i/L_i) /
 * sum_j (k_j/L_j) with L_i = 1 + ln y_i. Below 1 item, f is not its own tangent
 * (f(0) = f(1) = 0); such a node has its tangent at 1.
 */
void
closed_newton(const double *k, size_t p, double N, double *x)
{
	double K = sum_of(k, p), speed = 0, rest = N, y, slope;

	for (size_t i = 0; i < p; i++) {
		y = fmax(N * (k[i] / K), 1);
		slope = 1 + log(y);
		speed += k[i] / K / slope;
		rest -= y / slope;
	}
	for (size_t i = 0; i < p; i++) {
		y = fmax(N * (k[i] / K), 1);
		slope = 1 + log(y);
		x[i] = (k[i] / K * (rest / speed) + y) / slope;
	}
}

/*
 * x_i = N k_i^(1/b) / sum_j k_j^(1/b), and T = (N / sum_j k_j^(1/b))^b, where
 * k_i is the speed of node i and T the time in which all nodes finish.
 */
double
closed_power(const double *k, size_t p, double N, double b, double *x)
{
	double fastest = 0, T;

	/* Divide all speeds by the fastest one, so that no power overflows. */
	for (size_t i = 0; i < p; i++)
		fastest = fmax(fastest, k[i]);
	for (size_t i = 0; i < p; i++)
		x[i] = pow(k[i] / fastest, 1 / b);
	T = pow(N / sum_of(x, p), b) / fastest;
	closed_proportional(x, p, N, x);
	return T;
}

/*
 * Returns (x ln x + x ln ln x)/(ln x)^2. With `printed`, returns the formula
 * printed in the paper, (x + x ln ln x)/(ln x)^2, where a factor is missing.
 * For ln x < 1 the formulas are invalid, and x is returned.
 */
double
closed_asymptotic_inverse(double x, bool printed)
{
	double l = log(x), ll;

	if (!(l > 1))
		return x;
	ll = log(l);
	return printed ? x * (1 + ll) / (l * l) : x * (l + ll) / (l * l);
}

static double
sum_by(const double *k, size_t p, double T, bool printed)
{
	double sum = 0;

	for (size_t i = 0; i < p; i++)
		sum += closed_asymptotic_inverse(T * k[i], printed);
	return sum;
}

double
closed_asymptotic(const double *k, size_t p, double N, bool printed, double *x)
{
	double lo = 0, hi = 1, T;

	while (sum_by(k, p, hi, printed) < N) {
		lo = hi;
		hi *= 2;
	}
	for (int i = 0; i < 100; i++) {
		T = lo + (hi - lo) / 2;
		if (T <= lo || T >= hi)
			break;
		if (sum_by(k, p, T, printed) < N)
			lo = T;
		else
			hi = T;
	}
	for (size_t i = 0; i < p; i++)
		x[i] = closed_asymptotic_inverse(hi * k[i], printed);
	return hi;
}
