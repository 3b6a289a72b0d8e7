#ifndef HP_JOB_JOURNAL_H
#define HP_JOB_JOURNAL_H

/*
 * The journal of a run: a line for each step that has ended well.  A run that
 * is resumed does not do these again, and --trace tells of them.
 *
 *	STAGE INDEX RANK NAME START END ANSWER [SIZE]...
 *
 * STAGE counts the stages of the run from 0; stages that are done each time
 * (stage.h, `passing`) are not counted and have `-`.  INDEX is the place of the
 * step in its stage.  RANK is `-` for steps of the launcher.  START and END are
 * seconds since 1970 with six decimals.  Then come the exit status, 0 or 1, and
 * the sizes that the step's ACT_SIZE actions found, in their order.
 *
 * A process that is killed while it writes leaves part of a line at the end.
 * That step counts as not done.  Anything else that is not such a line is an
 * error: the file is of something else, or damaged.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define JOURNAL_NAME 32 /* bytes of a step's name, with the NUL */

struct journal_entry {
	uint64_t stage;
	bool passing;
	uint64_t index;
	int rank; /* STEP_LAUNCHER: of the launcher */
	char name[JOURNAL_NAME];
	double start_s, end_s;
	int answer;
	const uint64_t *size;
	size_t nsizes;
};

struct journal;

/* Makes the file if it is not there, and reads what it has. */
struct journal *journal_open(const char *path, struct hp_err *);
void journal_close(struct journal *);
/*
 * The step as it was when the journal was opened; of several, the last.  NULL:
 * it is not there.
 */
const struct journal_entry *
journal_find(const struct journal *, uint64_t stage, uint64_t index);
/* HP_IO; HP_USAGE if the name is empty, too long, or has other than a-z0-9-. */
int
journal_append(struct journal *, const struct journal_entry *, struct hp_err *);
/* What was appended is on the disk. */
int journal_sync(struct journal *, struct hp_err *);
/* All entries go. */
int journal_clear(struct journal *, struct hp_err *);

/*
 * Calls the function for each entry of a file, in the order in which the steps
 * have ended, until it returns other than 0, and returns that.  No file: none.
 */
int journal_each(const char *path,
    int (*)(void *, const struct journal_entry *, struct hp_err *),
    void *context, struct hp_err *);
/*
 * Removes all entries but those of steps with that name; NULL: all.  For a run
 * that begins again.
 */
int journal_keep(const char *path, const char *name, struct hp_err *);

#endif
