#ifndef HP_JOB_CALL_H
#define HP_JOB_CALL_H

/*
 * Agents that call the launcher, hp-agent(5). One command starts the agents of
 * many machines, so its standard input cannot be their connection. Instead, it
 * brings each agent the port and the key of the launcher. The agent connects
 * and both ends prove that they know the key. Then the connection is used like
 * that of a login. It is not encrypted.
 *
 *	agent to launcher	magic, nonce, length and name of the node
 *	launcher to agent	nonce, proof
 *	agent to launcher	proof
 */

#include <stdint.h>

#include "base/err.h"
#include "job/proof.h"

#define CALL_MAGIC "hprun-1\n" /* 8 bytes */
/* first word of the line that tells an agent the launcher's port and key */
#define CALL_WORD "hprun"

enum {
	CALL_NAME = 255, /* bytes of a node's name */
	/*
	 * maximum length in bytes of the line that tells an agent the
	 * launcher's port and key
	 */
	CALL_LINE = 128,
	CALL_HELLO = 8 + PROOF_NONCE + 1, /* bytes before the name */
	CALL_ANSWER = PROOF_NONCE + PROOF_BYTES
};

struct call_to {
	uint16_t port;
	unsigned char key[PROOF_KEY];
};

/* Writes the line with port and key, ended by a newline and a NUL. */
void call_line(const struct call_to *, char line[CALL_LINE]);
/* Parses a line with port and key, without its newline. Fails with HP_INPUT. */
int call_parse(const char *line, struct call_to *, struct hp_err *);
/*
 * Reads the line with port and key from a descriptor. Reads nothing after the
 * newline of this line.
 */
int call_read(int fd, double timeout_s, struct call_to *, struct hp_err *);

/*
 * Connects to the launcher at a numeric address as the agent of a node. Returns
 * a blocking socket, or -1.
 */
int call_launcher(const struct call_to *, const char *address, const char *node,
    unsigned timeout_s, struct hp_err *);

#endif
