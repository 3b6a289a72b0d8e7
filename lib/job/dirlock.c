#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "job/dirlock.h"

/*
 * Returns whether `lock` still refers to the open file. The process that held
 * the lock before may have removed the file.
 */
static bool
is_lock(int dir, int fd)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 &&
	    fstatat(dir, "lock", &b, AT_SYMLINK_NOFOLLOW) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int
dirlock_try(int dir, int *fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	*fd = openat(
	    dir, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd == -1)
		return errno == ENOENT ? 0 : -1;
	return fcntl(*fd, F_SETLK, &whole) == 0 && is_lock(dir, *fd);
}
