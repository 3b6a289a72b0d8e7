#ifndef HP_RECORD_EXPLAIN_H
#define HP_RECORD_EXPLAIN_H

/*
 * Shows which bytes of a line an order compares: the --debug option of sort(1),
 * with the same words and marks as GNU sort.
 */

#include <stdio.h>

#include "record/order.h"

/*
 * Prints the line, without its delimiter and with tabs as '>'. Then prints a
 * line for each key with a '_' under each byte that the key compares. A write
 * error is left to ferror. O(len).
 */
void explain_line(
    const struct order *, const unsigned char *line, size_t len, FILE *);

/*
 * Calls `tell` with a warning for each option without effect, and for each
 * option whose effect users rarely expect.
 */
void
explain_options(const struct order *, void (*tell)(const char *format, ...));

#endif
