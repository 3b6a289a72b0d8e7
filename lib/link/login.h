#ifndef HP_LINK_LOGIN_H
#define HP_LINK_LOGIN_H

/*
 * A command that logs in on a host and runs another one there, as ssh does, and
 * what it complains of.  Why a login failed is for people, and nothing else
 * tells whether it is to be tried again: ssh ends with 255 whatever it was.  So
 * its lines are read, are shown, and searched for what would be the same again
 * (sshconnect.c, sshconnect2.c and packet.c of OpenSSH 9.2).
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LOGIN_LINE 160 /* as much of a line is kept */

/* How logins on a host have ended. */
struct refusal {
	char why[LOGIN_LINE]; /* the last line, or the one that tells most */
	uint32_t hopeless;    /* how many would have ended so again */
};

struct login {
	pid_t pid;
	int said;      /* its standard error */
	uint32_t rank; /* of the node it is for; the caller's */
	bool quiet;    /* its lines are those of the one before */
	bool hopeless;
	char line[LOGIN_LINE]; /* as far as it has come */
	size_t len;
};

/*
 * Runs rsh, words of the user's, with fd as standard input and output, as `rsh
 * host command`.  Returns 0 or an errno.
 */
int login_start(
    struct login *, const char *rsh, const char *host, char *command, int fd);
/* What it has said meanwhile; does not wait. */
void login_hear(struct login *, struct refusal *);
/* Whether it has ended: then it was heard to its end, and nothing is left. */
bool login_ended(struct login *, struct refusal *);
/* Ends it, however it stands. */
void login_kill(struct login *, struct refusal *);

#endif
