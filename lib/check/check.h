#ifndef HP_CHECK_CHECK_H
#define HP_CHECK_CHECK_H

/*
 * Builds the summary of a sequence of records: counts, checksum, first and last
 * key. The records are added one at a time, or as text of many records.
 */

#include "check/summary.h"
#include "record/order.h"

struct check {
	const struct order *order;
	struct summary summary;
	/* keys that are built: of the current record and the one before */
	struct keybuf buf[2];
};

/*
 * Starts a check. The order must be complete (order_ready) and must outlive the
 * check.
 */
void check_init(struct check *, const struct order *);
void check_fini(struct check *);

/*
 * Adds the next record. A line is passed without its delimiter. Returns 1 if
 * the record is out of order, 0 if it is in order, and -1 if memory is full.
 */
int check_record(
    struct check *, const unsigned char *record, size_t len, struct hp_err *);
/*
 * Adds the next records: n bytes of whole records, with their delimiters. Only
 * the last delimiter may be missing. Much faster than check_record for each
 * record, because keys are not copied. Returns 1 if a record is out of order, 0
 * if all are in order, and -1 if memory is full.
 */
int check_text(
    struct check *, const unsigned char *text, size_t n, struct hp_err *);
/* Adds the next record to the counts without checking its order. */
void check_count(struct check *, const unsigned char *record, size_t len);
/* Adds the records of a text, as in check_text, to the counts only. */
void check_count_text(struct check *, const unsigned char *text, size_t n);

#endif
