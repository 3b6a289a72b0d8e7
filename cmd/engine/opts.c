#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/array.h"
#include "base/size.h"
#include "opts.h"
#include "share/method.h"

static const char usage[] =
    "hprun [-bdfghiMnRrsuVz] [-a exact|psrs|pss|psop]\n"
    "             [-C CLUSTER | -j NODES | --speeds K1,K2,...] [-F FORMAT]\n"
    "             [-k POS1[,POS2]] [-o FILE] [-S SIZE] [-T DIR] [-t CHAR]\n"
    "             [--dry-run] [--header N] [--in-place PATH] [--keep DIR]\n"
    "             [--launch local|ssh] [--leave PATH] [--method METHOD]\n"
    "             [--profile[=SECONDS]] [--progress] [--random-source FILE]\n"
    "             [--resume DIR] [--rsh COMMAND] [--sort WORD]\n"
    "             [--timeout SECONDS] [--trace FILE]\n"
    "             [--transport ssh|tcp|unix] [--without NAME]... [FILE...]";

enum {
	SECONDS_MOST = 99999,
	NODES_MOST = 9999,
	PROFILE_DEFAULT = 60
};

enum {
	OPT_AGENT = CMD_OWN,
	OPT_DRY_RUN,
	OPT_HEADER,
	OPT_IN_PLACE,
	OPT_KEEP,
	OPT_LAUNCH,
	OPT_LEAVE,
	OPT_METHOD,
	OPT_PROFILE,
	OPT_PROGRESS,
	OPT_RESUME,
	OPT_RSH,
	OPT_SPEEDS,
	OPT_TIMEOUT,
	OPT_TRACE,
	OPT_TRANSPORT,
	OPT_WITHOUT
};

/* clang-format off */
static const struct option long_options[] = {
	CMD_ORDER_LONG,
	{ "agent", no_argument, NULL, OPT_AGENT },
	{ "algorithm", required_argument, NULL, 'a' },
	{ "buffer-size", required_argument, NULL, 'S' },
	{ "cluster", required_argument, NULL, 'C' },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "header", required_argument, NULL, OPT_HEADER },
	{ "in-place", required_argument, NULL, OPT_IN_PLACE },
	{ "keep", required_argument, NULL, OPT_KEEP },
	{ "launch", required_argument, NULL, OPT_LAUNCH },
	{ "leave", required_argument, NULL, OPT_LEAVE },
	{ "method", required_argument, NULL, OPT_METHOD },
	{ "nodes", required_argument, NULL, 'j' },
	{ "output", required_argument, NULL, 'o' },
	{ "profile", optional_argument, NULL, OPT_PROFILE },
	{ "progress", no_argument, NULL, OPT_PROGRESS },
	{ "resume", required_argument, NULL, OPT_RESUME },
	{ "rsh", required_argument, NULL, OPT_RSH },
	{ "speeds", required_argument, NULL, OPT_SPEEDS },
	{ "temporary-directory", required_argument, NULL, 'T' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "transport", required_argument, NULL, OPT_TRANSPORT },
	{ "without", required_argument, NULL, OPT_WITHOUT },
	CMD_COMMON_LONG,
	{ NULL, 0, NULL, 0 }
};
/* clang-format on */

static const struct {
	const char *name;
	enum algorithm algorithm;
} algorithms[] = { { "exact", ALGORITHM_EXACT }, { "psrs", ALGORITHM_PSRS },
	{ "pss", ALGORITHM_PSS }, { "psop", ALGORITHM_PSOP } };

void
list_add(struct list *l, const char *word)
{
	if (l->n + 1 >= l->cap) {
		const char **v = array_grow(l->v, &l->cap, sizeof *v);

		if (v == NULL)
			err(EXIT_TROUBLE, "options");
		l->v = v;
	}
	l->v[l->n++] = word;
	l->v[l->n] = NULL;
}

static void
algorithm(struct opts *o, const char *arg)
{
	for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
		if (strcmp(algorithms[i].name, arg) == 0) {
			o->algorithm = algorithms[i].algorithm;
			o->algorithm_name = algorithms[i].name;
			return;
		}
	cmd_misuse(usage, "-a: unknown algorithm '%s'", arg);
}

/* An ordering option, noted as the other programs are to be given it. */
static bool
order_word(struct opts *o, int letter, const char *arg)
{
	static char short_option[256][3];

	/* The nodes get the bytes of the random source as a file. */
	if (letter == ORDER_RANDOM_SOURCE) {
		o->random_source = arg;
		return true;
	}
	if (!cmd_order_option(&o->order, letter, arg))
		return false;
	if (letter == ORDER_SORT)
		list_add(&o->order_words, "--sort");
	else {
		snprintf(short_option[letter], 3, "-%c", letter);
		list_add(&o->order_words, short_option[letter]);
	}
	if (arg != NULL)
		list_add(&o->order_words, arg);
	return true;
}

static void
number(const char *arg, uint64_t low, uint64_t high, uint64_t *to,
    const char *option, const char *what)
{
	struct hp_err e = { 0 };

	if (int_parse(arg, low, high, to, what, &e) == -1)
		cmd_misuse(usage, "%s: %s", option, e.text);
}

static bool
own_option(struct opts *o, int letter, const char *arg)
{
	switch (letter) {
	case 'a':
		algorithm(o, arg);
		return true;
	case 'j':
		number(arg, 1, NODES_MOST, &o->nodes, "-j", "number of nodes");
		return true;
	case OPT_AGENT:
		o->agent = true;
		return true;
	case OPT_DRY_RUN:
		o->dry = true;
		return true;
	case OPT_HEADER:
		number(arg, 0, 99999999999, &o->header, "--header",
		    "number of records");
		return true;
	case OPT_PROFILE:
		o->profile_s = PROFILE_DEFAULT;
		if (arg != NULL)
			number(arg, 1, SECONDS_MOST, &o->profile_s, "--profile",
			    "number of seconds");
		return true;
	case OPT_PROGRESS:
		o->progress = true;
		return true;
	case OPT_KEEP:
	case OPT_RESUME:
		if (o->keep != NULL)
			cmd_misuse(usage, "only one of --keep and --resume");
		o->keep = arg;
		o->resume = letter == OPT_RESUME;
		return true;
	case OPT_TIMEOUT:
		number(arg, 1, SECONDS_MOST, &o->timeout_s, "--timeout",
		    "number of seconds");
		return true;
	case OPT_WITHOUT:
		list_add(&o->without, arg);
		return true;
	}
	return false;
}

static const char *
option_name(int letter, int index)
{
	static char name[3] = "-?";

	if (letter >= 256)
		return long_options[index].name;
	name[1] = (char)letter;
	return name;
}

static void
options(struct opts *o, int argc, char *argv[])
{
	const struct cmd_text texts[] = { { 'C', &o->cluster },
		{ 'o', &o->output }, { 'S', &o->budget }, { 'T', &o->tmpdir },
		{ OPT_IN_PLACE, &o->in_place }, { OPT_LAUNCH, &o->launch },
		{ OPT_LEAVE, &o->leave }, { OPT_METHOD, &o->method },
		{ OPT_RSH, &o->rsh }, { OPT_SPEEDS, &o->speeds },
		{ OPT_TRACE, &o->trace }, { OPT_TRANSPORT, &o->transport },
		{ 0, NULL } };
	int letter, index = 0;

	while ((letter = getopt_long(argc, argv, "a:C:j:o:S:T:" CMD_ORDER_SHORT,
		    long_options, &index)) != -1) {
		if (order_word(o, letter, optarg))
			continue;
		if (optarg != NULL && *optarg == '\0')
			cmd_misuse(usage, "option '%s%s' needs a value",
			    letter >= 256 ? "--" : "",
			    option_name(letter, index));
		if (!cmd_text_option(texts, letter, optarg) &&
		    !own_option(o, letter, optarg))
			cmd_other_option(letter, usage);
	}
}

/* What goes together. */
static void
check(struct opts *o)
{
	enum method method;
	struct hp_err e = { 0 };
	struct stat st;

	if ((o->nodes > 0) + (o->speeds != NULL) + (o->cluster != NULL) > 1)
		cmd_misuse(usage, "only one of -j, --speeds and -C");
	if (o->leave != NULL && o->output != NULL)
		cmd_misuse(usage, "only one of -o and --leave");
	if (o->leave != NULL && o->header > 0)
		cmd_misuse(usage, "--leave is without --header");
	if (o->in_place != NULL && o->nfiles > 0)
		cmd_misuse(usage, "--in-place is without a FILE");
	if (o->resume && o->dry)
		cmd_misuse(usage, "--resume is without --dry-run");
	if (o->profile_s > 0 &&
	    (o->cluster == NULL || stat(o->cluster, &st) == -1 ||
		!S_ISREG(st.st_mode)))
		cmd_misuse(
		    usage, "--profile needs a file of -C, which it writes to");
	if (method_parse(o->method, &method, &e) == -1)
		cmd_misuse(usage, "--method: %s", e.text);
	if (o->transport != NULL && strcmp(o->transport, "ssh") != 0 &&
	    strcmp(o->transport, "tcp") != 0 &&
	    strcmp(o->transport, "unix") != 0)
		cmd_misuse(usage, "--transport: '%s' is none of ssh, tcp, unix",
		    o->transport);
	if (o->random && o->random_source != NULL &&
	    access(o->random_source, R_OK) == -1)
		cmd_misuse(usage, "--random-source: %s: %s", o->random_source,
		    strerror(errno));
}

void
opts_misuse(const struct hp_err *e)
{
	cmd_misuse(usage, "%s", e->text);
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	static char stdin_name[] = "-", *stdin_only[] = { stdin_name, NULL };

	*o = (struct opts){ .algorithm_name = "exact",
		.method = "auto",
		.timeout_s = 30,
		.argv = argv,
		.argc = argc };
	order_init(&o->order);
	options(o, argc, argv);
	o->random = (o->order.global.meaning & MEANS_RANDOM) != 0;
	for (size_t i = 0; i < o->order.nfields; i++)
		if ((o->order.field[i].meaning & MEANS_RANDOM) != 0)
			o->random = true;
	cmd_order_done(&o->order);
	o->file = argv + optind;
	o->nfiles = argc - optind;
	check(o);
	if (o->nfiles == 0 && o->in_place == NULL) {
		o->file = stdin_only;
		o->nfiles = 1;
	}
}
