#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_io.h"
#include "job/agent_said.h"

enum {
	/*
	 * Maximum number of reads of 4 KiB from the pipe of a command that has
	 * ended. They read twice the capacity of a pipe. There is a limit,
	 * because a descendant of the command may still write to the pipe.
	 */
	READS = 32
};

static int
send_line(struct agent *a, struct agent_step *s, char *text, struct hp_err *e)
{
	struct message m = {
		.type = MESSAGE_SAID, .id = s->m.id, .text = text
	};

	if (text[0] == '\0')
		return 0;
	if (s->lines == AGENT_LINES) {
		s->dropped++;
		return 0;
	}
	s->lines++;
	return agent_send(a, &m, e);
}

static int
end_line(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	char text[MESSAGE_LINE + 1];

	memcpy(text, s->line, s->line_len);
	text[s->line_len] = '\0';
	s->line_len = 0;
	return send_line(a, s, text, e);
}

/*
 * Splits bytes into lines, and sends each complete line to the launcher. A NUL
 * byte becomes '?', because messages are C strings.
 */
static int
take(struct agent *a, struct agent_step *s, const char *p, size_t n,
    struct hp_err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\n' || s->line_len == sizeof s->line)
			if (end_line(a, s, e) == -1)
				return -1;
		if (p[i] != '\n')
			s->line[s->line_len++] = p[i] == '\0' ? '?' : p[i];
	}
	return 0;
}

/*
 * Reads from the command's standard error. Returns 1 if it read data, and 0 if
 * the pipe is empty. Returns -1 at the end of file, or after an error that sets
 * *rc to -1.
 */
static int
read_some(struct agent *a, struct agent_step *s, int *rc, struct hp_err *e)
{
	char buf[4096];
	ssize_t n = read(s->child.err, buf, sizeof buf);

	*rc = 0;
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	*rc = take(a, s, buf, (size_t)n, e);
	return *rc == -1 ? -1 : 1;
}

int
said_read(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	int rc;

	if (read_some(a, s, &rc, e) == -1)
		agent_unwatch(a, &s->said);
	return rc;
}

int
said_end(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	int rc = 0;

	if (s->child.err == -1)
		return 0;
	for (int i = 0; i < READS && read_some(a, s, &rc, e) == 1; i++)
		;
	agent_unwatch(a, &s->said);
	close(s->child.err);
	s->child.err = s->said.fd = -1;
	return rc == -1 || s->line_len == 0 ? rc : end_line(a, s, e);
}

int
said_line(
    struct agent *a, struct agent_step *s, const char *text, struct hp_err *e)
{
	if (take(a, s, text, strlen(text), e) == -1)
		return -1;
	return s->line_len == 0 ? 0 : end_line(a, s, e);
}

int
said_dropped(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	char text[64];

	if (s->dropped == 0)
		return 0;
	snprintf(text, sizeof text, "%" PRIu64 " more lines are not shown",
	    s->dropped);
	s->lines = s->dropped = 0;
	return send_line(a, s, text, e);
}
