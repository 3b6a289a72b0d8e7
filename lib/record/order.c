/*
 * Interprets the ordering options of sort(1). The meaning of the options, of
 * unusual -k arguments, and of options given outside any -k follows POSIX and
 * GNU sort.
 */
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "record/field.h"
#include "record/part.h"
#include "record/text.h"

void
order_init(struct order *o)
{
	*o = (struct order){
		.format = format_line, .tab = -1, .global = field_whole_line
	};
}

void
order_fini(struct order *o)
{
	free(o->field);
	order_init(o);
}

/*
 * Adds the key of a -k option. If the key has no ordering options, it later
 * gets those given outside any -k (order_ready).
 */
static int
add_key(struct order *o, const struct order_field *f, struct hp_err *e)
{
	struct order_field *grown;

	grown = reallocarray(o->field, o->nfields + 1, sizeof *grown);
	if (grown == NULL)
		return hp_fail_errno(e, HP_NOMEM, "keys");
	o->field = grown;
	o->field[o->nfields++] = *f;
	return 0;
}

int
order_old_key(
    struct order *o, const char *start, const char *end, struct hp_err *e)
{
	struct order_field f;
	int rc = field_parse_old(start, end, &f, e);

	if (rc == 1 && add_key(o, &f, e) == -1)
		return -1;
	return rc;
}

static int
set_tab(struct order *o, const char *arg, struct hp_err *e)
{
	int tab;

	if (arg[0] == '\0')
		return hp_fail(e, HP_USAGE, "empty tab");
	if (strcmp(arg, "\\0") == 0)
		tab = '\0';
	else if (arg[1] == '\0')
		tab = (unsigned char)arg[0];
	else
		return hp_fail(e, HP_USAGE, "multi-character tab '%s'", arg);
	if (o->tab != -1 && o->tab != tab)
		return hp_fail(e, HP_USAGE, "incompatible tabs");
	o->tab = tab;
	return 0;
}

static int
sort_word(struct order *o, const char *word, struct hp_err *e)
{
	static const struct {
		const char *word;
		int letter;
	} words[] = { { "general-numeric", 'g' }, { "human-numeric", 'h' },
		{ "month", 'M' }, { "numeric", 'n' }, { "random", 'R' },
		{ "version", 'V' } };

	/*
	 * Words may be abbreviated to one letter or more, as all first letters
	 * differ.
	 */
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (*word != '\0' &&
		    strncmp(word, words[i].word, strlen(word)) == 0)
			return field_letter(
			    &o->global, words[i].letter, END_START | END_END);
	return hp_fail(e, HP_USAGE,
	    "sort '%s': expected general-numeric, human-numeric, month, "
	    "numeric, random or version",
	    word);
}

int
order_option(struct order *o, int letter, const char *arg, struct hp_err *e)
{
	struct order_field f;

	switch (letter) {
	case ORDER_SORT:
		return sort_word(o, arg, e);
	case ORDER_RANDOM_SOURCE:
		if (o->random_source != NULL &&
		    strcmp(o->random_source, arg) != 0)
			return hp_fail(
			    e, HP_USAGE, "multiple random sources specified");
		o->random_source = arg;
		return 0;
	case 'F':
		return format_parse(arg, &o->format, e);
	case 'k':
		return field_parse(arg, &f, e) == -1 ? -1 : add_key(o, &f, e);
	case 's':
		o->stable = true;
		return 0;
	case 't':
		return set_tab(o, arg, e);
	case 'u':
		o->unique = true;
		return 0;
	case 'z':
		o->zero = true;
		return 0;
	}
	if (field_letter(&o->global, letter, END_START | END_END) == 0)
		return 0;
	return hp_fail(e, HP_USAGE, "unknown ordering option '%c'", letter);
}

static void
inherit(struct order_field *f, const struct order_field *global)
{
	if (field_has_letters(f) || f->reverse)
		return;
	f->start_skips = global->start_skips;
	f->end_skips = global->end_skips;
	f->meaning = global->meaning;
	f->fold = global->fold;
	f->reverse = global->reverse;
	f->ignore = global->ignore;
}

/*
 * Only the options -V, -R, -d and -i may be combined with each other in a key.
 * All other combinations fail.
 */
static int
check_letters(const struct order_field *f, struct hp_err *e)
{
	unsigned numbers = f->meaning &
	    ~(unsigned)(MEANS_VERSION | MEANS_RANDOM);
	bool text = numbers != f->meaning || f->ignore != IGNORE_NOTHING;
	struct order_field shown = *f;
	char letters[FIELD_LETTERS];

	if (__builtin_popcount(numbers) + text <= 1)
		return 0;
	shown.start_skips = shown.end_skips = shown.reverse = false;
	field_letters(&shown, letters);
	return hp_fail(e, HP_USAGE, "options '-%s' are incompatible", letters);
}

int
order_read_salt(struct order *o, struct hp_err *e)
{
	ssize_t n;
	int fd;

	if (o->random_source == NULL) {
		arc4random_buf(o->salt, sizeof o->salt);
		return 0;
	}
	if ((fd = io_open(o->random_source, e)) == -1)
		return -1;
	n = io_read(fd, o->salt, sizeof o->salt);
	io_close(fd);
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", o->random_source);
	if (n < (ssize_t)sizeof o->salt)
		return hp_fail(e, HP_INPUT,
		    "%s: end of file: -R needs %zu bytes", o->random_source,
		    sizeof o->salt);
	return 0;
}

static int
ready_lines(struct order *o, struct hp_err *e)
{
	const struct order_field *f;
	unsigned meanings = 0;

	letters_ready();
	if (o->zero)
		o->format.delim = '\0';
	/*
	 * If ordering options such as -n are given but no -k, the whole line is
	 * the key.
	 */
	if (o->nfields == 0 && field_has_letters(&o->global)) {
		if (add_key(o, &field_whole_line, e) == -1)
			return -1;
		o->implied = true;
	}
	for (size_t i = 0; i < o->nfields; i++) {
		inherit(&o->field[i], &o->global);
		if (check_letters(&o->field[i], e) == -1)
			return -1;
		meanings |= o->field[i].meaning;
	}
	if ((meanings & MEANS_RANDOM) != 0 && order_read_salt(o, e) == -1)
		return -1;
	if (o->nfields == 0) {
		o->tie = false; /* the key is the whole line already */
		o->slice = true;
		o->flip = o->global.reverse;
	} else if (o->nfields == 1) {
		f = &o->field[0];
		o->slice = f->start_field == 0 && f->end_field == SIZE_MAX &&
		    !field_has_letters(f) &&
		    (!o->tie || f->reverse == o->global.reverse);
		o->flip = f->reverse;
		o->slice_off = f->start_char;
		if (o->slice && o->slice_off == 0)
			o->tie = false; /* -k1: the same */
	}
	o->slice_len = SIZE_MAX;
	return 0;
}

static int
ready_fixed(struct order *o, struct hp_err *e)
{
	const struct format *f = &o->format;

	if (o->nfields > 0 || o->tab != -1 || o->zero ||
	    field_has_letters(&o->global))
		return hp_fail(e, HP_USAGE,
		    "-b -d -f -g -h -i -k -M -n -R -t -V -z need lines, not "
		    "records of fixed size");
	o->flip = o->global.reverse;
	o->slice_off = f->key_off;
	o->slice_len = f->key_len;
	if (f->kind == FORMAT_RECORD) {
		o->slice = true;
		if (f->key_len == f->size)
			o->tie = false;
	} else {
		o->tie = false; /* the key is the whole number already */
		o->slice = f->number == NUMBER_UNSIGNED &&
		    (f->big_endian || f->size == 1);
	}
	return 0;
}

int
order_ready(struct order *o, struct hp_err *e)
{
	o->tie = !o->stable && !o->unique;
	return o->format.kind == FORMAT_LINE ? ready_lines(o, e)
					     : ready_fixed(o, e);
}
