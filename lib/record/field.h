#ifndef HP_RECORD_FIELD_H
#define HP_RECORD_FIELD_H

/* Parsing of keys. Only files in lib/record include this header. */

#include "record/order.h"

/* Tells to which end of a key the letter b applies. */
enum ends {
	END_START = 1,
	END_END = 2
};

enum {
	FIELD_LETTERS = 12 /* size of a string of all letters */
};

extern const struct order_field field_whole_line;

/* Applies one of the letters bdfghiMnRrV. Returns -1 for another letter. */
int field_letter(struct order_field *, int letter, enum ends);
/* Returns true if the field has any letter besides r. */
bool field_has_letters(const struct order_field *);
/* Writes the field's letters in the order in which sort(1) prints them. */
void field_letters(const struct order_field *, char letters[FIELD_LETTERS]);
/* Parses the argument of -k. Fails with HP_USAGE. */
int field_parse(const char *arg, struct order_field *, struct hp_err *);
/*
 * Parses +POS1 and, unless it is NULL, -POS2. Returns 1 on success. Returns 0
 * if the first word is no key, which is no error: it may be a file name.
 * Returns -1 with HP_USAGE if only the second word is malformed.
 */
int field_parse_old(
    const char *start, const char *end, struct order_field *, struct hp_err *);

#endif
