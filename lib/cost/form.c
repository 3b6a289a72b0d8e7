#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/form.h"

enum {
	DEPTH_MOST = 100 /* nested parentheses */
};

struct reader {
	const char *s;
	struct form *form;
	unsigned depth;
	bool bad;
};

/*
 * muparser's operators and their precedence. a > b is stored as b < a, and a >=
 * b as b <= a (`swapped`).
 */
static const struct operator
{
	const char *text;
	int level;
	enum form_op op;
	bool swapped;
}
operators[] = {
	{ "||", 1, FORM_OR, false },
	{ "&&", 2, FORM_AND, false },
	{ "<=", 4, FORM_LESS_EQUAL, false },
	{ ">=", 4, FORM_LESS_EQUAL, true },
	{ "==", 4, FORM_EQUAL, false },
	{ "!=", 4, FORM_NOT_EQUAL, false },
	{ "<", 4, FORM_LESS, false },
	{ ">", 4, FORM_LESS, true },
	{ "+", 5, FORM_ADD, false },
	{ "-", 5, FORM_SUBTRACT, false },
	{ "*", 6, FORM_MULTIPLY, false },
	{ "/", 6, FORM_DIVIDE, false },
	{ "^", 7, FORM_POWER, false },
};

static const struct function {
	const char *name;
	enum form_op op;
	unsigned least, most; /* minimum and maximum number of arguments */
} functions[] = {
	{ "log", FORM_LOG, 1, 1 },
	{ "ln", FORM_LOG, 1, 1 },
	{ "log2", FORM_LOG2, 1, 1 },
	{ "log10", FORM_LOG10, 1, 1 },
	{ "exp", FORM_EXP, 1, 1 },
	{ "sqrt", FORM_SQRT, 1, 1 },
	{ "sin", FORM_SIN, 1, 1 },
	{ "cos", FORM_COS, 1, 1 },
	{ "abs", FORM_ABS, 1, 1 },
	{ "pow", FORM_POWER, 2, 2 },
	{ "min", FORM_MIN, 1, FORM_MOST },
	{ "max", FORM_MAX, 1, FORM_MOST },
};

static uint16_t read_choice(struct reader *);
static uint16_t read_level(struct reader *, int level);

static uint16_t
put(struct reader *r, struct form_part part)
{
	if (r->form->n == FORM_MOST) {
		r->bad = true;
		return 0;
	}
	r->form->part[r->form->n] = part;
	return (uint16_t)r->form->n++;
}

static bool
skip(struct reader *r, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(r->s, text, len) != 0)
		return false;
	r->s += len;
	return true;
}

static uint16_t
fail(struct reader *r)
{
	r->bad = true;
	return 0;
}

/*
 * Reads a number: digits, a decimal point and a decimal exponent. strtod would
 * also accept other forms, such as hexadecimal numbers.
 */
static uint16_t
read_number(struct reader *r)
{
	const char *s = r->s + strspn(r->s, "0123456789");
	char *end;
	double x;

	if (*s == '.')
		s += 1 + strspn(s + 1, "0123456789");
	if (*s == 'e' || *s == 'E') {
		s += s[1] == '-' || s[1] == '+' ? 2 : 1;
		s += strspn(s, "0123456789");
	}
	x = strtod(r->s, &end);
	if (end != s || isalnum((unsigned char)*s) || *s == '_' || *s == '.')
		return fail(r);
	r->s = s;
	return put(r, (struct form_part){ .op = FORM_NUMBER, .number = x });
}

static uint16_t
read_arguments(struct reader *r, const struct function *f)
{
	uint16_t first = read_choice(r), next = 0;
	unsigned n = 1;

	for (; !r->bad && skip(r, ","); n++) {
		next = read_choice(r);
		if (f->op == FORM_MIN || f->op == FORM_MAX)
			first = put(r,
			    (struct form_part){
				.op = f->op, .arg = { first, next } });
	}
	if (r->bad || n < f->least || n > f->most || !skip(r, ")"))
		return fail(r);
	if (f->op == FORM_MIN || f->op == FORM_MAX)
		return first;
	return put(
	    r, (struct form_part){ .op = f->op, .arg = { first, next } });
}

static uint16_t
read_name(struct reader *r)
{
	size_t len = 0;

	while (isalnum((unsigned char)r->s[len]) || r->s[len] == '_')
		len++;
	if (len == 1 && *r->s == 'n') {
		r->s++;
		return put(r, (struct form_part){ .op = FORM_N });
	}
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (strlen(functions[i].name) == len &&
		    strncmp(functions[i].name, r->s, len) == 0 &&
		    r->s[len] == '(') {
			r->s += len + 1;
			return read_arguments(r, &functions[i]);
		}
	return fail(r);
}

static uint16_t
read_operand(struct reader *r)
{
	uint16_t x;

	if (skip(r, "-"))
		return put(r,
		    (struct form_part){
			.op = FORM_MINUS, .arg = { read_level(r, 7) } });
	if (skip(r, "+"))
		return read_level(r, 7);
	if (skip(r, "(")) {
		x = read_choice(r);
		return skip(r, ")") ? x : fail(r);
	}
	if (isdigit((unsigned char)*r->s) || *r->s == '.')
		return read_number(r);
	return read_name(r);
}

static const struct operator* next_operator(struct reader *r, int level)
{
	for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
		if (operators[i].level >= level && skip(r, operators[i].text))
			return &operators[i];
	return NULL;
}

/* Reads operands that are joined by operators of at least this precedence. */
static uint16_t
read_level(struct reader *r, int level)
{
	const struct operator* o;
	uint16_t left = 0, right;

	if (++r->depth > DEPTH_MOST)
		r->bad = true;
	if (!r->bad)
		left = read_operand(r);
	while (!r->bad && (o = next_operator(r, level)) != NULL) {
		/*
		 * The operator ^ associates to the right, all others to the
		 * left.
		 */
		right = read_level(r, o->level + (o->op != FORM_POWER));
		left = put(r,
		    (struct form_part){ .op = o->op,
			.arg = { o->swapped ? right : left,
			    o->swapped ? left : right } });
	}
	r->depth--;
	return left;
}

static uint16_t
read_choice(struct reader *r)
{
	uint16_t x = read_level(r, 1), yes, no;

	if (r->bad || !skip(r, "?"))
		return x;
	yes = read_choice(r);
	if (r->bad || !skip(r, ":"))
		return fail(r);
	no = read_choice(r);
	return put(
	    r, (struct form_part){ .op = FORM_IF, .arg = { x, yes, no } });
}

bool
form_parse(const char *text, struct form *form)
{
	struct reader r = { .s = text, .form = form };

	form->n = 0;
	read_choice(&r);
	return !r.bad && *r.s == '\0';
}
