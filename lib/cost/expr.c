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

/* Without a handler muparser would print; mupError tells all the same. */
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

/* An assignment to n would count for whatever comes after it. */
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
	struct expr *x = calloc(1, sizeof *x);
	int values = 0;

	if (x == NULL || (x->parser = mupCreate(muBASETYPE_FLOAT)) == NULL) {
		hp_fail(e, HP_NOMEM, "cost '%.200s'", text);
		goto bad;
	}
	mupSetErrorHandler(x->parser, quiet);
	mupDefineFun1(x->parser, "log", natural_log, 1);
	mupDefineFun2(x->parser, "pow", power, 1);
	mupDefineVar(x->parser, "n", &x->n);
	mupSetExpr(x->parser, text);
	x->n = 1;
	mupEvalMulti(x->parser, &values);
	if (assigns(text) || values > 1) {
		hp_fail(e, HP_USAGE, "cost '%.200s': must be one value", text);
		goto bad;
	}
	if (mupError(x->parser)) {
		hp_fail(e, HP_USAGE, "cost '%.200s': %.300s", text,
		    mupGetErrorMsg(x->parser));
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
		mupRelease(x->parser);
	free(x);
}

double
expr_at(struct expr *x, double n)
{
	double y;

	x->n = n;
	y = mupEval(x->parser);
	return mupError(x->parser) ? NAN : y;
}
