#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "job/chatter.h"

static const char *const hopeless[] = { "Host key verification failed",
	"Permission denied (", "Too many authentication failures",
	"Unable to negotiate with " };

static const char *const idle[] = { "", "mux_client_*: *",
	"client_loop: send disconnect: *", "Killed" };

static bool
is_idle(const char *line)
{
	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
		if (fnmatch(idle[i], line, 0) == 0)
			return true;
	return false;
}

/*
 * Remembers a line, and returns whether to show it. A line is not shown if it
 * was seen before, or after CHATTER_LINES different lines.
 */
static bool
note(struct chatter *c, const char *line)
{
	if (c->n == CHATTER_LINES)
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->seen[i], line) == 0)
			return false;
	if (ARRAY_ROOM(c->seen, c->n, c->cap) == -1)
		return true;
	c->seen[c->n] = strdup(line);
	if (c->seen[c->n] != NULL)
		c->n++;
	return true;
}

void
chatter_line(struct chatter *c, const char *line,
    void (*show)(void *context, const char *line, size_t len), void *context)
{
	for (size_t i = 0; i < sizeof hopeless / sizeof *hopeless; i++)
		if (strstr(line, hopeless[i]) != NULL)
			c->hopeless = true;
	if (!is_idle(line) && note(c, line))
		show(context, line, strlen(line));
}

void
chatter_end(struct chatter *c,
    void (*show)(void *context, const char *line, size_t len), void *context)
{
	if (c->line == NULL)
		return;
	if (c->len > 0 && c->line[c->len - 1] == '\r')
		c->len--;
	c->line[c->len] = '\0';
	chatter_line(c, c->line, show, context);
	free(c->line);
	c->line = NULL;
	c->len = 0;
}

void
chatter_feed(struct chatter *c, const char *bytes, size_t n,
    void (*show)(void *context, const char *line, size_t len), void *context)
{
	for (size_t i = 0; i < n; i++) {
		if (c->line == NULL) {
			c->line = malloc(CHATTER_LINE + 1);
			if (c->line == NULL)
				return;
		}
		/* Replace a NUL byte, which would end the C string early. */
		if (bytes[i] != '\n')
			c->line[c->len++] = bytes[i] == '\0' ? '?' : bytes[i];
		if (bytes[i] == '\n' || c->len == CHATTER_LINE)
			chatter_end(c, show, context);
	}
}

void
chatter_fini(struct chatter *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->seen[i]);
	free(c->seen);
	free(c->line);
	*c = (struct chatter){ 0 };
}
