#ifndef HP_LINK_ADDRESS_H
#define HP_LINK_ADDRESS_H

/* Where a node can be reached, as the cluster file says (hp-cluster(5)). */

#include <stdbool.h>
#include <stdint.h>

struct address {
	const char *name; /* of the node, for messages and keys */
	const char *host; /* NULL: the machine of the node that connects */
	const char *dir;  /* directory of the unix socket; NULL: not given */
	uint16_t port;	  /* of tcp; 0: not given */
};

/* Whether node `to` is on the machine of node `self`. */
bool address_is_local(const struct address *to, const struct address *self);

#endif
