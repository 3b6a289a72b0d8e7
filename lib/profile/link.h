#ifndef HP_PROFILE_LINK_H
#define HP_PROFILE_LINK_H

/*
 * Measures the link between this machine and a host through a login command,
 * because hprun sends and gathers data in this way. The host needs only a shell
 * and cat(1).
 */

#include "base/err.h"

struct link_rates {
	double send;	/* bytes per second from the host to this machine */
	double receive; /* bytes per second from this machine to the host */
	double
	    /*
	     * shortest time in seconds in which one byte goes to the host and
	     * back
	     */
	    latency_s;
};

/*
 * Logs in three times, by `rsh HOST LINE`. The words of rsh are separated by
 * blanks. Each rate is measured for `seconds` seconds, without the time for
 * logging in. The caller must ignore SIGPIPE. Fails with HP_IO if the host does
 * not answer within LINK_PATIENCE_S.
 */
#define LINK_PATIENCE_S 60
int link_measure(const char *rsh, const char *host, double seconds,
    struct link_rates *, struct hp_err *);

#endif
