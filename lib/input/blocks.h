#ifndef HP_INPUT_BLOCKS_H
#define HP_INPUT_BLOCKS_H

/*
 * The input in blocks of whole records, for all threads.  Blocks come as long
 * as the budget has room for them and for the elements that are made of them.
 */

#include "base/err.h"
#include "input/input.h"
#include "kernel/pile.h"

/*
 * The next block.  The struct is zero at first.  Then it is what the same
 * thread got the last time, which is done with.  block_fini frees it after the
 * last call, whatever this returns: INPUT_BLOCK, INPUT_FULL, INPUT_END or -1.
 *
 * The first block after input_forget is handed out even if it does not fit.
 *
 * The size of a pipe is not known.  If little comes, the threads should take
 * little memory.  So blocks grow with what has come; and all threads but two
 * wait in their first call until there is enough for them, or another thread
 * leaves.
 */
int input_block(
    struct input *, const struct arena *, struct block *, struct hp_err *);
void block_fini(struct input *, struct block *);

/*
 * The text between s and end, of a block that is dropped when it is done with
 * (in->passing), stays until input_forget.  The block then begins at `end`.
 */
void input_keep(struct input *, struct block *, const unsigned char *s,
    const unsigned char *end);

/* How many threads the input is worth, at most `threads`: all if its size is
 * known, else as many as what has come is worth. */
unsigned input_worth(const struct input *, unsigned threads);

#endif
