#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "cmd.h"
#include "synopsis.h"

enum {
	LONG = 1024, /* getopt_long's code for the long option of row 0 */
	DAY_S = 86400
};

static const struct cmd_option common[] = {
	{ CMD_HELP, "help" },
	{ CMD_VERSION, "version" },
	{ 0 },
};

static int
takes(const struct cmd_option *o)
{
	if (o->arg == NULL)
		return no_argument;
	return o->arg[0] == '[' ? optional_argument : required_argument;
}

static bool
has_letter(const struct cmd_option *o)
{
	return o->letter > 0 && o->letter < 256;
}

static void
add_row(struct cmd_parser *p, const struct cmd_option *o, unsigned forms,
    char *base)
{
	size_t n = p->nrows++;

	if (n == CMD_OPTIONS_MOST)
		abort();
	p->row[n].option = o;
	p->row[n].to = base + o->to;
	p->row[n].forms = o->forms != 0 ? o->forms : forms;
	if (o->name != NULL)
		p->longs[p->nlongs++] = (struct option){ o->name, takes(o),
			NULL, LONG + (int)n };
	if (has_letter(o)) {
		strlcat(p->shorts, (char[]){ (char)o->letter, '\0' },
		    sizeof p->shorts);
		if (takes(o) == required_argument)
			strlcat(p->shorts, ":", sizeof p->shorts);
	}
}

/* Returns true if two sets of forms overlap; 0 stands for all forms. */
static bool
meet(unsigned forms, unsigned others)
{
	return forms == 0 || others == 0 || (forms & others) != 0;
}

static void
add_rows(struct cmd_parser *p, const struct cmd_option *o, unsigned forms,
    char *base)
{
	for (; o->letter != 0 || o->name != NULL; o++)
		if (meet(o->forms, p->syntax->only))
			add_row(p, o, forms, base);
}

void
cmd_parser_init(
    struct cmd_parser *p, const struct cmd_syntax *syntax, void *opts)
{
	*p = (struct cmd_parser){ .syntax = syntax };
	strlcpy(p->shorts, syntax->order, sizeof p->shorts);
	for (const struct cmd_part *a = syntax->part; a->option != NULL; a++)
		if (meet(a->forms, syntax->only))
			add_rows(p, a->option, a->forms, (char *)opts + a->to);
	add_rows(p, common, 0, opts);
}

_Noreturn static void
version(void)
{
	struct hp_err e = { 0 };

	printf("%s (hptools) %s\n", getprogname(), HP_VERSION);
	exit(cmd_finish(0, &e));
}

/*
 * Prints the error behind the name of the option, as the user wrote that name,
 * and exits 2.
 */
_Noreturn static void
bad_argument(const struct cmd_option *o, bool by_letter, const struct hp_err *e)
{
	struct hp_err named = *e;

	if (o->alone || e->kind != HP_USAGE)
		cmd_bad(e);
	snprintf(named.text, sizeof named.text, "%s%.*s: %.*s",
	    by_letter ? "-" : "--", by_letter ? 1 : 64,
	    by_letter ? (char[]){ (char)o->letter, '\0' } : o->name,
	    HP_ERR_TEXT - 80, e->text);
	cmd_bad(&named);
}

int
cmd_next(struct cmd_parser *p, int argc, char *argv[])
{
	int c = getopt_long(argc, argv, p->shorts, p->longs, NULL);
	const struct cmd_option *o;
	struct hp_err e = { 0 };
	size_t n = 0;

	if (c == -1 || c == 1)
		return c;
	if (c >= LONG)
		n = (size_t)(c - LONG);
	else
		while (n < p->nrows && p->row[n].option->letter != c)
			n++;
	if (n == p->nrows)
		cmd_usage(p->syntax);
	p->row[n].given = true;
	o = p->row[n].option;
	if (o->letter == CMD_HELP)
		cmd_help(p->syntax);
	if (o->letter == CMD_VERSION)
		version();
	if (o->set(p->row[n].to, o->letter, optarg, &e) == -1)
		bad_argument(o, c < LONG, &e);
	return 0;
}

int
cmd_parse(const struct cmd_syntax *syntax, void *opts, int argc, char *argv[])
{
	struct cmd_parser p;

	cmd_parser_init(&p, syntax, opts);
	while (cmd_next(&p, argc, argv) == 0)
		continue;
	return optind;
}

int
set_flag(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter, (void)arg, (void)e;
	*(bool *)to = true;
	return 0;
}

int
set_text(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter, (void)e;
	*(const char **)to = arg;
	return 0;
}

int
set_count(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return count_parse(arg, to, e);
}

int
set_above_0(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	if (count_parse(arg, to, e) == -1)
		return -1;
	return *(uint64_t *)to > 0 ? 0
				   : hp_fail(e, HP_USAGE, "must be above 0");
}

int
set_size(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return size_parse(arg, to, e);
}

int
set_number(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return int_parse(arg, 0, UINT64_MAX, to, "number", e);
}

int
set_positive(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return positive_parse(arg, to, "number", e);
}

int
set_speeds(void *to, int letter, const char *arg, struct hp_err *e)
{
	char *copy = strdup(arg), *rest = copy, *item;
	int rc = copy == NULL ? hp_fail(e, HP_NOMEM, "speeds") : 0;
	double speed;

	while (rc == 0 && (item = strsep(&rest, ",")) != NULL)
		rc = positive_parse(item, &speed, "speed", e);
	free(copy);
	return rc == 0 ? set_text(to, letter, arg, e) : -1;
}

int
set_threads(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return threads_parse(arg, to, e);
}

int
set_exchange_threads(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	if (strcmp(arg, "0") != 0 && strcmp(arg, "2") != 0)
		return hp_fail(
		    e, HP_USAGE, "threads '%s': must be 0 or 2", arg);
	*(int *)to = arg[0] - '0';
	return 0;
}

int
set_timeout(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (set_positive(to, letter, arg, e) == -1)
		return -1;
	return *(double *)to <= DAY_S
	    ? 0
	    : hp_fail(e, HP_USAGE, "number '%s': must be at most %d, one day",
		  arg, DAY_S);
}
