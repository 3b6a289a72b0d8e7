#include "opts.h"

#include <string.h>

#include "base/size.h"
#include "cmd.h"
#include "gen/dist.h"
#include "synopsis.h"

/*
 * Chooses the generator from the options.  Without a distribution, a seed or
 * another format, hpgen writes the same records as the program gensort.
 */
static int
choose_source(struct opts *o, struct hp_err *e)
{
	const char *format = o->format != NULL ? o->format : "gensort";
	struct format gensort, *f = &o->gen.format;

	if (format_parse("gensort", &gensort, e) == -1 ||
	    format_parse(format, f, e) == -1)
		return -1;
	o->gensort = o->gen.dist == NULL && !o->seeded &&
	    f->kind == gensort.kind && f->size == gensort.size &&
	    f->key_off == gensort.key_off && f->key_len == gensort.key_len;
	return 0;
}

/* Checks the options for a distribution of keys, and sets their defaults. */
static int
check_gen(struct opts *o, struct hp_err *e)
{
	struct gen_options *g = &o->gen;
	uint64_t end;

	if (o->ascii || o->skewed)
		return hp_fail(e, HP_USAGE,
		    "-%c is only for gensort's own records: omit -d, --seed "
		    "and other formats",
		    o->ascii ? 'a' : 's');
	if (g->dist == NULL)
		g->dist = "uniform";
	if (o->start > COUNT_MOST || o->count > COUNT_MOST - (uint64_t)o->start)
		return hp_fail(e, HP_USAGE, "record numbers exceed 2^53");
	g->start = (uint64_t)o->start;
	end = g->start + o->count;
	if (g->total == 0)
		g->total = end;
	if (g->total < end)
		return hp_fail(
		    e, HP_USAGE, "--total is less than START and COUNT");
	return 0;
}

static int
check_gensort(const struct opts *o, struct hp_err *e)
{
	if (o->count > 0 && o->count - 1 > ~(gensort_number)0 - o->start)
		return hp_fail(e, HP_USAGE, "record numbers exceed 2^128 - 1");
	return 0;
}

static int
set_start(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return gensort_number_parse(arg, to, "start", e);
}

/*
 * Parses the distribution while options are parsed, so that the error names the
 * option.
 */
static int
set_distribution(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct dist d;

	if (dist_parse(arg, &d, e) == -1)
		return -1;
	return set_text(to, letter, arg, e);
}

static int
set_format(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct format f;

	if (format_parse(arg, &f, e) == -1)
		return -1;
	return set_text(to, letter, arg, e);
}

static int
set_seed(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	o->seeded = true;
	return set_number(&o->gen.seed, letter, arg, e);
}

/* clang-format off */
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'a', "ascii", NULL, "write gensort's records in ASCII",
	    set_flag, TO(ascii) },
	{ 'b', "start", "START", "begin with record number START",
	    set_start, TO(start) },
	{ 'c', "checksum", NULL, "print the checksum on standard error",
	    set_flag, TO(checksum) },
	{ 'd', "distribution", "DIST",
	    "distribution of keys: uniform, zipf, ...", set_distribution, TO(gen.dist) },
	{ 'F', "format", "FORMAT",
	    "line, gensort, record:SIZE[,OFF,LEN], i32, ...",
	    set_format, TO(format) },
	{ 's', "skewed", NULL, "write gensort's skewed keys",
	    set_flag, TO(skewed) },
	{ 0, "seed", "N", "seed the random numbers with N", set_seed },
	{ 0, "total", "N", "the whole data set has N records",
	    set_count, TO(gen.total) },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = { { own }, { 0 } };
static const struct cmd_form forms[] = { { NULL, "COUNT [FILE]" }, { 0 } };
static const struct cmd_syntax syntax = { forms, parts, "" };

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	struct hp_err e = { 0 };
	int first;

	/* The default seed is that of the NAS kernels (Bailey et al.  1991). */
	*o = (struct opts){ .gen.seed = 314159265 };
	first = cmd_parse(&syntax, o, argc, argv);
	argc -= first;
	argv += first;
	if (argc < 1)
		cmd_misuse(&syntax, "the count is missing");
	if (argc > 2)
		cmd_misuse(&syntax, "extra operand '%s'", argv[2]);
	o->file = argv[1];
	if (count_parse(argv[0], &o->count, &e) == -1 ||
	    choose_source(o, &e) == -1 ||
	    (o->gensort ? check_gensort(o, &e) : check_gen(o, &e)) == -1)
		cmd_bad(&e);
}
