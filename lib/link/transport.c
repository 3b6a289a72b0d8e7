#include <string.h>

#include "link/ssh.h"
#include "link/tcp.h"
#include "link/transport.h"
#include "link/unix.h"

static const struct transport *const transports[] = {
	&transport_ssh,
	&transport_tcp,
	&transport_unix,
};

const struct transport *
transport_find(const char *name)
{
	for (size_t i = 0; i < sizeof transports / sizeof *transports; i++)
		if (strcmp(name, transports[i]->name) == 0)
			return transports[i];
	return NULL;
}

const struct transport *
transport_default(const struct address *node, uint32_t nodes, uint32_t me)
{
	for (uint32_t i = 0; i < nodes; i++)
		if (!address_is_local(&node[i], &node[me]))
			return &transport_ssh;
	return &transport_unix;
}
