#include <stddef.h>
#include <string.h>

#include "ways.h"

static const struct way ways[] = {
	{ .name = "mpi", .collective = true },
	{ .name = "ssh", .logins = true },
	{ .name = "tcp", .ports = true },
	{ .name = "unix" },
};

const struct way *
way_find(const char *name)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].name, name) == 0)
			return &ways[i];
	return NULL;
}

/*
 * Returns the default transport.  Between hosts it is tcp, which needs no
 * logins from node to node.
 */
const struct way *
way_default(bool hosts)
{
	return way_find(hosts ? "tcp" : "unix");
}
