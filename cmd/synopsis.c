/* Prints the synopsis and --help from the option tables. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "cmd.h"
#include "synopsis.h"

enum {
	WIDTH = 79,  /* columns of a line */
	TEXT = 80,   /* bytes of an option with its argument */
	HELP_AT = 33 /* column of an option's description */
};

/* State of printing a synopsis: breaks lines and indents them. */
struct line {
	FILE *f;
	size_t indent, column;
};

static bool
shown(const struct cmd_option *o)
{
	return o->help != NULL;
}

static bool
has_letter(const struct cmd_option *o)
{
	return o->letter > 0 && o->letter < 256;
}

static bool
ends(const struct cmd_option *o)
{
	return o->letter == 0 && o->name == NULL;
}

/*
 * Sorts options as in the manuals: letters first, A a B b, then long options.
 */
static int
before(const void *a, const void *b)
{
	const struct cmd_option *x = *(const struct cmd_option *const *)a;
	const struct cmd_option *y = *(const struct cmd_option *const *)b;

	if (has_letter(x) != has_letter(y))
		return has_letter(x) ? -1 : 1;
	if (!has_letter(x))
		return strcmp(x->name, y->name);
	if (tolower(x->letter) != tolower(y->letter))
		return tolower(x->letter) - tolower(y->letter);
	return x->letter - y->letter;
}

/*
 * Returns true if a set of forms contains form i.  The empty set stands for all
 * forms.
 */
static bool
in_form(unsigned forms, size_t i)
{
	return forms == 0 || (forms >> i & 1) != 0;
}

/*
 * Collects and sorts the options of form i of the synopsis, or of all forms if
 * i is SIZE_MAX.  If the synopsis shows one word instead of a table's options,
 * only SIZE_MAX collects them.
 */
static size_t
collect(const struct cmd_syntax *s, size_t i,
    const struct cmd_option *row[CMD_OPTIONS_MOST])
{
	bool all = i == SIZE_MAX;
	size_t n = 0;

	for (const struct cmd_part *p = s->part; p->option != NULL; p++) {
		if (!all && (p->as != NULL || !in_form(p->forms, i)))
			continue;
		for (const struct cmd_option *o = p->option; !ends(o); o++)
			if (shown(o) && (all || in_form(o->forms, i)) &&
			    n < CMD_OPTIONS_MOST)
				row[n++] = o;
	}
	qsort(row, n, sizeof *row, before);
	return n;
}

static void
put_word(struct line *l, const char *word, size_t len)
{
	if (l->column + 1 + len > WIDTH) {
		fprintf(l->f, "\n%*s", (int)l->indent, "");
		l->column = l->indent;
	} else if (l->column > l->indent) {
		putc(' ', l->f);
		l->column++;
	}
	fwrite(word, 1, len, l->f);
	l->column += len;
}

/*
 * Prints a text word by word, with line breaks between words.  Brackets with
 * their contents count as one word.
 */
static void
put_words(struct line *l, const char *text)
{
	const char *end;
	int depth;

	for (; text != NULL && *text != '\0'; text = end + (*end == ' ')) {
		depth = 0;
		for (end = text; *end != '\0' && (depth > 0 || *end != ' ');
		     end++)
			depth += (*end == '[' || *end == '(') -
			    (*end == ']' || *end == ')');
		put_word(l, text, (size_t)(end - text));
	}
}

/* Returns true if the text contains the name of the option as a word. */
static bool
names(const char *text, const char *option)
{
	size_t len = strlen(option);

	for (const char *s = text; s != NULL && *s != '\0'; s++)
		if (strncmp(s, option, len) == 0 &&
		    (s == text || strchr(" [(|", s[-1]) != NULL) &&
		    !isalnum((unsigned char)s[len]) && s[len] != '-')
			return true;
	return false;
}

/* Writes "-o" or, without a letter, "--stats". */
static void
short_name(const struct cmd_option *o, char text[TEXT])
{
	if (has_letter(o))
		snprintf(text, TEXT, "-%c", o->letter);
	else
		snprintf(text, TEXT, "--%s", o->name);
}

static bool
named(const struct cmd_form *f, const struct cmd_option *o)
{
	char text[TEXT];

	short_name(o, text);
	return names(f->head, text) || names(f->tail, text);
}

/* Returns true if the option has a letter and needs no argument. */
static bool
is_flag(const struct cmd_option *o)
{
	return has_letter(o) && (o->arg == NULL || o->arg[0] == '[');
}

/* Prints all options without arguments as one word, such as [-bdf]. */
static void
put_flags(struct line *l, const struct cmd_form *f,
    const struct cmd_option *const *row, size_t n)
{
	char text[TEXT] = "[-";
	size_t len = 2;

	for (size_t i = 0; i < n; i++)
		if (is_flag(row[i]) && !named(f, row[i]) && len < TEXT - 2)
			text[len++] = (char)row[i]->letter;
	if (len == 2)
		return;
	text[len++] = ']';
	put_word(l, text, len);
}

static void
put_option(struct line *l, const struct cmd_option *o)
{
	char text[2 * TEXT], option[TEXT];
	bool spaced = o->arg != NULL && o->arg[0] != '[';

	short_name(o, option);
	snprintf(text, sizeof text, "[%s%s%s]%s", option, spaced ? " " : "",
	    o->arg != NULL ? o->arg : "", o->many ? "..." : "");
	put_word(l, text, strlen(text));
}

static void
put_form(struct line *l, const struct cmd_syntax *s, size_t i)
{
	const struct cmd_option *row[CMD_OPTIONS_MOST];
	const struct cmd_form *f = &s->form[i];
	size_t n = collect(s, i, row);

	put_words(l, f->head);
	put_flags(l, f, row, n);
	for (size_t k = 0; k < n; k++)
		if (!is_flag(row[k]) && !named(f, row[k]))
			put_option(l, row[k]);
	for (const struct cmd_part *p = s->part; p->option != NULL; p++)
		if (p->as != NULL && in_form(p->forms, i))
			put_words(l, p->as);
	put_words(l, f->tail);
}

static void
put_synopsis(FILE *f, const struct cmd_syntax *s)
{
	struct line l = { .f = f };

	for (size_t i = 0; s->form[i].head != NULL || s->form[i].tail != NULL;
	     i++) {
		l.indent = (size_t)fprintf(
		    f, "%s%s ", i == 0 ? "usage: " : "       ", getprogname());
		l.column = l.indent;
		put_form(&l, s, i);
		putc('\n', f);
	}
}

static void
put_help(FILE *f, const struct cmd_option *o)
{
	bool spaced = o->arg != NULL && o->arg[0] != '[';
	char text[2 * TEXT], letter[8] = "    ", name[TEXT] = "";

	if (has_letter(o))
		snprintf(letter, sizeof letter, "-%c%s", o->letter,
		    o->name != NULL ? ", " : "");
	if (o->name != NULL)
		snprintf(name, sizeof name, "--%s", o->name);
	snprintf(text, sizeof text, "  %s%s%s%s", letter, name,
	    spaced ? " " : "", o->arg != NULL ? o->arg : "");
	fprintf(f, "%-*s %s\n", HELP_AT - 1, text, o->help);
}

void
cmd_usage(const struct cmd_syntax *s)
{
	put_synopsis(stderr, s);
	exit(EXIT_TROUBLE);
}

void
cmd_misuse(const struct cmd_syntax *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarnx(fmt, ap);
	va_end(ap);
	cmd_usage(s);
}

void
cmd_help(const struct cmd_syntax *s)
{
	static const struct cmd_option last[] = {
		{ CMD_HELP, "help", NULL, "print this text" },
		{ CMD_VERSION, "version", NULL, "print the version" },
	};
	const struct cmd_option *row[CMD_OPTIONS_MOST];
	size_t n = collect(s, SIZE_MAX, row);
	struct hp_err e = { 0 };

	put_synopsis(stdout, s);
	putchar('\n');
	for (size_t i = 0; i < n; i++)
		put_help(stdout, row[i]);
	for (size_t i = 0; i < sizeof last / sizeof *last; i++)
		put_help(stdout, &last[i]);
	exit(cmd_finish(0, &e));
}
