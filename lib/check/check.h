#ifndef HP_CHECK_CHECK_H
#define HP_CHECK_CHECK_H

/*
 * Sums up records as they come.
 */

#include "check/summary.h"
#include "record/order.h"

struct check {
	const struct order *order;
	struct summary summary;
	struct summary_key key; /* of the record at hand */
	struct keybuf buf;
};

/* The order is ready and outlives the check. */
void check_init(struct check *, const struct order *);
void check_fini(struct check *);

/*
 * The next record, a line without its delimiter: 1 when it is not in order
 * behind the one before, else 0; -1 when there is no memory.
 */
int check_record(
    struct check *, const unsigned char *record, size_t len, struct hp_err *);
/* Counts the next record, and does not look at its order. */
void check_count(struct check *, const unsigned char *record, size_t len);

#endif
