#ifndef HP_SORT_PRESORTED_H
#define HP_SORT_PRESORTED_H

/*
 * Input that is in order already, or in the opposite order, is copied instead
 * of sorted.  Files are copied as a whole: one pass, no memory, no temporary
 * files. Of a pipe, and of files too large to be mapped, what fits into memory
 * is copied.  Unordered input mostly shows it in its first records; at worst
 * the check costs one pass.
 */

#include <stdint.h>

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "kernel/entry.h"
#include "numbers/number.h"
#include "run/batch.h"
#include "sort/ordered.h"
#include "sort/sort.h"

struct presorted {
	struct ordered_job job;
	struct number number;
	struct ordered found; /* in the batch that was read last */
};

int presorted_init(struct presorted *, const struct order *,
    const struct view *, const struct budget *, struct hp_err *);
void presorted_fini(struct presorted *);

/*
 * Copy all of the job's input to the descriptor if it is ordered.  Returns 1,
 * with the figures, or 0: then all is as it was, but that what comes next to
 * fd, and is as much or more, may write over something.  The input is used as
 * it is where it is mapped and nothing was taken from it; else it is mapped for
 * this alone.  header: as for input_open.
 */
int presorted_copy(struct presorted *, const struct sort_job *, struct input *,
    struct header *header, int fd, const char *name, struct sort_stats *,
    struct hp_err *);

/*
 * Read the next batch as batch_ops.read does, without the engine if the input
 * is ordered.  presorted_write then writes it, with the engine or without.
 */
int presorted_read(
    struct presorted *, struct batch *, struct input *, struct hp_err *);
int presorted_write(struct presorted *, struct batch *, struct output *,
    uint64_t *records, struct hp_err *);

#endif
