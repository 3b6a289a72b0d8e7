#ifndef HP_CMD_HPPROFILE_TELL_H
#define HP_CMD_HPPROFILE_TELL_H

/* What hpprofile says on standard error. */

#include <stdbool.h>
#include <stdint.h>

#include "opts.h"

/* Shows which size is running; see struct profile_opts. */
void tell_progress(void *context, uint64_t n, unsigned run, double spent_s);

/* On a terminal, progress is one line that the caller erases at the end. */
bool tell_wanted(const struct opts *);

/*
 * Prints which sizes missed the precision. With --runs 1, the user has asked
 * for times without a known precision, so nothing is printed.
 */
void tell_precision(const struct profile *, const struct profile_opts *);

/* Prints why no larger size was measured. */
void tell_end(const struct profile *);

#endif
