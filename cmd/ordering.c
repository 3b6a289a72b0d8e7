#include "cmd.h"
#include "ordering.h"

static int
set(void *to, int letter, const char *arg, struct hp_err *e)
{
	return order_option(to, letter, arg, e);
}

/* clang-format off */
const struct cmd_option ordering_options[] = {
	{ 'b', "ignore-leading-blanks", NULL,
	    "ignore blanks at the start of keys", set },
	{ 'd', "dictionary-order", NULL,
	    "compare only blanks, letters and digits", set },
	{ 'F', "format", "FORMAT",
	    "line, gensort, record:SIZE[,OFF,LEN], i32, ...", set },
	{ 'f', "ignore-case", NULL, "compare letters as upper case", set },
	{ 'g', "general-numeric-sort", NULL,
	    "compare floating-point numbers", set },
	{ 'h', "human-numeric-sort", NULL,
	    "compare numbers with units, such as 2K 1G", set },
	{ 'i', "ignore-nonprinting", NULL,
	    "compare only printable characters", set },
	{ 'k', "key", "POS1[,POS2]", "compare this part of each line", set,
	    .alone = true, .many = true },
	{ 'M', "month-sort", NULL, "compare names of months: JAN to DEC", set },
	{ 'n', "numeric-sort", NULL, "compare decimal numbers", set },
	{ 'R', "random-sort", NULL, "order keys by a random hash", set },
	{ 'r', "reverse", NULL, "reverse the order", set },
	{ 's', "stable", NULL, "keep the order of equal keys", set },
	{ 't', "field-separator", "C", "separate fields by the character C",
	    set, .alone = true },
	{ 'u', "unique", NULL, "keep one record of each key", set },
	{ 'V', "version-sort", NULL, "compare version numbers in text", set },
	{ 'z', "zero-terminated", NULL, "end lines with NUL, not newline", set },
	{ ORDER_RANDOM_SOURCE, "random-source", "FILE",
	    "take the random bytes for -R from FILE", set, .alone = true },
	{ ORDER_SORT, "sort", "WORD",
	    "-n and others by name: numeric, month, ...", set },
	{ 0 },
};
/* clang-format on */

void
ordering_done(struct order *o)
{
	struct hp_err e = { 0 };

	if (order_ready(o, &e) == -1)
		cmd_bad(&e);
}
