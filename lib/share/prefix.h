#ifndef HP_SHARE_PREFIX_H
#define HP_SHARE_PREFIX_H

/*
 * Sums of the weights of the first items, so precise that the weight of any
 * successive items is their difference. A sum in one double is too coarse: with
 * the weights 1.2 and 1, the second one would weigh 2.2 - 1.2, which is more
 * than 1.
 *
 * Each sum is kept as two doubles, together about 106 bits. The rounding error
 * of an addition is itself a double (Knuth, "The Art of Computer Programming",
 * volume 2, section 4.2.2, theorem B).
 */

struct prefix {
	double sum;  /* the sum, rounded to a double */
	double rest; /* what `sum` lacks; at most half of its last bit */
};

struct prefix prefix_add(struct prefix, double weight);
/* Returns to - from, rounded once. */
double prefix_between(struct prefix from, struct prefix to);

#endif
