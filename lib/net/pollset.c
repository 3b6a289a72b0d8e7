#include "net/pollset.h"

int
pollset_wait(struct pollfd *set, size_t n, struct pollfd *open, int timeout_ms)
{
	nfds_t m = 0;
	int rc;

	for (size_t i = 0; i < n; i++)
		if (set[i].fd >= 0)
			open[m++] = set[i];
	rc = poll(open, m, timeout_ms);
	for (size_t i = n; i-- > 0;)
		set[i].revents = rc > 0 && set[i].fd >= 0 ? open[--m].revents
							  : 0;
	return rc;
}
