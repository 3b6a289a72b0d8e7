#ifndef HP_CMD_ORDERING_H
#define HP_CMD_ORDERING_H

/*
 * The ordering options, which are those of sort(1) and the same in every
 * program.  A program that starts others with the same order passes on what
 * order_words (record/words.h) returns.
 */

#include "options.h"
#include "record/order.h"

/* The table of a part whose struct is a struct order. */
extern const struct cmd_option ordering_options[];

/* After the last option: order_ready; exits 2 where the options contradict. */
void ordering_done(struct order *);

#endif
