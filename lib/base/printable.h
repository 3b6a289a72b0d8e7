#ifndef HP_BASE_PRINTABLE_H
#define HP_BASE_PRINTABLE_H

/*
 * Escapes text that comes from nodes or records, so that it can be printed on a
 * terminal.
 * Control characters could move the cursor, change the title or, on some
 * terminals, enter input. They and bytes that are not UTF-8 become a backslash
 * and three octal digits. Tabs stay.
 */

#include <stdbool.h>
#include <stddef.h>

/* Maximum size of the output for n bytes of text, with the NUL. */
#define PRINTABLE(n) (4 * (n) + 1)

/*
 * Writes the escaped text, at most `size` bytes with the NUL, to `out` and
 * returns `out`.
 */
char *printable(const char *text, size_t len, char *out, size_t size);
/* Returns true if the text needs no escapes. */
bool is_printable(const char *text, size_t len);

#endif
