#ifndef HP_RECORD_FIELD_H
#define HP_RECORD_FIELD_H

/* The syntax of keys; private to this area. */

#include "record/order.h"

/* To which end of the field a letter b belongs. */
enum ends {
	END_START = 1,
	END_END = 2
};

enum {
	FIELD_LETTERS = 12 /* room for all, and a NUL */
};

extern const struct order_field field_whole_line;

/* A letter of bdfghiMnRrV, behind a position or by itself; -1 for any other. */
int field_letter(struct order_field *, int letter, enum ends);
/* Has it any letter but r? */
bool field_has_letters(const struct order_field *);
/* Its letters, in the order of sort(1)'s messages. */
void field_letters(const struct order_field *, char letters[FIELD_LETTERS]);
/* The argument of -k; HP_USAGE. */
int field_parse(const char *arg, struct order_field *, struct hp_err *);
/*
 * +POS1 and, unless NULL, -POS2: returns 1, 0 when the first is none, which is
 * no error, or -1, HP_USAGE, when only the second is none.
 */
int field_parse_old(
    const char *start, const char *end, struct order_field *, struct hp_err *);

#endif
