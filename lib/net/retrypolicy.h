#ifndef HP_NET_RETRYPOLICY_H
#define HP_NET_RETRYPOLICY_H

/*
 * Retry policy: how long a peer may be silent before this node attempts a new
 * connection, and how long to wait before the next attempt.
 *
 * A silent peer can be slow instead of lost.  A connection attempt can be a
 * login, which is much work for a loaded host.  A host with a tenth of a
 * processor can handle three logins a second, and meanwhile it is silent to all
 * nodes.  Therefore a peer that was silent and recovered by itself may be
 * silent for twice as long as its longest recent silence.  This allowance
 * decays while the peer's silences are shorter (adaptive timeouts: Jacobson
 * 1988 for packets; Chen, Toueg and Aguilera 2002 for failure detection).
 *
 * The delay between unanswered attempts doubles (Metcalfe and Boggs 1976) up to
 * that allowance.  For a peer that was never slow, the delay is at most 2 s: a
 * broken link can be repaired at any time, and then work must resume soon.
 *
 * The delay between logins can exceed these limits.  A loaded host answers a
 * login late, and each further login adds to its load.
 */

struct retry_policy {
	double pause_s; /* longest recent silence */
	double again_s; /* delay after the last attempt */
};

/*
 * Call this after a new connection was made. The delay between attempts starts
 * again from its minimum, but the peer's longest silence is kept.
 */
void retrypolicy_connected(struct retry_policy *);
/* Call this if the peer is heard on its old connection after a silence. */
void retrypolicy_heard(struct retry_policy *, double silence_s);
/*
 * Returns the seconds of silence after which to start a new connection attempt.
 * The result is between least_s and most_s.
 */
double retrypolicy_silence_s(
    const struct retry_policy *, double least_s, double most_s);
/*
 * Call this when an attempt starts. Returns the delay in seconds before the
 * next attempt, from 1 to most_s.
 */
double retrypolicy_delay_s(struct retry_policy *, double most_s);
/*
 * Like retrypolicy_delay_s, for attempts that are logins (ssh). The delay after
 * the first login is first_s. Each further delay is twice as long, up to
 * most_s.
 */
double
retrypolicy_login_s(struct retry_policy *, double first_s, double most_s);

#endif
