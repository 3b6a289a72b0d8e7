#ifndef HP_INPUT_BLOCKS_H
#define HP_INPUT_BLOCKS_H

/*
 * Divides the input into blocks of whole records for all threads. Blocks are
 * handed out as long as the memory budget has room for them and for the
 * elements made from them.
 */

#include "base/err.h"
#include "input/input.h"
#include "kernel/pile.h"

/*
 * Returns the next block for a thread: INPUT_BLOCK, INPUT_FULL (no memory
 * left), INPUT_END or -1. *block must be zero before the thread's first call.
 * In later calls it must be the thread's previous block, which the thread no
 * longer needs. Whatever the result, call block_fini after the last call.
 *
 * The first block after input_forget is returned even if it exceeds the budget.
 *
 * The size of a pipe is unknown, and a small input should take little memory.
 * So the block size grows with the bytes read so far. All threads except two
 * wait in their first call until enough data has arrived for them, or until
 * another thread ends.
 */
int input_block(
    struct input *, const struct arena *, struct block *, struct hp_err *);
void block_fini(struct input *, struct block *);

/*
 * Keeps the text between s and end in memory until input_forget, although its
 * block is temporary (in->passing). The block then begins at `end`.
 */
void input_keep(struct input *, struct block *, const unsigned char *s,
    const unsigned char *end);

/*
 * Returns how many threads are useful for the input, at most `threads`. If the
 * input's size is known, all are. For a pipe the number grows with the bytes
 * read so far.
 */
unsigned input_worth(const struct input *, unsigned threads);

#endif
