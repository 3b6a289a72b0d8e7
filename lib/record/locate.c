/* Finds the bytes of a line that a -k option selects. */
#include "base/bytes.h"
#include "record/chars.h"
#include "record/locate.h"
#include "record/part.h"

static const unsigned char *
find_blank(const unsigned char *s, const unsigned char *end)
{
	uint64_t x, blanks;

	for (; end - s >= 8; s += 8) {
		x = get64(s);
		blanks = bytes_below(x ^ BYTES(' '), 1) |
		    bytes_below(x ^ BYTES('\t'), 1) |
		    bytes_below(x ^ BYTES('\n'), 1);
		if (blanks != 0)
			return s + (size_t)__builtin_ctzll(blanks) / 8;
	}
	while (s < end && !is_blank(*s))
		s++;
	return s;
}

/*
 * Returns the address n fields after s. Blanks before a field are part of the
 * field.
 */
static const unsigned char *
skip_fields(const struct order *o, const unsigned char *s,
    const unsigned char *end, size_t n, bool past_last_tab)
{
	if (o->tab != -1) {
		while (s < end && n-- > 0) {
			s = memchr(s, o->tab, (size_t)(end - s));
			if (s == NULL)
				return end;
			if (n > 0 || past_last_tab)
				s++;
		}
		return s;
	}
	while (s < end && n-- > 0) {
		s = find_blank(skip_blanks(s, end), end);
	}
	return s;
}

static const unsigned char *
skip_chars(const unsigned char *s, const unsigned char *end, size_t n)
{
	return n < (size_t)(end - s) ? s + n : end;
}

const unsigned char *
field_bounds(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, const unsigned char **from)
{
	const unsigned char *end = line + len, *s, *lim = end;
	size_t known = f->start_field, to = f->end_field + (f->end_char == 0);

	s = known == 0 ? line : skip_fields(o, line, end, known, true);
	/*
	 * The end of a key is usually near its start, so begin the search for
	 * the end there.
	 */
	if (f->end_field != SIZE_MAX && to >= known + (f->end_char == 0)) {
		line = s;
		to -= known;
	}
	if (f->start_skips)
		s = skip_blanks(s, end);
	s = skip_chars(s, end, f->start_char);
	if (f->end_field != SIZE_MAX) {
		/* In POS2, character 0 means the end of the field. */
		if (f->end_char == 0)
			lim = skip_fields(o, line, end, to, false);
		else {
			lim = skip_fields(o, line, end, to, true);
			if (f->end_skips)
				lim = skip_blanks(lim, end);
			lim = skip_chars(lim, end, f->end_char);
		}
	}
	*from = s;
	return lim;
}

size_t
field_locate(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, const unsigned char **from)
{
	const unsigned char *lim = field_bounds(o, f, line, len, from);

	return lim > *from ? (size_t)(lim - *from) : 0;
}
