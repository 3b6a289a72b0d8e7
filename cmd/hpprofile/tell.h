#ifndef HP_CMD_HPPROFILE_TELL_H
#define HP_CMD_HPPROFILE_TELL_H

/*
 * Messages of hpprofile on standard error: progress, and notes on the result.
 */

#include <stdbool.h>
#include <stdint.h>

#include "opts.h"

/*
 * Shows the size that is being measured.  It is the function `progress` of
 * struct profile_opts.
 */
void tell_progress(void *context, uint64_t n, unsigned run, double spent_s);

/*
 * Returns whether to show progress.  On a terminal, progress is one line, which
 * the caller erases at the end.
 */
bool tell_wanted(const struct opts *);

/*
 * Prints which sizes missed the precision.  Prints nothing with --runs 1,
 * because one run cannot tell a precision.
 */
void tell_precision(const struct profile *, const struct profile_opts *);

/* Prints why no larger sizes were measured. */
void tell_end(const struct profile *);

#endif
