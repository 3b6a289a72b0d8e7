#ifndef HP_SHARE_ANSWER_H
#define HP_SHARE_ANSWER_H

/*
 * The shares by a method, with the proof that goes with every plan.
 */

#include "share/certify.h"
#include "share/cluster.h"
#include "share/method.h"
#include "share/plan.h"

struct answer {
	enum method method; /* that was used: never METHOD_AUTO */
	uint64_t *n;	    /* shares by rank; answer_fini frees */
	size_t clamped;	    /* see struct division */
	struct certificate proof;
	double bound; /* the least makespan there is, or else that was found */
	/*
	 * It is not known that the cost rises (cost_check), so that nothing is
	 * proven: the proof says neither optimal nor unique.
	 */
	bool unproven;
};

/*
 * Divides by the method.  HP_USAGE when the nodes lack what it needs,
 * HP_NOSHARE when they cannot hold as many.
 */
int share_solve(
    const struct problem *, enum method, struct answer *, struct hp_err *);

/* The least makespan there is. */
int share_bound(const struct problem *, double *bound, struct hp_err *);
/*
 * The answer as what a plan says of it, with that name of a method, but for the
 * shares: those, of which there may be millions, come one by one.  *s is the
 * share of the rank before, zeroed at first; it borrows the name.
 */
int answer_plan(const struct cluster *, const struct answer *,
    const char *method, struct plan *, struct hp_err *);
void answer_share(const struct cluster *, const struct answer *, size_t rank,
    struct share *s);
/*
 * Any plan's shares as an answer for the problem.  HP_NO, and why, when they
 * are no plan for it: other nodes, another sum, more than a node can take.
 */
int share_check(const struct problem *, const struct plan *, struct answer *,
    struct hp_err *);

/*
 * What the times of the nodes come from, in the words of hp-plan(5); the caller
 * frees it.  NULL without memory.
 */
char *answer_cost(const struct cluster *, const struct cost *);

void answer_fini(struct answer *);

#endif
