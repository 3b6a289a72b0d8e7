#ifndef HP_INPUT_BLOCKS_H
#define HP_INPUT_BLOCKS_H

/*
 * Divides the input into blocks of whole records, and hands each block to one
 * thread. This stops when the memory budget is full: it must hold the text of
 * the blocks and the elements that represent their records.
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
 * Keeps the text from s to `end` in memory until input_forget. Drops the text
 * of the block before s at once. Afterwards the block begins at `end`, and the
 * rest of it is dropped after use, like the text of any block.
 */
void input_keep(struct input *, struct block *, const unsigned char *s,
    const unsigned char *end);

/*
 * Returns how many threads are useful for the input, at most `threads`: all of
 * them if the size of the input is known. For a pipe the number grows with the
 * bytes that have been read.
 */
unsigned input_worth(const struct input *, unsigned threads);

#endif
