#ifndef HP_NET_RETRYPOLICY_H
#define HP_NET_RETRYPOLICY_H

/*
 * How long a peer may be silent before it is called anew, and how long after
 * that once more.
 *
 * What is silent may be slow.  A call may be a login, which is much work for a
 * host that has little of a processor: three a second are all that a tenth of
 * one can do, and while it does them it is silent to everybody else, too.  So
 * who was silent and came back by himself is given twice the longest of such
 * pauses from then on, which fades as the time passes in which they are shorter
 * (timeouts that adapt, as Jacobson 1988 has them for packets and Chen, Toueg
 * and Aguilera 2002 for failures), and attempts that he does not answer follow
 * each other at twice the time of those before (Metcalfe and Boggs 1976), up to
 * that. Who never was slow is called each 2 s: a link that was cut for long is
 * mended at any time, and what it carried goes on within so long.
 */

struct retry_policy {
	double pause_s; /* the longest of late */
	double again_s; /* from the last call to the next */
};

/* A new connection: pauses are remembered, attempts forgotten. */
void retrypolicy_connected(struct retry_policy *);
/* Heard of again, by what there was, after so long. */
void retrypolicy_heard(struct retry_policy *, double silence_s);
/* The silence that counts: at least and at most so long. */
double retrypolicy_silence_s(
    const struct retry_policy *, double least_s, double most_s);
/*
 * A call is made: how long to wait for the answer before the next one, a second
 * at least and, where that is more, at most so long.
 */
double retrypolicy_delay_s(struct retry_policy *, double most_s);

#endif
