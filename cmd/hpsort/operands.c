/*
 * Handles obsolete forms of the command line: keys +POS1 [-POS2], the option
 * -y, and -o after file names.
 */
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "operands.h"

/*
 * sort(1) ignores -y with its argument if that argument is empty or consists of
 * digits.  Any other word after -y is an option or a file, so this function
 * does not skip it.
 */
void
opts_ignore_y(char *argv[])
{
	if (optarg == argv[optind - 1] &&
	    optarg[strspn(optarg, "0123456789")] != '\0')
		optind--;
}

/*
 * Returns true if hpsort accepts obsolete keys (+POS1 [-POS2]) and -o after
 * files.  POSIX of 1992 and of 2008 allow both.  In POSIX of 2001, +POS1 is a
 * file.
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

	/*
	 * A user who writes one pair of obsolete keys, +POS1 -POS2, probably
	 * means later operands of that form as keys, too.
	 */
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
