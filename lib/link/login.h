#ifndef HP_LINK_LOGIN_H
#define HP_LINK_LOGIN_H

/*
 * A login: a command such as ssh that runs another command on a host, and the
 * error messages it prints.
 *
 * If ssh itself fails, it always exits with 255, so this exit status does not
 * tell whether a retry can succeed.  The messages of ssh do: they are copied to
 * standard error and searched for those of permanent errors (sshconnect.c,
 * sshconnect2.c and packet.c of OpenSSH 9.2).  Any other exit status is that of
 * the command on the host, and some of these are permanent errors, too.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LOGIN_LINE 160 /* bytes that are kept of a message */

/* The failed logins at one node. */
struct login_failures {
	/*
	 * the message of a permanent error; if there was none, the last message
	 */
	char why[LOGIN_LINE];
	uint32_t permanent; /* how many ended with a permanent error */
};

/* A running login. */
struct login {
	pid_t pid;
	int errors; /* read end of its standard error */
	/* rank of the node to log in at; only the caller uses the rank */
	uint32_t rank;
	/*
	 * do not print the messages of this login, because an earlier login has
	 * printed the same
	 */
	bool quiet;
	bool permanent;	       /* it has printed a permanent error */
	char line[LOGIN_LINE]; /* the start of an unfinished message */
	size_t len;
};

/*
 * Runs the command `rsh host command` with fd as its standard input and output.
 * A shell splits rsh into words. Returns 0 or an errno.
 */
int login_start(
    struct login *, const char *rsh, const char *host, char *command, int fd);
/* Reads the messages that the login has printed so far. Does not wait. */
void login_read(struct login *, struct login_failures *);
/*
 * Returns whether the login has ended. If so, reads the rest of its messages
 * and frees the login.
 */
bool login_ended(struct login *, struct login_failures *);
/* Kills the login and frees it. */
void login_kill(struct login *, struct login_failures *);

#endif
