#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/printable.h"
#include "base/size.h"
#include "doc/hints.h"
#include "doc/lines.h"

/*
 * Maximum length of a line in bytes. It is large because a key can be as long
 * as its record. Without the limit, endless input without a newline could fill
 * the memory.
 */
#define LINE_MOST ((size_t)1 << 30)

enum {
	/*
	 * maximum number of values in a line. A value of one byte takes many
	 * bytes of memory.
	 */
	VALUES_MOST = 1000000,
	/*
	 * maximum size in bytes of a key that is also shown as text; a longer
	 * key is shown only in hexadecimal
	 */
	TEXT_MOST = 64
};

int
doc_open(struct doc_in *d, const char *path, struct hp_err *e)
{
	*d = (struct doc_in){ .file = stdin, .name = "standard input" };
	if (strcmp(path, "-") == 0)
		return 0;
	d->name = path;
	if ((d->file = fopen(path, "re")) == NULL)
		return hp_fail_errno(e, HP_IO, "%s", path);
	return 0;
}

void
doc_close(struct doc_in *d)
{
	json_decref(d->object);
	json_decref(d->hinted);
	free(d->buf);
	if (d->file != NULL && d->file != stdin)
		fclose(d->file);
	*d = (struct doc_in){ 0 };
}

int
doc_fail(const struct doc_in *d, struct hp_err *e, const char *fmt, ...)
{
	char text[HP_ERR_TEXT - 300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return hp_fail(
	    e, HP_INPUT, "%.256s: line %zu: %s", d->name, d->line, text);
}

int
doc_unexpected(const struct doc_in *d, const char *expected, struct hp_err *e)
{
	return doc_fail(
	    d, e, "expected %s, this is a '%.64s'", expected, d->type);
}

static bool
blank(const char *s, size_t len)
{
	while (len > 0 && strchr(" \t\r\n", s[len - 1]) != NULL)
		len--;
	return len == 0;
}

/*
 * Returns the length of the byte order mark at the start of the file, which
 * some editors write; 0 if there is none.
 */
static size_t
mark(const struct doc_in *d, size_t len)
{
	return d->line == 1 && len >= 3 &&
		memcmp(d->buf, "\xef\xbb\xbf", 3) == 0
	    ? 3
	    : 0;
}

static json_t *
parse(const char *s, size_t len, json_error_t *je)
{
	json_t *v = json_loadb(s, len, JSON_REJECT_DUPLICATES, je);

	/*
	 * An unknown member may have an integer that overflows. Then read
	 * integers as real numbers: no known member needs such a large integer.
	 */
	if (v == NULL && json_error_code(je) == json_error_numeric_overflow)
		v = json_loadb(s, len,
		    JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, je);
	return v;
}

/*
 * Reads the next line with its newline. Returns 1, 0 at the end, or -1. Fails
 * at the first NUL byte, because a device such as /dev/zero sends NUL bytes
 * without a newline.
 */
static int
read_line(struct doc_in *d, size_t *len, struct hp_err *e)
{
	int c = 0;

	*len = 0;
	d->line++;
	while (c != '\n' && (c = getc_unlocked(d->file)) != EOF) {
		if (c == '\0')
			return doc_fail(
			    d, e, "column %zu: a NUL byte", *len + 1);
		if (*len == LINE_MOST)
			return doc_fail(d, e, "the line is longer than 1 GiB");
		if (ARRAY_ROOM(d->buf, *len, d->cap) == -1)
			return hp_fail(e, HP_NOMEM, "%.256s", d->name);
		d->buf[(*len)++] = (char)c;
	}
	if (c != EOF)
		return 1;
	if (ferror(d->file))
		return hp_fail_errno(e, HP_IO, "%s", d->name);
	if (*len == 0)
		d->line--;
	return *len > 0;
}

/* Fails and says why a line of len bytes is not valid JSON. */
static int
bad_line(const struct doc_in *d, size_t len, const json_error_t *je,
    struct hp_err *e)
{
	enum json_error_code code = json_error_code(je);

	if (code == json_error_null_character)
		return doc_fail(
		    d, e, "column %d: a NUL character in a string", je->column);
	/*
	 * The JSON object does not end in this line. If the line has a newline,
	 * the probable reason is that jq has printed the object over several
	 * lines, as it does by default. So the message says how to avoid this.
	 * If the newline is missing, the file is truncated.
	 */
	if (code == json_error_premature_end_of_input &&
	    d->buf[len - 1] == '\n')
		return doc_fail(d, e,
		    "the line ends inside a value: write one object per line, "
		    "as jq -c does");
	return doc_fail(d, e, "column %d: %s", je->column, je->text);
}

/*
 * Returns whether the line may have too many values. Each value after the first
 * one in a list or object follows a comma, and each list or object begins with
 * a bracket.
 */
static bool
has_too_many(const char *line, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += line[i] == ',' || line[i] == '[' || line[i] == '{';
	return n > VALUES_MOST;
}

/* Parses the line with jansson. */
static int
read_object(struct doc_in *d, const char *line, size_t len, struct hp_err *e)
{
	json_error_t je;

	if (has_too_many(line, len))
		return doc_fail(
		    d, e, "the line has more than %d values", VALUES_MOST);
	d->object = parse(line, len, &je);
	if (d->object == NULL)
		return bad_line(d, d->len, &je, e);
	if (!json_is_object(d->object))
		return doc_fail(d, e, "expected an object with a type");
	d->type = json_string_value(json_object_get(d->object, "type"));
	return 0;
}

/*
 * Parses the line in place with the fast parser. Returns false if the line is
 * not in the simple form that the fast parser supports.
 */
static bool
read_flat(struct doc_in *d, const char *line, size_t len)
{
	const struct flat_member *type;

	d->inside = 0;
	if (!flat_read(&d->flat, line, len))
		return false;
	type = &d->flat.member[flat_find(&d->flat, 0, "type")];
	if (type == d->flat.member || type->kind != FLAT_TEXT ||
	    type->text_len >= sizeof d->type_text)
		return false;
	memcpy(d->type_text, type->text, type->text_len);
	d->type_text[type->text_len] = '\0';
	d->type = d->type_text;
	return true;
}

int
doc_next(struct doc_in *d, struct hp_err *e)
{
	size_t skip;
	int rc;

	json_decref(d->object);
	d->object = NULL;
	do {
		if ((rc = read_line(d, &d->len, e)) != 1)
			return rc;
		skip = mark(d, d->len);
	} while (blank(d->buf + skip, d->len - skip));
	if ((!d->no_object || !read_flat(d, d->buf + skip, d->len - skip)) &&
	    read_object(d, d->buf + skip, d->len - skip, e) == -1)
		return -1;
	if (d->type == NULL)
		return doc_fail(d, e, "the object has no type");
	doc_hint(d, e);
	return 1;
}

int
doc_each(const char *path,
    int (*line)(struct doc_in *, void *, struct hp_err *), void *context,
    struct hp_err *e)
{
	struct doc_in d;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if ((rc = line(&d, context, e)) == -1)
			break;
	doc_close(&d);
	return rc;
}

int
doc_put(FILE *f, json_t *object, struct hp_err *e)
{
	int bad;

	if (object == NULL)
		return hp_fail(e, HP_NOMEM, "document");
	bad = json_dumpf(object, f, JSON_COMPACT | JSON_ENSURE_ASCII) == -1 ||
	    putc('\n', f) == EOF;
	json_decref(object);
	if (bad && !ferror(f))
		return hp_fail(e, HP_NOMEM, "document");
	return bad ? hp_fail_errno(e, HP_IO, "document") : 0;
}

int
doc_put_unless(FILE *f, bool bad, json_t *object, struct hp_err *e)
{
	if (bad)
		json_decref(object);
	return doc_put(f, bad ? NULL : object, e);
}

bool
doc_is_text(const char *text)
{
	json_t *string = json_string(text);
	bool is = string != NULL;

	json_decref(string);
	return is;
}

json_t *
doc_hex_new(const unsigned char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = malloc(2 * len + 1);
	json_t *v;

	if (hex == NULL)
		return NULL;
	for (size_t i = 0; i < len; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	v = json_stringn_nocheck(hex, 2 * len);
	free(hex);
	return v;
}

int
doc_set_text(
    json_t *o, const char *member, const unsigned char *key, size_t len)
{
	const char *text = (const char *)key;

	if (len > TEXT_MOST || !is_printable(text, len))
		return 0;
	return json_object_set_new(o, member, json_stringn(text, len));
}

json_t *
doc_number_new(double x)
{
	if (fabs(x) <= (double)COUNT_MOST && x == floor(x))
		return json_integer((json_int_t)x);
	return json_real(x);
}

const char *
doc_name_fault(const char *s)
{
	if (s[0] == '\0' || strlen(s) > 255)
		return "must have 1 to 255 bytes";
	for (; *s != '\0'; s++)
		if (iscntrl((unsigned char)*s))
			return "has a control character";
	return NULL;
}
