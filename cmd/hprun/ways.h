#ifndef HP_CMD_HPRUN_WAYS_H
#define HP_CMD_HPRUN_WAYS_H

/*
 * The transports by which nodes exchange records (--transport).  A new
 * transport needs a row in the table in ways.c.
 */

#include <stdbool.h>

struct run;

struct way {
	const char *name;
	bool ports;  /* nodes listen on ports, and share a secret key */
	bool logins; /* nodes log in to each other */
	/*
	 * One command starts the exchange on all nodes (mpi.h). Otherwise each
	 * node has a step that starts hpexchange.
	 */
	bool collective;
};

/* Returns the transport with this name, or NULL if there is none. */
const struct way *way_find(const char *name);
/*
 * Returns the default transport: that between hosts, or that within this
 * machine.  run.launch must be set.
 */
const struct way *way_default(const struct run *);

#endif
