#ifndef HP_JOB_CHATTER_H
#define HP_JOB_CHATTER_H

/*
 * What a login says on its standard error: lines for people.  Each is shown
 * once, as each try of a login says the same.  What ssh and shells say of ends
 * that hprun tells of by itself is not shown.  The lines are also searched for
 * what no other try will mend (sshconnect.c, sshconnect2.c and packet.c of
 * OpenSSH 9.2).
 */

#include <stdbool.h>
#include <stddef.h>

#define CHATTER_LINE 512  /* bytes; longer lines are cut into several */
#define CHATTER_LINES 200 /* shown of one login; then no more are */

struct chatter {
	char *line; /* that has begun to come */
	size_t len;
	char **seen;
	size_t n, cap;
	bool hopeless; /* another try would end in the same way */
};

/* Calls `show` for each new line, which has no NUL behind it. */
void chatter_feed(struct chatter *, const char *, size_t,
    void (*show)(void *context, const char *line, size_t len), void *context);
/* The same for one line, whatever has come of another. */
void chatter_line(struct chatter *, const char *line,
    void (*show)(void *context, const char *line, size_t len), void *context);
/* Shows what is left without a newline. */
void chatter_end(struct chatter *,
    void (*show)(void *context, const char *line, size_t len), void *context);
/* Harmless on a zeroed struct. */
void chatter_fini(struct chatter *);

#endif
