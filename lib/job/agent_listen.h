#ifndef HP_JOB_AGENT_LISTEN_H
#define HP_JOB_AGENT_LISTEN_H

/*
 * The agent's end of a direct connection (dial.h): a port to which the launcher
 * connects. Anybody can connect to the port, so the agent keeps few connections
 * that have not proven yet to be from the launcher. The port is open only until
 * the launcher has connected, or has sent `open` through the login.
 */

#include "job/agent_own.h"

/*
 * Handles the message `listen`: opens a port at the address of this machine to
 * which the launcher has logged in. Sends the launcher the address and the port
 * number. The port number is 0 if the agent cannot listen.
 */
int listen_begin(struct agent *, const struct message *, struct hp_err *);
/* Accepts a connection to the port. */
int listen_accept(struct agent *, struct hp_err *);
/*
 * Reads from a connection to the port. Returns 1 if the other end has proven to
 * be the launcher: from then on, the agent uses this connection instead of the
 * login, and data have arrived on it. Returns 0 otherwise.
 */
int listen_hear(struct agent *, struct agent_source *, struct hp_err *);
/*
 * Reads from the login after the launcher has connected directly. Ignores what
 * it reads: the launcher may have sent a beat before it changed to the direct
 * connection, which is faster. Returns false if the login has ended.
 */
bool listen_login(const struct agent *);
/* Closes the port if the launcher has not connected to it. */
void listen_end(struct agent *);
void listen_fini(struct agent *);

#endif
