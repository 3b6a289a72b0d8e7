#ifndef HP_PROFILE_LINK_H
#define HP_PROFILE_LINK_H

/*
 * Measures the link between this machine and a host through a login command,
 * which is how hprun sends and gathers data. The host needs only a shell and
 * cat(1).
 */

#include "base/err.h"

struct link_rates {
	double send;	/* bytes per second from the host to this machine */
	double receive; /* bytes per second from this machine to the host */
	double
	    latency_s; /* of a round trip of one byte, the least of several */
};

/*
 * Logs in three times, by `rsh HOST LINE`; the words of rsh are separated by
 * blanks. Each rate is measured for `seconds`. Logging in is not measured.
 * The caller ignores SIGPIPE.
 * Fails with HP_IO if the host does not answer within LINK_PATIENCE_S.
 */
#define LINK_PATIENCE_S 60
int link_measure(const char *rsh, const char *host, double seconds,
    struct link_rates *, struct hp_err *);

#endif
