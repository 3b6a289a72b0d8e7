#include <sys/stat.h>

#include <ctype.h>
#include <string.h>

#include "mode.h"

/* What the words before `--` contain. */
struct seen {
	bool map, count;
	bool job; /* an option that only jobs have */
	bool n;	  /* the last option was -n without a number */
	int from; /* index of the word from which getopt_long parses */
};

static void
see_name(struct seen *s, const char *name)
{
	static const char *const of_job[] = { "cost", "count", "weights" };

	s->map = s->map || strcmp(name, "map") == 0 ||
	    strcmp(name, "files") == 0;
	for (size_t i = 0; i < sizeof of_job / sizeof *of_job; i++)
		s->job = s->job || strcmp(name, of_job[i]) == 0;
}

/*
 * Handles the option -n.  A number directly after it, as in -n10k, is its
 * argument.  getopt_long would read -n10k as several options, and take the next
 * word as the argument of -k.  So getopt_long is started again after this word.
 */
static void
see_n(struct seen *s, const char *word, int at)
{
	s->n = strcmp(word, "-n") == 0;
	if (strncmp(word, "-n", 2) == 0 && isdigit((unsigned char)word[2])) {
		s->count = true;
		s->from = at;
		optind = 0;
	}
}

enum mode
mode_find(const struct cmd_syntax *syntax, int argc, char *argv[], int *end)
{
	struct cmd_syntax all = *syntax;
	struct cmd_parser p;
	struct opts unused;
	struct seen s = { 0 };
	int c, name, at;

	/*
	 * Let getopt_long find out which words are arguments of options.  With
	 * "-", it does not permute the words, and returns 1 for an operand.
	 * This loop only looks at the options, and stores no values.
	 */
	all.order = "-";
	cmd_parser_init(&p, &all, &unused);
	opterr = 0;
	do {
		name = -1;
		at = s.from + (optind > 0 ? optind : 1);
		c = getopt_long(
		    argc - s.from, argv + s.from, p.shorts, p.longs, &name);
		/*
		 * A negative number after -n is a COUNT, too; it is rejected
		 * later.
		 */
		s.count = s.count ||
		    (s.n && (c == 1 || (c == '?' && isdigit(optopt))));
		s.n = false;
		if (name != -1)
			see_name(&s, p.longs[name].name);
		else if (c == 'n')
			see_n(&s, argv[at], at);
		s.job = s.job || c == 'c';
	} while (c != -1);
	*end = at < argc && strcmp(argv[at], "--") == 0 ? at : argc;
	opterr = 1;
	optind = 0; /* getopt begins again at the first word */
	if (s.map)
		return MODE_MAP;
	if (s.job || (s.count && *end + 1 < argc))
		return MODE_COUNT;
	return MODE_SORT;
}

static bool
reads_stdin(const struct opts *o)
{
	for (int i = 0; i < o->nfiles; i++)
		if (strcmp(o->file[i], "-") == 0)
			return true;
	return o->nfiles == 0;
}

/*
 * Returns a text that says which options of a sort contradict each other, or
 * NULL.
 */
static const char *
sort_fault(const struct opts *o)
{
	struct stat st;

	if ((o->profile_s > 0 || o->learn) &&
	    (o->cluster == NULL || stat(o->cluster, &st) == -1 ||
		!S_ISREG(st.st_mode)))
		return "--profile needs a file of -C, which it writes to";
	if (o->shared && (o->in_place != NULL || o->header > 0 || o->dry))
		return "--shared excludes --dry-run, --header and --in-place";
	if (o->algorithm == DEMAND_RANGE &&
	    (o->in_place != NULL || o->shared || o->order.unique))
		return "-a range excludes --in-place, --shared and -u";
	if (o->profile_key != NULL && (o->profile_s > 0 || o->dry))
		return "--profile-key excludes --dry-run and --profile";
	if (o->learn && (o->dry || o->estimate))
		return "--profile=learn excludes --dry-run and --estimate";
	if (!o->estimate && !o->fewer)
		return NULL;
	if (o->estimate && o->fewer)
		return "--estimate and --use-fewer cannot be combined";
	if (o->in_place != NULL || o->leave != NULL || o->resume)
		return "--estimate and --use-fewer exclude --in-place, --leave "
		       "and --resume";
	return o->profile_s > 0 ? "--estimate and --use-fewer exclude --profile"
				: NULL;
}

/*
 * Returns a text that says which options of a job contradict each other, or
 * NULL.
 */
static const char *
job_fault(const struct opts *o)
{
	if (o->command == NULL || o->command[0] == NULL)
		return "a COMMAND is needed after --";
	if (o->mode == MODE_COUNT && !o->counted && o->weights == NULL)
		return "a job needs -n COUNT, --weights or --map";
	if (o->mode == MODE_COUNT && o->nfiles > 0)
		return "-n and a FILE cannot be combined";
	if (o->estimate && o->resume)
		return "--estimate and --resume cannot be combined";
	if (o->files && o->order.format.kind != FORMAT_LINE)
		return "--files and -F cannot be combined";
	if (o->files && strcmp(o->method, "auto") != 0)
		return "--files and --method cannot be combined";
	if (o->weights == NULL)
		return NULL;
	if (strcmp(o->method, "auto") != 0)
		return "--weights and --method cannot be combined";
	if (strcmp(o->weights, "-") == 0 && o->mode != MODE_COUNT &&
	    reads_stdin(o))
		return "standard input is either FILE or weights";
	return NULL;
}

const char *
mode_fault(const struct opts *o)
{
	const char *fault = o->mode == MODE_SORT ? sort_fault(o) : job_fault(o);

	if (fault != NULL)
		return fault;
	if ((o->nodes > 0) + (o->speeds != NULL) + (o->cluster != NULL) > 1)
		return "only one of -j, --speeds and -C";
	if (o->leave != NULL && o->output != NULL)
		return "only one of -o and --leave";
	if (o->leave != NULL && o->header > 0)
		return "--leave and --header cannot be combined";
	if (o->in_place != NULL && o->nfiles > 0)
		return "--in-place and a FILE cannot be combined";
	if (o->resume && o->dry)
		return "--resume and --dry-run cannot be combined";
	return NULL;
}
