#ifndef HP_CMD_PROGRESS_H
#define HP_CMD_PROGRESS_H

/* A line on standard error that shows the progress of a job twice a second. */

#include "base/progress.h"

struct progress_line;

/*
 * Starts the display in a thread. Returns NULL and shows nothing if there is no
 * thread or NO_COLOR is set.
 */
struct progress_line *progress_start(const struct progress *);
/* Shows the final figures and ends the line. Does nothing for NULL. */
void progress_stop(struct progress_line *);

#endif
