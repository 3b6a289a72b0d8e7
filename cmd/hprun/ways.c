#include <stddef.h>
#include <string.h>

#include "rsh.h"
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
 * Between hosts, tcp is the default, because it needs no logins from node to
 * node.  With --launch local, all nodes are on this machine, and the names of
 * the hosts need not exist.  The commands of --dry-run log in to the hosts.
 */
const struct way *
way_default(const struct run *run)
{
	bool hosts = run->remote && (run->o.dry || !rsh_is_local(run));

	return way_find(hosts ? "tcp" : "unix");
}
