#ifndef HP_CMD_PROGRESS_H
#define HP_CMD_PROGRESS_H

/* A line on standard error that says, twice a second, how far a job is. */

#include "base/progress.h"

struct progress_line;

/* NULL, and nothing shown, when no thread can be had or NO_COLOR is set. */
struct progress_line *progress_start(const struct progress *);
/* Shows the last figures and ends the line.  NULL is harmless. */
void progress_stop(struct progress_line *);

#endif
