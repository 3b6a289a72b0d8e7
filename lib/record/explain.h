#ifndef HP_RECORD_EXPLAIN_H
#define HP_RECORD_EXPLAIN_H

/*
 * What an order makes of lines, for people who wonder: sort(1)'s --debug, in
 * the words and marks of GNU sort.
 */

#include <stdio.h>

#include "record/order.h"

/*
 * Print the line (without its delimiter), tabs as '>', and below it one line
 * for each key with a '_' under each byte of the line that is compared.
 * Errors stay with the stream.  O(len).
 */
void explain_line(
    const struct order *, const unsigned char *line, size_t len, FILE *);

/* Tell of each option that does nothing, or not what it seems to. */
void
explain_options(const struct order *, void (*tell)(const char *format, ...));

#endif
