#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"

__attribute__((format(printf, 4, 0))) static int
fill(struct hp_err *e, enum hp_kind kind, int errnum, const char *fmt,
    va_list ap)
{
	e->kind = kind;
	e->errnum = errnum;
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	return -1;
}

int
hp_fail(struct hp_err *e, enum hp_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(e, kind, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int
hp_fail_errno(struct hp_err *e, enum hp_kind kind, const char *fmt, ...)
{
	int errnum = errno;
	va_list ap;

	va_start(ap, fmt);
	fill(e, kind, errnum, fmt, ap);
	va_end(ap);
	return -1;
}

void
hp_tell(const struct hp_err *e, const char *fmt, ...)
{
	char text[HP_ERR_TEXT];
	va_list ap;

	if (e->note == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	e->note(text);
}
