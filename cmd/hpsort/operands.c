/* The command line as it was before 1992: keys +POS1 [-POS2], and -y. */
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "opts.h"

/*
 * sort(1) ignores -y, and the word behind it if that is digits or empty:
 * another one is an option or a file.
 */
void
opts_ignore_y(char *argv[])
{
	if (optarg == argv[optind - 1] &&
	    optarg[strspn(optarg, "0123456789")] != '\0')
		optind--;
}

/*
 * POSIX of 1992 and of 2008 allow what that of 2001 does not: keys in their old
 * form, +POS1 [-POS2], which else are files, and -o behind files.
 */
bool
opts_old_usage(void)
{
	const char *s = getenv("_POSIX2_VERSION");
	char *end;
	long version;

	if (s == NULL || *s == '\0')
		return true;
	version = strtol(s, &end, 10);
	return *end != '\0' || version < 200112 || version >= 200809;
}

bool
opts_late_output(const struct opts *o, int argc, char *argv[])
{
	const char *next = optind < argc ? argv[optind] : "";

	return o->old_usage && o->check == 0 && strncmp(next, "-o", 2) == 0 &&
	    (next[2] != '\0' || optind + 1 < argc);
}

void
opts_operand(struct opts *o, int argc, char *argv[])
{
	const char *next = optind < argc ? argv[optind] : "";
	bool pair = next[0] == '-' && next[1] >= '0' && next[1] <= '9';
	struct hp_err e = { 0 };
	int rc = 0;

	/* Who writes one such pair means the next +POS1 so, too. */
	if (optarg[0] == '+' && pair && getenv("POSIXLY_CORRECT") == NULL)
		o->old_usage = true;
	if (optarg[0] == '+' && o->old_usage)
		rc = order_old_key(&o->order, optarg, pair ? next : NULL, &e);
	if (rc == -1)
		cmd_bad(&e);
	if (rc == 0)
		o->operand[o->noperands++] = optarg;
	else if (pair)
		optind++;
}
