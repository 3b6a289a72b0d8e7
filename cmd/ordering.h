#ifndef HP_CMD_ORDERING_H
#define HP_CMD_ORDERING_H

/*
 * The options that define the order of records.  They are those of sort(1), and
 * the same in every program.  To start another program with the same order,
 * pass it the words of order_words (record/words.h).
 */

#include "options.h"
#include "record/order.h"

/* Option table for a struct order. */
extern const struct cmd_option ordering_options[];

/*
 * Completes the order after the last option was parsed.  Exits 2 if options
 * contradict each other.
 */
void ordering_done(struct order *);

#endif
