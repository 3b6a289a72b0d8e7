#ifndef HP_COST_FORM_H
#define HP_COST_FORM_H

/*
 * Parses a cost expression into its operations, so that bounds of its value can
 * be computed (bounds.h). muparser evaluates expressions but does not give
 * access to their operations. Very long expressions, and those with other
 * functions, cannot be parsed here but only be evaluated.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum form_op {
	FORM_NUMBER,
	FORM_N,
	FORM_MINUS,
	FORM_ADD,
	FORM_SUBTRACT,
	FORM_MULTIPLY,
	FORM_DIVIDE,
	FORM_POWER,
	FORM_LESS,
	FORM_LESS_EQUAL,
	FORM_EQUAL,
	FORM_NOT_EQUAL,
	FORM_AND,
	FORM_OR,
	FORM_IF,
	FORM_LOG,
	FORM_LOG2,
	FORM_LOG10,
	FORM_EXP,
	FORM_SQRT,
	FORM_SIN,
	FORM_COS,
	FORM_ABS,
	FORM_MIN,
	FORM_MAX
};

enum {
	FORM_MOST = 256 /* operations, about ten times what people write */
};

struct form {
	struct form_part {
		enum form_op op;
		uint16_t arg[3]; /* indices of earlier parts */
		double number;
		/*
		 * The operations are in postfix order. The last one yields the
		 * value of the whole expression.
		 */
	} part[FORM_MOST];
	size_t n;
};

/*
 * Parses an expression without blanks. Returns false if this parser does not
 * support it.
 */
bool form_parse(const char *, struct form *);

#endif
