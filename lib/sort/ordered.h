#ifndef HP_SORT_ORDERED_H
#define HP_SORT_ORDERED_H

/*
 * Copies input that is in order already, or in reverse order, instead of
 * sorting it. Files that can be mapped are copied as a whole: in one pass,
 * without memory for records and without temporary files. For other input, each
 * batch that is in order is copied.
 *
 * Unordered input usually shows in the first records. In the worst case the
 * check costs a pass over the input, or a copy.
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
	enum direction how;	/* direction of the last batch read */
	struct text_piece text; /* text of that batch */
};

int ordered_init(struct ordered *, const struct order *, const struct view *,
    const struct budget *, struct hp_err *);
void ordered_fini(struct ordered *);

/*
 * Copies the whole input of the job to the descriptor if it is in order.
 * Returns 1 and fills the statistics, -1 on error, or 0 if it is not in order.
 * After 0, nothing was taken from the input. fd may then contain bytes after
 * its position. The caller overwrites them, because the sorted output is at
 * least as long.
 *
 * in: the job's input, from which nothing was taken yet. If it is larger than
 * memory and therefore not mapped, it is mapped for this copy only. header: see
 * input_open.
 */
int ordered_copy(struct ordered *, const struct sort_job *, struct input *in,
    struct header *header, int fd, const char *name, struct sort_stats *,
    struct hp_err *);

/*
 * ordered_read reads the next batch, and ordered_write writes it. If the
 * records of the batch are already in order, they are copied from the input to
 * the output. Otherwise both functions call those of batch_ops, which sort the
 * records. ordered_read returns the same values as `read` of struct batch_ops.
 */
int
ordered_read(struct ordered *, struct batch *, struct input *, struct hp_err *);
int ordered_write(struct ordered *, struct batch *, struct output *,
    uint64_t *records, struct hp_err *);

#endif
