#ifndef HP_CMD_ORDERING_H
#define HP_CMD_ORDERING_H

/*
 * The ordering options: those of sort(1), the same in every program. A program
 * that starts others with the same order passes on the words of order_words
 * (record/words.h).
 */

#include "options.h"
#include "record/order.h"

/* Option table for a struct order. */
extern const struct cmd_option ordering_options[];

/*
 * Call after the last option: runs order_ready; exits 2 if options contradict.
 */
void ordering_done(struct order *);

#endif
