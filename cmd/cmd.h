#ifndef HP_CMD_CMD_H
#define HP_CMD_CMD_H

/*
 * What all programs share: usage, the ordering options, and the one way out.
 */

#include <getopt.h>
#include <stdbool.h>

#include "base/err.h"
#include "record/order.h"

enum {
	EXIT_DONE = 0,
	EXIT_NO = 1,	  /* the answer is no */
	EXIT_TROUBLE = 2, /* usage, bad input, input/output */
	EXIT_LOST = 3	  /* a node or peer was lost */
};

/*
 * What is wrong and, as in the SYNOPSIS of the manual, the usage, on standard
 * error; exits 2.
 */
_Noreturn void cmd_misuse(const char *usage, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/*
 * For programs that map their input: a file that somebody else cuts short
 * meanwhile ends them with a message and exit 2, not by SIGBUS.
 */
void cmd_maps_files(void);
/* For programs of more files than is usual: as many as are allowed. */
void cmd_opens_many(void);
/* A library's complaint about an option's argument: print it and exit 2. */
_Noreturn void cmd_bad(const struct hp_err *);

/*
 * The last line of a main: closes standard output and looks at the result,
 * prints the error when rc is -1, and returns the exit code.
 */
int cmd_finish(int rc, struct hp_err *);

/*
 * The ordering options, the same in every program.  A program puts
 * CMD_ORDER_SHORT into its option string and CMD_ORDER_LONG into its table of
 * long options, hands each letter it gets to cmd_order_option first, and calls
 * cmd_order_done after the last.  Both exit 2 on a bad argument.
 */
#define CMD_ORDER_SHORT "bdF:fghik:MnRrst:uVz"
/* clang-format off */
#define CMD_ORDER_LONG \
	{ "ignore-leading-blanks", no_argument, NULL, 'b' }, \
	{ "dictionary-order", no_argument, NULL, 'd' }, \
	{ "format", required_argument, NULL, 'F' }, \
	{ "general-numeric-sort", no_argument, NULL, 'g' }, \
	{ "human-numeric-sort", no_argument, NULL, 'h' }, \
	{ "ignore-case", no_argument, NULL, 'f' }, \
	{ "ignore-nonprinting", no_argument, NULL, 'i' }, \
	{ "key", required_argument, NULL, 'k' }, \
	{ "month-sort", no_argument, NULL, 'M' }, \
	{ "numeric-sort", no_argument, NULL, 'n' }, \
	{ "random-sort", no_argument, NULL, 'R' }, \
	{ "random-source", required_argument, NULL, ORDER_RANDOM_SOURCE }, \
	{ "reverse", no_argument, NULL, 'r' }, \
	{ "sort", required_argument, NULL, ORDER_SORT }, \
	{ "stable", no_argument, NULL, 's' }, \
	{ "field-separator", required_argument, NULL, 't' }, \
	{ "unique", no_argument, NULL, 'u' }, \
	{ "version-sort", no_argument, NULL, 'V' }, \
	{ "zero-terminated", no_argument, NULL, 'z' }
/* clang-format on */
/* Values of the long options that have no letter and that all programs have. */
enum {
	CMD_HELP = 256,
	CMD_VERSION,
	CMD_OWN
};
#define CMD_COMMON_LONG                                   \
	{ "help", no_argument, NULL, CMD_HELP },          \
	{                                                 \
		"version", no_argument, NULL, CMD_VERSION \
	}

/* An option whose argument is taken as it is, and where it goes. */
struct cmd_text {
	int letter;
	const char **to;
};
/* Whether the letter is one of these, which end with letter 0. */
bool cmd_text_option(const struct cmd_text *, int letter, const char *arg);

/*
 * The letters that a program does not know itself: --help, --version, or what
 * is none of its options.
 */
_Noreturn void cmd_other_option(int letter, const char *usage);

/* Whether the letter is an ordering option. */
bool cmd_order_option(struct order *, int letter, const char *arg);
void cmd_order_done(struct order *);

#endif
