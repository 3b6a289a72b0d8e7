#include <sys/socket.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"

static bool
equal(const struct sockaddr *a, const struct sockaddr *b)
{
	union {
		const struct sockaddr *any;
		const struct sockaddr_in *four;
		const struct sockaddr_in6 *six;
	} x = { a }, y = { b };

	if (a->sa_family != b->sa_family)
		return false;
	if (a->sa_family == AF_INET)
		return x.four->sin_addr.s_addr == y.four->sin_addr.s_addr;
	return a->sa_family == AF_INET6 &&
	    memcmp(&x.six->sin6_addr, &y.six->sin6_addr,
		sizeof x.six->sin6_addr) == 0;
}

/*
 * Returns the entry of this machine's list that has the numeric address.
 * Returns NULL if this machine does not have the address.
 */
static const struct ifaddrs *
find(const struct ifaddrs *ours, const char *text)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST }, *at;

	if (getaddrinfo(text, NULL, &hints, &at) != 0)
		return NULL;
	while (ours != NULL &&
	    (ours->ifa_addr == NULL || !equal(ours->ifa_addr, at->ai_addr)))
		ours = ours->ifa_next;
	freeaddrinfo(at);
	return ours;
}

static int
compare(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

int
address_find(const struct run *run, const char **address, struct hp_err *e)
{
	const char **all = calloc(run->nodes, sizeof *all);
	const struct ifaddrs *at;
	struct ifaddrs *ours = NULL;
	size_t n = 0, count, votes, most = 0;

	*address = "";
	if (all == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	if (getifaddrs(&ours) == -1) {
		free(all);
		return hp_fail_errno(e, HP_IO, "addresses of this machine");
	}
	for (size_t i = 0; i < run->nodes; i++)
		if (run->node[i].host != NULL && run->node[i].machine == i &&
		    run->facts[i].address[0] != '\0')
			all[n++] = run->facts[i].address;
	qsort(all, n, sizeof *all, compare);
	for (size_t i = 0; i < n; i += count) {
		for (count = 1;
		     i + count < n && strcmp(all[i], all[i + count]) == 0;)
			count++;
		if ((at = find(ours, all[i])) == NULL)
			continue;
		/* A host with another address decides against all loopbacks. */
		votes = count + (at->ifa_flags & IFF_LOOPBACK ? 0 : n);
		if (votes > most) {
			*address = all[i];
			most = votes;
		}
	}
	freeifaddrs(ours);
	free(all);
	return 0;
}
