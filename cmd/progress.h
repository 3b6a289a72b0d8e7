#ifndef HP_CMD_PROGRESS_H
#define HP_CMD_PROGRESS_H

/* A line on standard error that shows the progress of a job twice a second. */

#include "base/progress.h"

struct progress_line;

/*
 * Starts a thread that shows the progress line.  Returns NULL and shows nothing
 * if the thread cannot be started or NO_COLOR is set.
 */
struct progress_line *progress_start(const struct progress *);
/*
 * Shows the final figures, ends the progress line and its thread.  Does nothing
 * for NULL.
 */
void progress_stop(struct progress_line *);

#endif
