#ifndef HP_PROFILE_VOTES_H
#define HP_PROFILE_VOTES_H

/*
 * Tells outliers from measurements, by the median and the median of the
 * absolute deviations (Hampel 1974), both weighted.
 */

#include <stdbool.h>
#include <stddef.h>

/* The most measurements that are judged together. */
#define VOTES_MOST 72

struct vote {
	double x;
	double w;    /* weight, above 0 */
	double runs; /* that it stands for, at least 1 */
	bool out;    /* set by votes_judge */
};

/*
 * The least x up to which lie half of the weights, or half of the runs where
 * they are fewer than ten; n is 1 to VOTES_MOST.
 */
double votes_median(const struct vote *, size_t n);

/*
 * Marks what is farther from the median than three standard deviations,
 * estimated by the median absolute deviation.  Some runs agree by chance, so
 * what is within 15 % of `scale`, or within `least`, is never out.  Of fewer
 * than ten runs the estimate is too uncertain: out is what is above the median
 * by more than `scale`, or below it by more than half of that.  Another load
 * can only slow a run down: of two runs that differ by more, the lesser one
 * counts.
 */
void votes_judge(struct vote *, size_t n, double scale, double least);

/* The weight of a run that so many later ones followed. */
double vote_weight(double later, double half_life);

#endif
