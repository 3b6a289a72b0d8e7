#ifndef HP_JOB_PRINTABLE_H
#define HP_JOB_PRINTABLE_H

/*
 * Text of a node on its way to a terminal.  Control characters could move the
 * cursor, change the title or, on some terminals, type: they are shown as a
 * backslash and three octal digits, and so is what is not UTF-8.  Tabs stay.
 */

#include <stddef.h>

/* Bytes that a text of n bytes needs at most, with the NUL. */
#define PRINTABLE(n) (4 * (n) + 1)

/* Writes at most size bytes with the NUL, and returns `out`. */
char *printable(const char *text, size_t len, char *out, size_t size);

#endif
