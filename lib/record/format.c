#include <inttypes.h>
#include <string.h>

#include "record/format.h"

const struct format format_line = { .kind = FORMAT_LINE, .delim = '\n' };

/*
 * The maximum size in bytes of a fixed-size record. Many records must fit into
 * memory.
 */
static const uint64_t SIZE_MOST = (uint64_t)1 << 30;

/*
 * Parses digits and advances *s past them. Returns -1 if there are no digits.
 * Stores some number above SIZE_MOST if the number is larger than that.
 */
static int
number(const char **s, uint64_t *n)
{
	const char *start = *s;

	for (*n = 0; **s >= '0' && **s <= '9'; ++*s)
		if (*n <= SIZE_MOST)
			*n = *n * 10 + (uint64_t)(**s - '0');
	return *s == start ? -1 : 0;
}

/* Parses SIZE[,KEYOFFSET,KEYLENGTH]. */
static int
parse_record(const char *arg, const char *s, struct format *f, struct hp_err *e)
{
	uint64_t size, off = 0, len;

	if (number(&s, &size) == -1 || size == 0)
		goto bad;
	len = size;
	if (*s == ',') {
		s++;
		if (number(&s, &off) == -1 || *s++ != ',' ||
		    number(&s, &len) == -1)
			goto bad;
	}
	if (*s != '\0')
		goto bad;
	if (size > SIZE_MOST)
		return hp_fail(e, HP_USAGE,
		    "format '%s': a record has at most %" PRIu64 " bytes", arg,
		    SIZE_MOST);
	if (len == 0 || off + len > size)
		return hp_fail(e, HP_USAGE,
		    "format '%s': the key must lie inside the record", arg);
	*f = (struct format){ .kind = FORMAT_RECORD,
		.size = size,
		.key_off = off,
		.key_len = len };
	return 0;
bad:
	return hp_fail(e, HP_USAGE,
	    "format '%s': expected record:SIZE[,KEYOFFSET,KEYLENGTH]", arg);
}

static int
parse_number(const char *s, struct format *f)
{
	static const struct {
		const char *name;
		enum number_kind kind;
		size_t size;
	} names[] = {
		{ "u8", NUMBER_UNSIGNED, 1 },
		{ "u16", NUMBER_UNSIGNED, 2 },
		{ "u32", NUMBER_UNSIGNED, 4 },
		{ "u64", NUMBER_UNSIGNED, 8 },
		{ "i8", NUMBER_SIGNED, 1 },
		{ "i16", NUMBER_SIGNED, 2 },
		{ "i32", NUMBER_SIGNED, 4 },
		{ "i64", NUMBER_SIGNED, 8 },
		{ "f32", NUMBER_FLOAT, 4 },
		{ "f64", NUMBER_FLOAT, 8 },
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t n = strlen(names[i].name);

		if (strncmp(s, names[i].name, n) != 0 ||
		    (s[n] != '\0' && strcmp(s + n, "be") != 0))
			continue;
		*f = (struct format){ .kind = FORMAT_NUMBER,
			.size = names[i].size,
			.key_len = names[i].size,
			.number = names[i].kind,
			.big_endian = s[n] != '\0' };
		return 0;
	}
	return -1;
}

int
format_parse(const char *arg, struct format *f, struct hp_err *e)
{
	if (strcmp(arg, "line") == 0) {
		*f = format_line;
		return 0;
	}
	if (strcmp(arg, "gensort") == 0)
		return parse_record(arg, "100,0,10", f, e);
	if (strncmp(arg, "record:", 7) == 0)
		return parse_record(arg, arg + 7, f, e);
	if (parse_number(arg, f) == 0)
		return 0;
	return hp_fail(e, HP_USAGE,
	    "format '%s': expected line, record:SIZE[,KEYOFFSET,KEYLENGTH], "
	    "gensort, or a number: u8 to u64, i8 to i64, f32, f64, with be "
	    "at the end for big-endian",
	    arg);
}
