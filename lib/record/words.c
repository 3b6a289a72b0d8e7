#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/field.h"
#include "record/words.h"

/*
 * Converts a number that counts from 0 to the form of the -k option, which
 * counts from 1.
 */
static size_t
written(size_t n)
{
	return n == SIZE_MAX ? n : n + 1;
}

static void
put_format(FILE *f, const struct format *format)
{
	static const char kinds[] = { [NUMBER_UNSIGNED] = 'u',
		[NUMBER_SIGNED] = 'i',
		[NUMBER_FLOAT] = 'f' };

	if (format->kind == FORMAT_RECORD && format->size == 100 &&
	    format->key_off == 0 && format->key_len == 10)
		fprintf(f, "-Fgensort%c", '\0');
	else if (format->kind == FORMAT_RECORD)
		fprintf(f, "-Frecord:%zu,%zu,%zu%c", format->size,
		    format->key_off, format->key_len, '\0');
	else if (format->kind == FORMAT_NUMBER)
		fprintf(f, "-F%c%zu%s%c", kinds[format->number],
		    8 * format->size, format->big_endian ? "be" : "", '\0');
}

static void
put_key(FILE *f, const struct order_field *key)
{
	struct order_field shown = *key;
	char letters[FIELD_LETTERS];

	/*
	 * The letter b (skip blanks) is written behind the start or the end of
	 * the key, to which it applies. So omit it from the letters of the
	 * whole key.
	 */
	shown.start_skips = shown.end_skips = false;
	field_letters(&shown, letters);
	fprintf(f, "-k%zu", written(key->start_field));
	if (key->start_char != 0)
		fprintf(f, ".%zu", written(key->start_char));
	fputs(key->start_skips ? "b" : "", f);
	if (key->end_field != SIZE_MAX) {
		fprintf(f, ",%zu", written(key->end_field));
		if (key->end_char != 0)
			fprintf(f, ".%zu", key->end_char);
		fputs(key->end_skips ? "b" : "", f);
	}
	fprintf(f, "%s%c", letters, '\0');
}

static void
put_letters(FILE *f, const struct order *o)
{
	char letters[FIELD_LETTERS];

	field_letters(&o->global, letters);
	if (letters[0] != '\0' || o->stable || o->unique || o->zero)
		fprintf(f, "-%s%s%s%s%c", letters, o->stable ? "s" : "",
		    o->unique ? "u" : "", o->zero ? "z" : "", '\0');
}

/*
 * Writes the options that describe the order, as words of a command line. Each
 * word ends with a NUL.
 */
static void
put_words(FILE *f, const struct order *o)
{
	put_format(f, &o->format);
	if (o->tab == '\0')
		fprintf(f, "-t\\0%c", '\0');
	else if (o->tab != -1)
		fprintf(f, "-t%c%c", o->tab, '\0');
	put_letters(f, o);
	/*
	 * If order_ready has added a key for the whole line, the user did not
	 * give it. So write no option for it.
	 */
	for (size_t i = 0; !o->implied && i < o->nfields; i++)
		put_key(f, &o->field[i]);
	if (o->random_source != NULL)
		fprintf(f, "--random-source=%s%c", o->random_source, '\0');
}

/*
 * Builds the result in one block of memory: pointers to the words, then a copy
 * of the words.
 */
static char **
with_pointers(const char *text, size_t len, size_t *n)
{
	size_t words = 0, pointers;
	char **word, *copy;

	for (size_t i = 0; i < len; i++)
		words += text[i] == '\0';
	pointers = (words + 1) * sizeof *word;
	if ((word = malloc(pointers + len)) == NULL)
		return NULL;
	copy = (char *)word + pointers;
	memcpy(copy, text, len);
	for (size_t i = 0; i < words; i++, copy += strlen(copy) + 1)
		word[i] = copy;
	word[words] = NULL;
	if (n != NULL)
		*n = words;
	return word;
}

char **
order_words(const struct order *o, size_t *n, struct hp_err *e)
{
	char *text = NULL, **word = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (f != NULL) {
		put_words(f, o);
		if (fclose(f) == 0)
			word = with_pointers(text, len, n);
	}
	free(text);
	if (word == NULL)
		hp_fail_errno(e, HP_NOMEM, "ordering options");
	return word;
}
