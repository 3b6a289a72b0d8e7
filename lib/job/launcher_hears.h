#ifndef HP_JOB_LAUNCHER_HEARS_H
#define HP_JOB_LAUNCHER_HEARS_H

/* Tells which machines answer after a failed stage. */

#include "job/launcher.h"

enum launcher_hears {
	HEARS_IT,
	HEARS_NOT, /* the machine is lost */
	/* the machine was lost, but a new login to it has succeeded */
	HEARS_AGAIN
};

/* Returns whether the launcher has a connection to the node's machine. */
enum launcher_hears launcher_hears(const struct launcher *, int rank);

#endif
