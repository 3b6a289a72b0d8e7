#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "job/dirlock.h"

int
dirlock_try(int dir, int *fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int error;

	*fd = openat(
	    dir, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd == -1)
		return errno == ENOENT ? 0 : -1;
	if (fcntl(*fd, F_SETLK, &whole) == -1) {
		if (errno == EACCES || errno == EAGAIN)
			return 0;
		error = errno; /* the file system has no locks */
		close(*fd);
		*fd = -1;
		errno = error;
		return -1;
	}
	/* The process that held the lock before may have removed the file. */
	return io_has_name(*fd, dir, "lock", AT_SYMLINK_NOFOLLOW);
}
