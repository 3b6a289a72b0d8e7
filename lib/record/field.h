#ifndef HP_RECORD_FIELD_H
#define HP_RECORD_FIELD_H

/*
 * Parsing of sort keys (the argument of -k). Only files in lib/record include
 * this header.
 */

#include "record/order.h"

/* To which end of a key the option -b applies. */
enum ends {
	END_START = 1,
	END_END = 2
};

enum {
	FIELD_LETTERS = 12 /* size of a string of all letters */
};

extern const struct order_field field_whole_line;

/*
 * Sets the option with this letter, one of bdfghiMnRrV, in the key. Returns -1
 * for any other letter.
 */
int field_letter(struct order_field *, int letter, enum ends);
/* Returns true if the key has ordering options other than -r. */
bool field_has_letters(const struct order_field *);
/*
 * Writes the letters of the key's options as a string, in the order in which
 * sort(1) prints them.
 */
void field_letters(const struct order_field *, char letters[FIELD_LETTERS]);
/* Parses the argument of -k. Fails with HP_USAGE. */
int field_parse(const char *arg, struct order_field *, struct hp_err *);
/*
 * Parses a key in the obsolete form: +POS1 and, unless it is NULL, -POS2.
 * Returns 1 if both are valid. Returns 0 if the first word has another form,
 * and may be a file name. Returns -1 with HP_USAGE if only the second word is
 * malformed.
 */
int field_parse_old(
    const char *start, const char *end, struct order_field *, struct hp_err *);

#endif
