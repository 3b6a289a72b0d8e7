#ifndef HP_JOB_CHATTER_H
#define HP_JOB_CHATTER_H

/*
 * Lines that a login prints on its standard error. Each different line is shown
 * once, because repeated logins print the same. Lines by which ssh and shells
 * announce the end of a connection or a process are hidden, because hprun
 * reports these ends itself. Some lines show that another login would fail,
 * too; their texts come from sshconnect.c, sshconnect2.c and packet.c of
 * OpenSSH 9.2.
 */

#include <stdbool.h>
#include <stddef.h>

#define CHATTER_LINE 512  /* bytes; longer lines are split */
#define CHATTER_LINES 200 /* distinct lines shown per machine */

struct chatter {
	char *line; /* incomplete line */
	size_t len;
	char **seen;
	size_t n, cap;
	/* the login has printed an error that would also end any other login */
	bool hopeless;
};

/*
 * Adds bytes that the login printed, and calls `show` for each new line. A line
 * has `len` bytes and no NUL at its end.
 */
void chatter_feed(struct chatter *, const char *, size_t,
    void (*show)(void *context, const char *line, size_t len), void *context);
/*
 * Adds a whole line. An incomplete line that was added before stays separate.
 */
void chatter_line(struct chatter *, const char *line,
    void (*show)(void *context, const char *line, size_t len), void *context);
/* Shows a last line without newline. */
void chatter_end(struct chatter *,
    void (*show)(void *context, const char *line, size_t len), void *context);
/* Harmless on a zeroed struct. */
void chatter_fini(struct chatter *);

#endif
