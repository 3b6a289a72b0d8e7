#ifndef HP_SHARE_METHOD_H
#define HP_SHARE_METHOD_H

/*
 * The published ways to divide N items among unlike nodes, each under its
 * name.
 */

#include "share/problem.h"

enum method {
	METHOD_AUTO, /* the optimum for the richest model there is */
	METHOD_EQUAL,
	METHOD_PROPORTIONAL,
	METHOD_TAYLOR,
	METHOD_POWER,
	METHOD_NLOGN,
	METHOD_ASYMPTOTIC,
	METHOD_ASYMPTOTIC_PRINTED,
	METHOD_EXACT,
	METHOD_FPM,
	METHOD_DP,
	METHOD_LEARNED, /* from points, or after cluster_learn */
	METHODS
};

const char *method_name(enum method);
/* HP_USAGE, with all names, for an unknown one. */
int method_parse(const char *, enum method *, struct hp_err *);

/* The method whose optimum is that of the richest model there is. */
enum method method_richest(const struct cluster *);

/*
 * Divides the items, which must fit into the nodes; METHOD_AUTO is not a method
 * for this.  HP_USAGE when the nodes lack what it needs.
 */
int method_divide(
    enum method, const struct problem *, struct division *, struct hp_err *);

#endif
