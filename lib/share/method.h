#ifndef HP_SHARE_METHOD_H
#define HP_SHARE_METHOD_H

/* The published methods that divide N items among nodes of different speeds. */

#include "share/problem.h"

enum method {
	/* stands for the optimal method for the data that the nodes have */
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
	/*
	 * plans a whole run with sending and merging; needs the rates of links
	 * and the size of an item
	 */
	METHOD_STAGES,
	METHODS
};

const char *method_name(enum method);
/*
 * Finds a method by its name. Fails with HP_USAGE if there is none; the message
 * lists all names.
 */
int method_parse(const char *, enum method *, struct hp_err *);

/*
 * Returns the method that METHOD_AUTO stands for: the one that uses the most
 * detailed data that all nodes have.
 */
enum method method_richest(const struct problem *);

/*
 * Divides the items by a method, which must not be METHOD_AUTO. The nodes must
 * be able to take all items. Fails with HP_USAGE if the nodes lack data that
 * the method needs.
 */
int method_divide(
    enum method, const struct problem *, struct division *, struct hp_err *);

#endif
