#ifndef HP_CMD_HPSOLVE_TELL_H
#define HP_CMD_HPSOLVE_TELL_H

/* Prints on standard error what the user should know beside the plan. */

#include "share/answer.h"

/*
 * Returns the processor time of this process in seconds.  Unlike elapsed time,
 * it does not depend on other processes.
 */
double tell_clock_s(void);
/* Prints the times for reading, solving and writing (--stats). */
void tell_stats(double begin_s, double read_s, double solved_s, unsigned steps);
/*
 * Warns that the plan may not be optimal, because the cost function is not
 * known to rise up to n.
 */
void tell_unproven(const struct problem *);
/* Warns that the method gave negative shares, which count as 0. */
void tell_clamped(const struct answer *);

#endif
