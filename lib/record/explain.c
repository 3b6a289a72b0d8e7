#include <stdlib.h>
#include <string.h>

#include "record/chars.h"
#include "record/explain.h"
#include "record/field.h"
#include "record/locate.h"
#include "record/month.h"
#include "record/number.h"
#include "record/part.h"

enum {
	NUMERIC = MEANS_NUMBER | MEANS_GENERAL | MEANS_HUMAN
};

/*
 * Returns how many columns the bytes take on a terminal. A tab takes one
 * column, because it is printed as '>'.
 */
static size_t
columns(const unsigned char *s, const unsigned char *end)
{
	size_t n = 0;

	for (; s < end; s++)
		n += *s == '\t' || (*s >= ' ' && *s != 0x7f);
	return n;
}

static void
mark(const unsigned char *line, const unsigned char *s,
    const unsigned char *end, FILE *f)
{
	size_t width = columns(s, end);

	for (size_t n = columns(line, s); n > 0; n--)
		putc(' ', f);
	if (width == 0)
		fputs("^ no match for key", f);
	while (width-- > 0)
		putc('_', f);
	putc('\n', f);
}

/*
 * Returns the end of the decimal number that begins at s. Returns s if there is
 * no number.
 */
static const unsigned char *
decimal_end(const unsigned char *s, const unsigned char *end, bool unit)
{
	struct decimal d;
	const unsigned char *stop = decimal_read(s, end, &d);

	if (d.nwhole + d.npart == 0)
		return s;
	return stop + (unit && stop < end && number_unit(*stop) > 0);
}

static const unsigned char *
general_end(const unsigned char *s, const unsigned char *end)
{
	char *text = strndup((const char *)s, (size_t)(end - s)), *stop = text;

	if (text == NULL)
		return end;
	strtold(text, &stop);
	s += stop - text;
	free(text);
	return s;
}

/*
 * Returns the end of the number or the name of a month at the start of the
 * field. The rest of the field does not count.
 */
static const unsigned char *
meaning_end(const struct order_field *f, const unsigned char *s,
    const unsigned char *end)
{
	if (f->meaning & MEANS_MONTH)
		return month_at(s, end) > 0 ? s + 3 : s;
	if (f->meaning & MEANS_GENERAL)
		return general_end(s, end);
	return decimal_end(s, end, (f->meaning & MEANS_HUMAN) != 0);
}

static void
mark_field(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, FILE *out)
{
	const unsigned char *s;
	const unsigned char *end = field_bounds(o, f, line, len, &s);

	/*
	 * --debug underlines the key. With -k 2,1 a key ends before it starts.
	 * Such a key is underlined at its start, or at its end if it starts at
	 * the beginning of the line. GNU sort does the same.
	 */
	if (f->start_field == 0 && f->start_char == 0 && end < s)
		s = end;
	if (f->meaning & (NUMERIC | MEANS_MONTH)) {
		s = skip_blanks(s, end < s ? line + len : end);
		if (s < end)
			end = meaning_end(f, s, end);
	}
	mark(line, s, end > s ? end : s, out);
}

void
explain_line(
    const struct order *o, const unsigned char *line, size_t len, FILE *out)
{
	for (size_t i = 0; i < len; i++)
		putc(line[i] == '\t' ? '>' : line[i], out);
	putc('\n', out);
	for (size_t i = 0; i < o->nfields; i++)
		mark_field(o, &o->field[i], line, len, out);
	if (o->nfields == 0 || !(o->unique || o->stable))
		mark(line, line, line + len, out);
}

/*
 * Warns that a key has the obsolete form +POS1 -POS2, and shows the equivalent
 * -k.
 */
static void
tell_old(const struct order_field *f, void (*tell)(const char *format, ...))
{
	size_t start = f->start_field, end = f->end_field;

	if (end == SIZE_MAX)
		tell("obsolescent key '+%zu' used; consider '-k %zu' instead",
		    start, start + 1);
	else
		tell("obsolescent key '+%zu -%zu' used; consider '-k %zu,%zu' "
		     "instead",
		    start, end + 1, start + 1, end + 1);
}

static void
tell_key(const struct order *o, size_t i, void (*tell)(const char *format, ...))
{
	const struct order_field *f = &o->field[i];
	bool to_end = f->end_field == SIZE_MAX;
	bool empty = !to_end && f->end_field < f->start_field;
	bool skips = (f->meaning & (NUMERIC | MEANS_MONTH)) != 0;

	if (f->old)
		tell_old(f, tell);
	if (empty)
		tell("key %zu has zero width and will be ignored", i + 1);
	if (!empty && o->tab == -1 &&
	    !(f->end_field == 0 && f->end_char != 0) &&
	    ((!f->start_skips && !skips) ||
		(!f->start_skips && f->start_char != 0) ||
		(!f->end_skips && f->end_char != 0)))
		tell("leading blanks are significant in key %zu; consider also "
		     "specifying 'b'",
		    i + 1);
	if ((f->meaning & NUMERIC) != 0 &&
	    (to_end || f->end_field > f->start_field))
		tell("key %zu is numeric and spans multiple fields", i + 1);
}

/*
 * Warns if the field separator is a character that may occur in numbers. Also
 * notes which decimal point is used.
 */
static void
tell_numbers(const struct order *o, void (*tell)(const char *format, ...))
{
	unsigned some = 0, spanning = 0;

	for (size_t i = 0; i < o->nfields; i++) {
		const struct order_field *f = &o->field[i];

		some |= f->meaning & NUMERIC;
		if (!o->implied && f->end_field > f->start_field)
			spanning |= f->meaning & NUMERIC;
	}
	if (some == 0)
		return;
	if (spanning != 0 && o->tab == '.') {
		tell("field separator '.' is treated as a decimal point in "
		     "numbers");
		return;
	}
	if (spanning != 0 && o->tab == '-')
		tell("field separator '-' is treated as a minus sign in "
		     "numbers");
	if ((spanning & MEANS_GENERAL) != 0 && o->tab == '+')
		tell("field separator '+' is treated as a plus sign in "
		     "numbers");
	tell("%snumbers use '.' as a decimal point in this locale",
	    o->tab == '.' ? "" : "note ");
}

/*
 * Warns about ordering options outside any -k that have no effect, because
 * every -k has options of its own.
 */
static void
tell_unused(const struct order *o, void (*tell)(const char *format, ...))
{
	struct order_field unused = o->global;
	char letters[FIELD_LETTERS];
	bool last = !(o->stable || o->unique), reverse;

	for (size_t i = 0; i < o->nfields; i++) {
		const struct order_field *f = &o->field[i];

		unused.meaning &= ~f->meaning;
		unused.start_skips &= !f->start_skips;
		unused.end_skips &= !f->end_skips;
		unused.fold &= !f->fold;
		unused.reverse &= !f->reverse;
		if (unused.ignore == f->ignore)
			unused.ignore = IGNORE_NOTHING;
	}
	reverse = unused.reverse && o->nfields > 0;
	unused.reverse = reverse && !last;
	field_letters(&unused, letters);
	if (letters[0] != '\0')
		tell(letters[1] == '\0' ? "option '-%s' is ignored"
					: "options '-%s' are ignored",
		    letters);
	if (reverse && last)
		tell("option '-r' only applies to last-resort comparison");
}

void
explain_options(const struct order *o, void (*tell)(const char *format, ...))
{
	tell("text ordering performed using simple byte comparison");
	for (size_t i = 0; !o->implied && i < o->nfields; i++)
		tell_key(o, i, tell);
	tell_numbers(o, tell);
	tell_unused(o, tell);
}
