#ifndef HP_LINK_ADDRESS_H
#define HP_LINK_ADDRESS_H

/*
 * The addresses at which a node can be reached, as the cluster file gives them
 * (hp-cluster(5)).
 */

#include <stdbool.h>
#include <stdint.h>

struct address {
	const char *name; /* name of the node, for messages and keys */
	/* host name; NULL: the machine of the node that connects */
	const char *host;
	/* directory of the node's unix socket; NULL: not given */
	const char *dir;
	uint16_t port; /* port for tcp; 0: not given */
};

/*
 * Returns the host name without the user that ssh(1) accepts before it, as in
 * user@host; NULL if the node has no host.
 */
const char *address_host(const struct address *);

/* Returns whether node `to` is on the machine of node `self`. */
bool address_is_local(const struct address *to, const struct address *self);

#endif
