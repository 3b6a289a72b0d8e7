/*
 * Records compared as they are, key by key as sort(1) does it, to the same
 * order as that of their normalized keys (key.c).
 */
#include <string.h>

#include "record/part.h"

static int
compare_text(const struct order_field *f, struct text a, struct text b)
{
	int x, y;

	if (f->ignore == IGNORE_NOTHING && !f->fold)
		return key_cmp(
		    a.at, (size_t)(a.end - a.at), b.at, (size_t)(b.end - b.at));
	do {
		x = text_next(&a);
		y = text_next(&b);
	} while (x == y && x != -1);
	return x - y;
}

static int
month_compare(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	return month_at(skip_blanks(a, a + alen), a + alen) -
	    month_at(skip_blanks(b, b + blen), b + blen);
}

static int
compare_field(const struct order *o, const struct order_field *f,
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	const struct letters *l = letters_of(f);
	struct text x = { l, a, a + alen }, y = { l, b, b + blen };
	int c;

	if (f->meaning & MEANS_RANDOM) {
		c = random_compare(o->salt, x, y);
		return c != 0 ? c : compare_text(f, x, y);
	}
	switch (f->meaning) {
	case 0:
		return compare_text(f, x, y);
	case MEANS_GENERAL:
		return general_compare(a, alen, b, blen);
	case MEANS_HUMAN:
		return human_compare(a, alen, b, blen, f->fold);
	case MEANS_MONTH:
		return month_compare(a, alen, b, blen);
	case MEANS_NUMBER:
		return number_compare(a, alen, b, blen);
	default:
		return version_compare(x, y);
	}
}

int
order_compare(const struct order *o, const unsigned char *a, size_t alen,
    const unsigned char *b, size_t blen, bool primary)
{
	const unsigned char *x, *y;
	size_t n, m;
	int c = 0;

	for (size_t i = 0; i < o->nfields && c == 0; i++) {
		const struct order_field *f = &o->field[i];

		n = field_locate(o, f, a, alen, &x);
		m = field_locate(o, f, b, blen, &y);
		c = compare_field(o, f, x, n, y, m);
		c = f->reverse ? -c : c;
	}
	if (c == 0 && (o->nfields == 0 || (o->tie && !primary))) {
		c = key_cmp(a, alen, b, blen);
		c = o->global.reverse ? -c : c;
	}
	return c;
}
