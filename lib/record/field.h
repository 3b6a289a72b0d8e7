#ifndef HP_RECORD_FIELD_H
#define HP_RECORD_FIELD_H

/* The syntax of keys; private to this area. */

#include "record/order.h"

/* To which end of the field a letter b belongs. */
enum ends {
	END_START = 1,
	END_END = 2
};

extern const struct order_field field_whole_line;

/* A letter of bdfghiMnRrV, behind a position or by itself; -1 for any other. */
int field_letter(struct order_field *, int letter, enum ends);
/* The argument of -k; HP_USAGE. */
int field_parse(const char *arg, struct order_field *, struct hp_err *);
/*
 * +POS1 and, unless NULL, -POS2: returns 1, 0 when the first is none, which is
 * no error, or -1, HP_USAGE, when only the second is none.
 */
int field_parse_old(
    const char *start, const char *end, struct order_field *, struct hp_err *);

#endif
