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
	 * Name of the option's argument; NULL if it has none.  "[=WORD]" is an
	 * optional argument, which is accepted only after the long option.
	 */
	const char *arg;
	/*
	 * Description for --help, one line of at most 46 columns.  Options with
	 * NULL are neither in --help nor in the synopsis.
	 */
	const char *help;
	cmd_set *set;
	size_t to; /* offset of the option's value in the part's struct */
	/* print the error as sort(1) does, without the option's name */
	bool alone;
	/* the synopsis shows "..."  because the option may be repeated */
	bool many;
	/* forms of the synopsis that have the option, as in struct cmd_part */
	unsigned forms;
};

/* A table of options and the struct that it fills. */
struct cmd_part {
	const struct cmd_option *option; /* ends with a zeroed row */
	/*
	 * offset of the struct that receives the values, in the program's
	 * struct
	 */
	size_t to;
	/*
	 * Forms of the synopsis that have the options of this table: bit i for
	 * form i.  0: all forms.
	 */
	unsigned forms;
	/*
	 * Words such as "[ordering]" that the synopsis shows instead of the
	 * options of this table.  NULL: the synopsis shows each option.
	 */
	const char *as;
};

/*
 * A line of the synopsis: the head, the options in brackets, the tail.  An
 * option that the head or the tail mentions is not repeated in the brackets.
 */
struct cmd_form {
	const char *head; /* an action and its required options, or NULL */
	const char *tail; /* operands, or NULL */
};

struct cmd_syntax {
	const struct cmd_form *form; /* ends with a zeroed form */
	const struct cmd_part *part; /* ends with a zeroed part */
	/*
	 * First characters of the string of short options for getopt_long.  "":
	 * options may follow operands.  "+": parsing stops at the first
	 * operand.  "-": cmd_next returns each operand.
	 */
	const char *order;
	unsigned only; /* forms whose options are parsed; 0: all */
};

enum {
	/* Codes that the parser uses for --help and --version. */
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
		unsigned forms; /* of the option or of its table; 0: all */
		bool given;	/* set by cmd_next */
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
 * Parses the command line one option or operand at a time, for programs that
 * depend on their order.  cmd_next returns 0 after an option.  It returns 1 if
 * optarg is an operand (order "-" only).  It returns -1 if the arguments from
 * optind on are all operands.
 */
void
cmd_parser_init(struct cmd_parser *, const struct cmd_syntax *, void *opts);
int cmd_next(struct cmd_parser *, int argc, char *argv[]);

/*
 * Functions that store the argument of an option in *to.  The comments give the
 * type of *to.
 */
cmd_set set_flag;     /* bool: true */
cmd_set set_text;     /* const char *: the argument itself */
cmd_set set_count;    /* uint64_t: count_parse */
cmd_set set_above_0;  /* uint64_t: count_parse, not 0 */
cmd_set set_size;     /* uint64_t: size_parse */
cmd_set set_number;   /* uint64_t: an integer without a unit */
cmd_set set_positive; /* double: positive_parse */
cmd_set set_timeout;  /* double: seconds above 0, at most a day */
/* const char *: a list of numbers above 0, separated by commas */
cmd_set set_speeds;
/* unsigned: number of threads */
cmd_set set_threads;
/* int: 0 or 2, the number of threads of hpexchange */
cmd_set set_exchange_threads;

#endif
