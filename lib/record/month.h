#ifndef HP_RECORD_MONTH_H
#define HP_RECORD_MONTH_H

/* Names of months in keys (-M). */

#include "record/part.h"

void month_begin(struct part *, const unsigned char *, size_t);

/*
 * Returns the number of the month (1 to 12) whose name starts at s. Returns 0
 * if there is none.
 */
int month_at(const unsigned char *s, const unsigned char *end);

#endif
