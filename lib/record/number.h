#ifndef HP_RECORD_NUMBER_H
#define HP_RECORD_NUMBER_H

/* Numbers in keys: decimal numbers (-n), and numbers with units (-h). */

#include <stddef.h>

#include "record/chars.h"

struct part;

/* A number for -n, as its digits before and after the decimal point. */
struct decimal {
	bool minus;
	const unsigned char *whole, *part;
	size_t nwhole, npart;
};

/*
 * Parses the decimal number at s; blanks are not skipped. Returns the end of
 * the number.
 */
static inline const unsigned char *
decimal_read(
    const unsigned char *s, const unsigned char *end, struct decimal *d)
{
	if ((d->minus = s < end && *s == '-'))
		s++;
	for (d->whole = s; digit_at(s, end);)
		s++;
	d->nwhole = (size_t)(s - d->whole);
	d->part = s;
	d->npart = 0;
	if (s < end && *s == '.') {
		for (d->part = ++s; digit_at(s, end);)
			s++;
		d->npart = (size_t)(s - d->part);
	}
	return s;
}

/*
 * Returns which power of 1000 or 1024 a unit letter such as K stands for.
 * Returns 0 if the byte is no unit.
 */
int number_unit(unsigned char);

void number_begin(struct part *, const unsigned char *, size_t);
void human_begin(struct part *, const unsigned char *, size_t, bool fold);
size_t digits_fill(struct part *, unsigned char *to, size_t room);

#endif
