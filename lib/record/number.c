/*
 * Keys for -n: decimal numbers of any length, as sort(1) reads them in the C
 * locale: blanks, a minus sign, digits, a point and digits.
 *
 * Zero is the byte 0x80. A positive number has three parts. The first is the
 * number of digits before the point: one byte from 0x81 (none) to 0xF7, or 0xF8
 * and eight bytes. Then come the digits in pairs; each byte is the value of a
 * pair plus 1. Zeros before the whole part and zeros at the end are left out.
 * The last part is 0x00. In a negative number, all bytes are inverted. No
 * number is a prefix of another.
 */
#include <endian.h>
#include <string.h>

#include "record/chars.h"
#include "record/number.h"
#include "record/part.h"

enum {
	NUMBER_ZERO = 0x80,
	NUMBER_LONG = 0xF8,
	NUMBER_SHORT_MOST = NUMBER_LONG - NUMBER_ZERO - 1
};

/* Removes the zeros at both ends of a number that do not change its value. */
static inline void
trim(struct decimal *d)
{
	for (; d->nwhole > 0 && *d->whole == '0'; d->nwhole--)
		d->whole++;
	while (d->npart > 0 && d->part[d->npart - 1] == '0')
		d->npart--;
}

/* Writes the number of digits to p. Returns how many bytes that takes. */
static size_t
put_count(unsigned char *p, size_t count)
{
	uint64_t big = htobe64(count);

	if (count < NUMBER_SHORT_MOST) {
		*p = (unsigned char)(NUMBER_ZERO + 1 + count);
		return 1;
	}
	*p = NUMBER_LONG;
	memcpy(p + 1, &big, sizeof big);
	return 1 + sizeof big;
}

/*
 * Starts to encode a number as part of a sort key. Writes the number of digits
 * before the decimal point to p->head. The digits follow later, as the body of
 * the part.
 */
static void
put_number(struct part *p, struct decimal *d)
{
	trim(d);
	if (d->nwhole + d->npart == 0) {
		p->head[p->nhead++] = NUMBER_ZERO;
		return;
	}
	p->nhead += put_count(p->head + p->nhead, d->nwhole);
	while (d->npart == 0 && d->whole[d->nwhole - 1] == '0')
		d->nwhole--;
	p->digits = *d;
	p->body = BODY_DIGITS;
	if (d->minus)
		p->mask ^= 0xff;
}

void
number_begin(struct part *p, const unsigned char *s, size_t n)
{
	const unsigned char *end = s + n;
	struct decimal d;

	decimal_read(skip_blanks(s, end), end, &d);
	put_number(p, &d);
}

/* Returns the next digit, or 0 after the last one. */
static inline unsigned
digit_next(struct decimal *d)
{
	if (d->nwhole > 0) {
		d->nwhole--;
		return (unsigned)(*d->whole++ - '0');
	}
	if (d->npart > 0) {
		d->npart--;
		return (unsigned)(*d->part++ - '0');
	}
	return 0;
}

size_t
digits_fill(struct part *p, unsigned char *to, size_t room)
{
	struct decimal d = p->digits;
	size_t n = 0;
	unsigned tens;

	for (; n < room && d.nwhole >= 2; n++, d.whole += 2, d.nwhole -= 2)
		to[n] = (unsigned char)(1 + 10 * (d.whole[0] - '0') +
		    (d.whole[1] - '0'));
	for (; n < room && d.nwhole + d.npart > 0; n++) {
		tens = 10 * digit_next(&d);
		to[n] = (unsigned char)(1 + tens + digit_next(&d));
	}
	p->digits = d;
	if (n < room) {
		to[n++] = 0;
		p->body = BODY_NONE;
	}
	return n;
}

int
number_unit(unsigned char c)
{
	static const char units[] = "KMGTPEZYRQ";
	const char *unit = c == '\0' ? NULL : strchr(units, c == 'k' ? 'K' : c);

	return unit == NULL ? 0 : (int)(unit - units) + 1;
}

/*
 * Keys for -h: first a byte for the unit (the power of 1000 or 1024), then the
 * number. A unit after zero is ignored.
 */
void
human_begin(struct part *p, const unsigned char *s, size_t n, bool fold)
{
	const unsigned char *end = s + n;
	struct decimal d;
	int unit;

	s = decimal_read(skip_blanks(s, end), end, &d);
	unit = s == end ? 0 : number_unit(fold ? to_upper(*s) : *s);
	p->head[p->nhead++] = (unsigned char)(NUMBER_ZERO + unit);
	put_number(p, &d);
	if (p->body == BODY_NONE)
		p->head[0] = NUMBER_ZERO;
}
