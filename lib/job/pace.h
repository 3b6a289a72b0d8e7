#ifndef HP_JOB_PACE_H
#define HP_JOB_PACE_H

/*
 * Makes the parts of several machines arrive at the same time, although the
 * machines have connections of different speeds and parts of different sizes.
 *
 * The launcher holds back a machine that has taken a larger fraction of its
 * bytes than the machine with the smallest fraction. Its share of the
 * launcher's port and processor then goes to the others. If all machines
 * together take less than 1 MiB in two seconds, all of them go on without a
 * pace: one of them has stopped, and the others need not wait for it.
 */

#include "base/err.h"
#include "job/machine.h"

struct paces {
	struct machine **v; /* machines whose parts have a pace */
	size_t n, cap;
	size_t held;	/* number of machines that are held back */
	double least;	/* smallest fraction that a machine has taken */
	uint64_t moved; /* bytes taken since `still` was 0 */
	unsigned still; /* ticks in which too few bytes were taken */
	bool off;	/* the machines have no pace any more */
};

/* Adds bytes that will be sent to the machine. */
int
paces_add(struct paces *, struct machine *, uint64_t bytes, struct hp_err *);
/* Notes that the machine has taken bytes. */
void paces_taken(struct paces *, struct machine *, uint64_t bytes);
/*
 * Notes that the machine will never take these bytes. It is not held back any
 * more.
 */
void paces_stop(struct paces *, struct machine *, uint64_t bytes);
/* Returns whether the machine is held back, until paces_next returns it. */
bool paces_hold(struct paces *, struct machine *);
/* Returns a machine that is not held back any more. NULL: there is none. */
struct machine *paces_next(struct paces *);
/* Call this four times a second, and then paces_next. */
void paces_tick(struct paces *);
void paces_clear(struct paces *);
void paces_fini(struct paces *);

#endif
