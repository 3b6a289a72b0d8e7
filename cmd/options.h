#ifndef HP_CMD_OPTIONS_H
#define HP_CMD_OPTIONS_H

/*
 * The options of a program as tables of rows.  The parser, the synopsis and
 * --help are all made from the same rows.  A new option is one row, one member
 * of the program's struct that receives the value, and its text in the manual.
 *
 *	static const struct cmd_option own[] = {
 *		{ 'o', "output", "FILE", "write to FILE", set_text,
 *		    offsetof(struct opts, output) },
 *		{ 0, "stats", NULL, "print figures on standard error",
 *		    set_flag, offsetof(struct opts, stats) },
 *		{ 0 },
 *	};
 *	static const struct cmd_part parts[] = {
 *		{ ordering_options, offsetof(struct opts, order) },
 *		{ own },
 *		{ 0 },
 *	};
 *	static const struct cmd_form forms[] = {
 *		{ NULL, "[FILE...]" },
 *		{ 0 },
 *	};
 *	static const struct cmd_syntax syntax = { forms, parts, "" };
 *
 *	first_operand = cmd_parse(&syntax, &opts, argc, argv);
 *
 * --help and --version need no row.
 */

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * Stores the argument of an option in *to. Returns -1 with an error if it is
 * invalid. The parser puts the option's name before the error text, unless the
 * row is `alone`.
 *   letter  of the row
 *   arg     NULL if there is none
 */
typedef int cmd_set(void *to, int letter, const char *arg, struct hp_err *);

struct cmd_option {
	int letter;	  /* short option; none if 0 or above 255 */
	const char *name; /* the long option, or NULL */
	/*
	 * Name of the argument; NULL: none. "[=WORD]" is optional and allowed
	 * only after the long option.
	 */
	const char *arg;
	/* One line of at most 46 columns; NULL: the option is not shown. */
	const char *help;
	cmd_set *set;
	size_t to;	/* offset of the value in the part's struct */
	bool alone;	/* errors are sort(1)'s: do not put the name first */
	bool many;	/* the synopsis shows that it may be repeated */
	unsigned forms; /* forms of the option, as in struct cmd_part */
};

/* A table of options and the struct that it fills. */
struct cmd_part {
	const struct cmd_option *option; /* ends with a zeroed row */
	size_t to; /* offset of that struct in the program's struct */
	/*
	 * Bit i: the options of this table belong to form i; 0: to all forms.
	 */
	unsigned forms;
	/* One word that replaces the options in the synopsis, or NULL. */
	const char *as;
};

/*
 * A line of the synopsis: the head, the options in brackets, the tail. Options
 * that the head or the tail contain are not repeated.
 */
struct cmd_form {
	const char *head; /* an action and its required options, or NULL */
	const char *tail; /* operands, or NULL */
};

struct cmd_syntax {
	const struct cmd_form *form; /* ends with a zeroed form */
	const struct cmd_part *part; /* ends with a zeroed part */
	/*
	 * The start of getopt_long's string of options. "": options may follow
	 * operands. "+": stop at the first operand. "-": cmd_next returns each
	 * operand.
	 */
	const char *order;
	unsigned only; /* parse only the options of these forms; 0: all */
};

enum {
	/* Codes of --help and --version, which all programs have. */
	CMD_HELP = 256,
	CMD_VERSION,
	CMD_OPTIONS_MOST = 96
};

struct cmd_parser {
	const struct cmd_syntax *syntax;
	size_t nrows, nlongs;
	struct {
		const struct cmd_option *option;
		char *to;
	} row[CMD_OPTIONS_MOST];
	struct option longs[CMD_OPTIONS_MOST + 1];
	char shorts[3 * CMD_OPTIONS_MOST + 2];
};

/*
 * Parses the command line into *opts. Returns the index of the first operand.
 * Prints help or the version and exits 0 if asked to. Exits 2 with a message
 * that names the option if an argument is invalid. Exits 2 with the synopsis if
 * an option is unknown or lacks its argument.
 */
int cmd_parse(const struct cmd_syntax *, void *opts, int argc, char *argv[]);

/*
 * Parses the command line in single steps, for a program that needs options and
 * operands in order. cmd_next returns 0 after an option. It returns 1 if optarg
 * is an operand (order "-" only). It returns -1 if all the rest, from optind
 * on, are operands.
 */
void
cmd_parser_init(struct cmd_parser *, const struct cmd_syntax *, void *opts);
int cmd_next(struct cmd_parser *, int argc, char *argv[]);

/* Prints a usage error and the synopsis on standard error; exits 2. */
_Noreturn void cmd_misuse(const struct cmd_syntax *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints the synopsis on standard error; exits 2. */
_Noreturn void cmd_usage(const struct cmd_syntax *);
/* Prints the synopsis and a line for each option on standard output; exits. */
_Noreturn void cmd_help(const struct cmd_syntax *);

/* Functions that store arguments. Each comment gives the type of *to. */
cmd_set set_flag;     /* bool: true */
cmd_set set_text;     /* const char *: the argument itself */
cmd_set set_count;    /* uint64_t: count_parse */
cmd_set set_above_0;  /* uint64_t: count_parse, not 0 */
cmd_set set_size;     /* uint64_t: size_parse */
cmd_set set_number;   /* uint64_t: an integer without a unit */
cmd_set set_positive; /* double: positive_parse */
cmd_set set_timeout;  /* double: seconds above 0, at most a day */
/* int: 0 or 2, the threads of hpexchange */
cmd_set set_exchange_threads;

#endif
