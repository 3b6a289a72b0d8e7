#ifndef HP_JOB_JOURNAL_H
#define HP_JOB_JOURNAL_H

/*
 * The journal of a run has a line for each step that succeeded.  A resumed run
 * skips these steps, and --trace reports them.
 *
 * 	STAGE INDEX RANK NAME START END ANSWER [SIZE]...
 *
 * STAGE numbers the stages of the run from 0.  Stages that are repeated each
 * time (stage.h, `passing`) are not numbered and have `-`.  INDEX is the step's
 * position in its stage.  RANK is `-` for steps of the launcher.  START and END
 * are seconds since 1970 with six decimals.  ANSWER is the exit status, 0 or 1.
 * The sizes are the results of the step's ACT_SIZE actions, in order.
 *
 * The named transfers of a step's input and output (step.h, `sending` and
 * `returning`) have lines of their own, with `-` as STAGE and 0 as INDEX.
 *
 * If the process is killed while it writes, the last line is incomplete.  The
 * step of this line counts as not done.  Any other invalid line is an error,
 * because the file is then damaged or is not a journal.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* maximum size in bytes of a step's name, with the NUL */
#define JOURNAL_NAME 32

struct journal_entry {
	uint64_t stage;
	bool passing;
	uint64_t index;
	int rank; /* rank of the node, or STEP_LAUNCHER */
	char name[JOURNAL_NAME];
	double start_s, end_s;
	int answer;
	const uint64_t *size;
	size_t nsizes;
};

struct journal;

/* Opens or creates the journal and reads its entries. */
struct journal *journal_open(const char *path, struct hp_err *);
void journal_close(struct journal *);
/*
 * Returns the entry of the step that journal_open has read, or NULL if there is
 * none. If the journal has several entries of the step, returns the last one.
 */
const struct journal_entry *
journal_find(const struct journal *, uint64_t stage, uint64_t index);
/*
 * Appends an entry. Fails with HP_IO, or with HP_USAGE if the step's name is
 * empty, too long, or has characters other than a-z0-9-.
 */
int
journal_append(struct journal *, const struct journal_entry *, struct hp_err *);
/* Writes all appended entries to the disk. */
int journal_sync(struct journal *, struct hp_err *);
/* Removes all entries. */
int journal_clear(struct journal *, struct hp_err *);

/*
 * Calls the function for each entry in the order in which the steps ended. If
 * the function returns a value other than 0, stops and returns that value. A
 * missing file counts as a journal without entries.
 */
int journal_each(const char *path,
    int (*)(void *, const struct journal_entry *, struct hp_err *),
    void *context, struct hp_err *);
/*
 * Removes the entries of all steps that are not called `name`. If `name` is
 * NULL, removes all entries. Used before a run is tried again.
 */
int journal_keep(const char *path, const char *name, struct hp_err *);

#endif
