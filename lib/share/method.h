#ifndef HP_SHARE_METHOD_H
#define HP_SHARE_METHOD_H

/*
 * The published methods for dividing N items among nodes of different speeds,
 * by name.
 */

#include "share/problem.h"

enum method {
	/* the optimum for the most detailed model that the nodes have */
	METHOD_AUTO,
	METHOD_EQUAL,
	METHOD_PROPORTIONAL,
	METHOD_TAYLOR,
	METHOD_NEWTON,
	METHOD_POWER,
	METHOD_NLOGN,
	METHOD_ASYMPTOTIC,
	METHOD_ASYMPTOTIC_PRINTED,
	METHOD_EXACT,
	METHOD_FPM,
	METHOD_DP,
	METHOD_LEARNED, /* needs points, or a cost from cluster_learn */
	METHOD_STAGES,	/* the whole run; needs links and the size of an item */
	METHODS
};

const char *method_name(enum method);
/* Fails with HP_USAGE and lists all names if the name is unknown. */
int method_parse(const char *, enum method *, struct hp_err *);

/*
 * Returns the optimal method for the most detailed model that the nodes have.
 * This is the method for which METHOD_AUTO stands.
 */
enum method method_richest(const struct problem *);

/*
 * Divides the items by a method. The items must fit into the nodes. The method
 * must not be METHOD_AUTO. Fails with HP_USAGE if the nodes lack what the
 * method needs.
 */
int method_divide(
    enum method, const struct problem *, struct division *, struct hp_err *);

#endif
