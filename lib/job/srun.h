#ifndef HP_JOB_SRUN_H
#define HP_JOB_SRUN_H

/*
 * A process of srun(1) that starts one agent on each of several nodes of an
 * allocation.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "job/call.h"

struct srun_spec {
	const char *const *node; /* names */
	size_t nodes;
	/* component of a heterogeneous job; ALLOCATION_WHOLE: none */
	int component;
	const char *home; /* directory of the hptools programs; NULL: PATH */
	const struct call_to *to;
	size_t files; /* soft limit of open files; 0: unchanged */
};

struct srun {
	pid_t pid; /* leads its own session; -1: has ended */
	int said;  /* standard output and error, non-blocking; -1: closed */
};

int srun_start(struct srun *, const struct srun_spec *, struct hp_err *);
/* Like machine_ended in machine.h. */
bool srun_ended(struct srun *, int *code);
/*
 * Kills the process and the rest of its session, and waits until the process
 * has ended.
 */
void srun_kill(struct srun *);

#endif
