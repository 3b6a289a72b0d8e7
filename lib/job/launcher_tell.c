#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "job/launcher_tell.h"

const char *
node_name(const struct launcher *l, int rank)
{
	return rank == STEP_LAUNCHER ? "launcher" : l->c.node[rank].name;
}

void
tell_line(struct launcher *l, int rank, const char *line, size_t len)
{
	char text[PRINTABLE(MESSAGE_LINE)];

	if (l->c.say != NULL)
		l->c.say(l->c.context, rank,
		    printable(line, len, text, sizeof text));
}

void
tell_note(struct launcher *l, const char *fmt, ...)
{
	char raw[MESSAGE_FAULT_TEXT + MESSAGE_LINE],
	    text[PRINTABLE(sizeof raw)];
	va_list ap;

	if (l->c.note == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	l->c.note(l->c.context, printable(raw, strlen(raw), text, sizeof text));
}

void
tell_left(struct launcher *l, const struct machine *m)
{
	tell_note(l,
	    "%s: does not end; files and processes of the run may be left "
	    "there",
	    m->name);
}
