/*
 * Parses keys: the argument of -k, POS1[,POS2], and the obsolete form +POS1
 * [-POS2].
 */
#include <string.h>

#include "record/field.h"

const struct order_field field_whole_line = { .end_field = SIZE_MAX };

int
field_letter(struct order_field *f, int letter, enum ends ends)
{
	switch (letter) {
	case 'b':
		f->start_skips |= (ends & END_START) != 0;
		f->end_skips |= (ends & END_END) != 0;
		return 0;
	case 'd':
		f->ignore = IGNORE_NONDICTIONARY;
		return 0;
	case 'f':
		f->fold = true;
		return 0;
	/*
	 * The option -d ignores all characters that -i ignores, so -d stays in
	 * effect if both are given.
	 */
	case 'i':
		if (f->ignore == IGNORE_NOTHING)
			f->ignore = IGNORE_NONPRINTING;
		return 0;
	case 'g':
		f->meaning |= MEANS_GENERAL;
		return 0;
	case 'h':
		f->meaning |= MEANS_HUMAN;
		return 0;
	case 'M':
		f->meaning |= MEANS_MONTH;
		return 0;
	case 'n':
		f->meaning |= MEANS_NUMBER;
		return 0;
	case 'R':
		f->meaning |= MEANS_RANDOM;
		return 0;
	case 'V':
		f->meaning |= MEANS_VERSION;
		return 0;
	case 'r':
		f->reverse = true;
		return 0;
	}
	return -1;
}

bool
field_has_letters(const struct order_field *f)
{
	return f->start_skips || f->end_skips || f->meaning != 0 || f->fold ||
	    f->ignore != IGNORE_NOTHING;
}

void
field_letters(const struct order_field *f, char letters[FIELD_LETTERS])
{
	char *p = letters;

	if (f->start_skips || f->end_skips)
		*p++ = 'b';
	if (f->ignore == IGNORE_NONDICTIONARY)
		*p++ = 'd';
	if (f->fold)
		*p++ = 'f';
	if (f->meaning & MEANS_GENERAL)
		*p++ = 'g';
	if (f->meaning & MEANS_HUMAN)
		*p++ = 'h';
	if (f->ignore == IGNORE_NONPRINTING)
		*p++ = 'i';
	if (f->meaning & MEANS_MONTH)
		*p++ = 'M';
	if (f->meaning & MEANS_NUMBER)
		*p++ = 'n';
	if (f->meaning & MEANS_RANDOM)
		*p++ = 'R';
	if (f->reverse)
		*p++ = 'r';
	if (f->meaning & MEANS_VERSION)
		*p++ = 'V';
	*p = '\0';
}

static const char *
set_letters(struct order_field *f, const char *s, enum ends ends)
{
	while (field_letter(f, *s, ends) == 0)
		s++;
	return s;
}

/*
 * Parses a field or character number like strtoul(3), but rejects a minus sign.
 * Stores SIZE_MAX for a number that is too large.
 */
static const char *
position(const char *s, size_t *n)
{
	const char *start;

	s += strspn(s, " \t\n\v\f\r");
	s += *s == '+';
	start = s;
	for (*n = 0; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (size_t)(*s - '0'), n)) {
			*n = SIZE_MAX;
			return s + strspn(s, "0123456789");
		}
	return s == start ? NULL : s;
}

static int
bad_key(struct hp_err *e, const char *why, const char *arg)
{
	return hp_fail(
	    e, HP_USAGE, "%s: invalid field specification '%s'", why, arg);
}

static int
bad_count(struct hp_err *e, const char *why, const char *at)
{
	return hp_fail(
	    e, HP_USAGE, "%s: invalid count at start of '%s'", why, at);
}

/*
 * Parses the start of a key, FIELD[.CHAR][LETTERS]. FIELD and CHAR count from
 * 1.
 */
static int
parse_start(
    const char *arg, const char **s, struct order_field *f, struct hp_err *e)
{
	const char *next = position(*s, &f->start_field);

	if (next == NULL)
		return bad_count(e, "invalid number at field start", *s);
	if (f->start_field-- == 0)
		return bad_key(e, "field number is zero", arg);
	if (*next == '.') {
		*s = next + 1;
		next = position(*s, &f->start_char);
		if (next == NULL)
			return bad_count(e, "invalid number after '.'", *s);
		if (f->start_char-- == 0)
			return bad_key(e, "character offset is zero", arg);
	}
	*s = set_letters(f, next, END_START);
	return 0;
}

/*
 * Parses the end of a key (the part after the comma), FIELD[.CHAR][LETTERS].
 * CHAR 0 means the end of the field.
 */
static int
parse_end(
    const char *arg, const char **s, struct order_field *f, struct hp_err *e)
{
	const char *next = position(*s, &f->end_field);

	if (next == NULL)
		return bad_count(e, "invalid number after ','", *s);
	if (f->end_field-- == 0)
		return bad_key(e, "field number is zero", arg);
	if (*next == '.') {
		*s = next + 1;
		next = position(*s, &f->end_char);
		if (next == NULL)
			return bad_count(e, "invalid number after '.'", *s);
	}
	*s = set_letters(f, next, END_END);
	return 0;
}

int
field_parse(const char *arg, struct order_field *f, struct hp_err *e)
{
	const char *s = arg;

	*f = field_whole_line;
	if (parse_start(arg, &s, f, e) == -1)
		return -1;
	if (*s == ',' && (s++, parse_end(arg, &s, f, e)) == -1)
		return -1;
	if (*s != '\0')
		return bad_key(e, "stray character in field spec", arg);
	return 0;
}

/*
 * Parses FIELD[.CHAR] in the obsolete form, where both numbers count from 0.
 * Returns NULL if a number is missing.
 */
static const char *
old_position(const char *s, size_t *field, size_t *character)
{
	s = position(s, field);
	return s != NULL && *s == '.' ? position(s + 1, character) : s;
}

int
field_parse_old(
    const char *start, const char *end, struct order_field *f, struct hp_err *e)
{
	const char *s;

	*f = field_whole_line;
	f->old = true;
	s = old_position(start + 1, &f->start_field, &f->start_char);
	if (s == NULL || *set_letters(f, s, END_START) != '\0')
		return 0;
	if (end == NULL)
		return 1;
	if (position(end + 1, &f->end_field) == NULL)
		return bad_count(e, "invalid number after '-'", end + 1);
	s = old_position(end + 1, &f->end_field, &f->end_char);
	if (s == NULL)
		return bad_count(
		    e, "invalid number after '.'", strchr(end, '.') + 1);
	/*
	 * In the old form +A.x -B, fields are numbered from 0, and the key ends
	 * before field B. So the form means -k A+1.x+1,B.
	 */
	if (f->end_char == 0 && f->end_field > 0)
		f->end_field--;
	if (*set_letters(f, s, END_END) != '\0')
		return bad_key(e, "stray character in field spec", end);
	return 1;
}
