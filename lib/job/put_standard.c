#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "job/put_standard.h"

enum {
	/*
	 * number of bytes that a pipe takes without blocking when poll(2)
	 * reports it as writable
	 */
	TO_PIPE = 4096
};

int
put_standard(bool regular, const unsigned char *p, size_t n, size_t *written)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
	ssize_t got;

	*written = 0;
	while (*written < n) {
		if (!regular && poll(&out, 1, 0) == 0)
			return 0;
		got = write(STDOUT_FILENO, p + *written,
		    regular || n - *written < TO_PIPE ? n - *written : TO_PIPE);
		if (got == -1 && errno == EAGAIN)
			return 0;
		if (got == -1 && errno != EINTR)
			return -1;
		if (got > 0)
			*written += (size_t)got;
	}
	return 0;
}
