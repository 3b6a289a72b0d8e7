#ifndef HP_COST_FORM_H
#define HP_COST_FORM_H

/*
 * The form of a cost expression.  muparser evaluates expressions and does not
 * tell their operations, so that they are read once more, for bounds.h.  Not
 * all that muparser reads is read: other functions and long expressions are
 * left to evaluation.
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
	FORM_MOST = 256 /* operations: some ten times what people write */
};

struct form {
	struct form_part {
		enum form_op op;
		uint16_t arg[3]; /* indices of parts before this one */
		double number;
	} part[FORM_MOST]; /* the last one is the whole */
	size_t n;
};

/* False where the expression, without blanks, is not understood. */
bool form_parse(const char *, struct form *);

#endif
