#ifndef HP_SORT_ORDERED_H
#define HP_SORT_ORDERED_H

/*
 * Input that is in order already, or in the opposite order, is copied instead
 * of sorted.  Files that can be mapped are copied as a whole: one pass, no
 * memory, no temporary files.  Of other input, what fits into memory is copied.
 *
 * Unordered input mostly shows it in its first records.  At worst the look
 * costs a pass over the input, or a copy.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "input/budget.h"
#include "input/input.h"
#include "kernel/entry.h"
#include "numbers/number.h"
#include "record/header.h"
#include "run/batch.h"
#include "run/output.h"
#include "sort/job.h"
#include "sort/walkers.h"

struct ordered {
	struct walk_job job;
	struct number number;
	enum direction how; /* the batch that was read last */
	struct piece text;  /* its text */
};

int ordered_init(struct ordered *, const struct order *, const struct view *,
    const struct budget *, struct hp_err *);
void ordered_fini(struct ordered *);

/*
 * Copies all of the job's input to the descriptor if it is ordered.  Returns 1,
 * with the figures, -1, or 0 if it is not ordered.  Then nothing of the input
 * is taken; but there may be bytes in fd from its position on, for the caller
 * to write over: what follows is as long or longer.
 *
 * in: the job's input, of which nothing was taken.  If it is not mapped, as it
 * is larger than the memory, it is mapped for this alone.  header: as for
 * input_open.
 */
int ordered_copy(struct ordered *, const struct sort_job *, struct input *in,
    struct header *header, int fd, const char *name, struct sort_stats *,
    struct hp_err *);

/*
 * Reads the next batch as batch_ops.read does, but without the engine if the
 * input is ordered.  ordered_write then writes it, by the engine or without.
 */
int
ordered_read(struct ordered *, struct batch *, struct input *, struct hp_err *);
int ordered_write(struct ordered *, struct batch *, struct output *,
    uint64_t *records, struct hp_err *);

#endif
