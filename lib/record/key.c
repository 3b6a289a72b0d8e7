/*
 * Builds normalized keys (bytes that memcmp sorts as the options ask) of
 * records. The key of a line has a part for each -k. The last part is the whole
 * line, which decides between lines that are otherwise equal.
 */
#include "record/key.h"
#include "record/keybuf.h"
#include "record/part.h"

/*
 * Returns how many parts a key has. The primary key may lack the last part of
 * the whole key, which is the record itself.
 */
static size_t
count_parts(const struct order *o, bool primary)
{
	return o->nfields + (o->nfields == 0 || (o->tie && !primary));
}

static int
line_key(const struct order *o, const unsigned char *line, size_t len,
    bool primary, struct keybuf *b, struct key *key)
{
	size_t n = count_parts(o, primary);
	struct part p;

	/*
	 * Reserve memory even for an empty key, because memcmp needs a valid
	 * address.
	 */
	b->len = 0;
	if (keybuf_reserve(b, 1) == -1)
		return -1;
	for (size_t i = 0; i < n && !keybuf_is_full(b); i++) {
		part_begin(&p, o, i, line, len);
		if (part_put(&p, b) == -1)
			return -1;
		if (i < o->nfields || n == 1)
			key->primary = b->len;
	}
	key->bytes = b->bytes;
	key->len = b->len;
	return 0;
}

/*
 * Builds the key of a fixed-size record. All keys have the same length, so no
 * part needs an end mark.
 */
static int
fixed_key(const struct order *o, const unsigned char *record, struct keybuf *b,
    struct key *key)
{
	const struct format *f = &o->format;

	b->len = 0;
	if (keybuf_put(b, record + f->key_off, f->key_len) == -1 ||
	    (o->tie && keybuf_put(b, record, f->size) == -1))
		return -1;
	if (o->flip)
		complement(b->bytes, b->len);
	*key = (struct key){ b->bytes, b->len, f->key_len };
	return 0;
}

/*
 * Converts a number to bytes that memcmp orders. In signed numbers the sign bit
 * is inverted. In floats the sign bit of positive numbers and all bits of
 * negative ones are inverted, which gives the order of IEEE 754-2008, 5.10.
 */
static int
number_key(const struct order *o, const unsigned char *record, struct keybuf *b,
    struct key *key)
{
	const struct format *f = &o->format;
	unsigned char *p;

	b->len = 0;
	if (keybuf_reserve(b, f->size) == -1)
		return -1;
	p = b->bytes;
	for (size_t i = 0; i < f->size; i++)
		p[i] = record[f->big_endian ? i : f->size - 1 - i];
	b->len = f->size;
	if (f->number == NUMBER_FLOAT && (p[0] & 0x80) != 0)
		complement(b->bytes, b->len);
	else if (f->number != NUMBER_UNSIGNED)
		p[0] ^= 0x80;
	if (o->flip)
		complement(b->bytes, b->len);
	*key = (struct key){ p, f->size, f->size };
	return 0;
}

int
order_key(const struct order *o, const unsigned char *record, size_t len,
    struct keybuf *b, struct key *key)
{
	const struct format *f = &o->format;
	const unsigned char *s;
	size_t n;

	if (f->kind == FORMAT_LINE) {
		if (o->slice && !o->flip && !o->tie) {
			n = o->slice_off < len ? o->slice_off : len;
			s = record + n;
			n = len - n;
			*key = (struct key){ s, n, n };
			return 0;
		}
		return line_key(o, record, len, false, b, key);
	}
	if (o->slice && !o->flip && !o->tie) {
		*key = (struct key){ record + f->key_off, f->key_len,
			f->key_len };
		return 0;
	}
	if (f->kind == FORMAT_NUMBER)
		return number_key(o, record, b, key);
	/*
	 * If the record begins with its key, the whole record serves as the
	 * key. Its first key_len bytes are the primary key. The other bytes
	 * decide between records with equal primary keys.
	 */
	if (!o->flip && f->key_off == 0) {
		*key = (struct key){ record, f->size, f->key_len };
		return 0;
	}
	return fixed_key(o, record, b, key);
}

int
order_primary(const struct order *o, const unsigned char *record, size_t len,
    struct keybuf *b, struct key *key)
{
	if (o->format.kind == FORMAT_LINE && !o->slice)
		return line_key(o, record, len, true, b, key);
	return order_key(o, record, len, b, key);
}

int
order_compare(const struct order *o, const unsigned char *a, size_t alen,
    const unsigned char *b, size_t blen, bool primary)
{
	size_t n = count_parts(o, primary);
	struct part x, y;
	int c = 0;

	for (size_t i = 0; i < n && c == 0; i++) {
		part_begin(&x, o, i, a, alen);
		part_begin(&y, o, i, b, blen);
		c = part_compare(&x, &y);
	}
	return c;
}
