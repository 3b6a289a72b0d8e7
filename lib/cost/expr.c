#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <muParserDLL.h>

#include "cost/expr.h"

struct expr {
	muParserHandle_t parser;
	double n;
};

#define FUNCTIONS(DO)          \
	DO(mupCreate)          \
	DO(mupDefineFun1)      \
	DO(mupDefineFun2)      \
	DO(mupDefineVar)       \
	DO(mupError)           \
	DO(mupEval)            \
	DO(mupEvalMulti)       \
	DO(mupGetErrorMsg)     \
	DO(mupRelease)         \
	DO(mupSetErrorHandler) \
	DO(mupSetExpr)
#define POINTER(function) __typeof__(function) *function;

/*
 * muparser is a C++ library, and loading it takes longer than computing most
 * plans. If built with LINK=static, dlopen loads the library for the first
 * expression; the Makefile defines MUPARSER as its file name. If built with
 * LINK=shared, the programs are linked with muparser and MUPARSER is not
 * defined.
 */
#ifdef MUPARSER
#define FIND(function) \
	(mu.function = (__typeof__(function) *)dlsym(library, #function)) &&

static struct {
	FUNCTIONS(POINTER)
	bool found;
} mu;

static int
load(struct hp_err *e)
{
	void *library;

	if (mu.found)
		return 0;
	if ((library = dlopen(MUPARSER, RTLD_LAZY)) != NULL)
		mu.found = FUNCTIONS(FIND) true;
	return mu.found ? 0 : hp_fail(e, HP_IO, "expressions: %s", dlerror());
}
#else
#define LINKED(function) .function = function,

static const struct {
	FUNCTIONS(POINTER)
} mu = { FUNCTIONS(LINKED) };

static int
load(struct hp_err *e)
{
	(void)e;
	return 0;
}
#endif

/*
 * An error handler for muparser that does nothing. muparser's own handler would
 * print the error; here the caller asks mupError for it.
 */
static void
quiet(muParserHandle_t parser)
{
	(void)parser;
}

static double
natural_log(double x)
{
	return log(x);
}

static double
power(double x, double y)
{
	return pow(x, y);
}

/*
 * Returns whether the expression contains an assignment. It could assign to n,
 * which would change all later uses of n.
 */
static bool
assigns(const char *s)
{
	for (const char *p = s; (p = strchr(p, '=')) != NULL; p++) {
		if (p[1] == '=')
			p++;
		else if (p == s || strchr("!<>", p[-1]) == NULL)
			return true;
	}
	return false;
}

struct expr *
expr_new(const char *text, struct hp_err *e)
{
	struct expr *x;
	int values = 0;

	if (load(e) == -1)
		return NULL;
	if ((x = calloc(1, sizeof *x)) == NULL ||
	    (x->parser = mu.mupCreate(muBASETYPE_FLOAT)) == NULL) {
		hp_fail(e, HP_NOMEM, "cost '%.200s'", text);
		goto bad;
	}
	mu.mupSetErrorHandler(x->parser, quiet);
	mu.mupDefineFun1(x->parser, "log", natural_log, 1);
	mu.mupDefineFun2(x->parser, "pow", power, 1);
	mu.mupDefineVar(x->parser, "n", &x->n);
	mu.mupSetExpr(x->parser, text);
	x->n = 1;
	mu.mupEvalMulti(x->parser, &values);
	if (assigns(text) || values > 1) {
		hp_fail(e, HP_USAGE, "cost '%.200s': must be one value", text);
		goto bad;
	}
	if (mu.mupError(x->parser)) {
		hp_fail(e, HP_USAGE, "cost '%.200s': %.300s", text,
		    mu.mupGetErrorMsg(x->parser));
		goto bad;
	}
	return x;
bad:
	expr_free(x);
	return NULL;
}

void
expr_free(struct expr *x)
{
	if (x == NULL)
		return;
	if (x->parser != NULL)
		mu.mupRelease(x->parser);
	free(x);
}

double
expr_at(struct expr *x, double n)
{
	double y;

	x->n = n;
	y = mu.mupEval(x->parser);
	return mu.mupError(x->parser) ? NAN : y;
}
