#include <sys/file.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "job/dirlock.h"
#include "job/sweep_taken.h"

/*
 * The locks that this process must hold while it removes a directory: a lock on
 * the directory itself, and a lock on its file `lock`.
 */
struct locks {
	int dir, file; /* descriptors; -1: none */
};

/*
 * Returns whether another process has taken over the directory. An agent takes
 * over a directory by a lock on the file `lock` in it. A resumed run takes it
 * over by a lock on the directory itself. A worker does not check the lock on
 * the directory, because its own run holds that lock. While this process holds
 * the locks, no other process can take the directory over.
 */
static bool
taken_over(const char *path, bool worker, struct locks *l)
{
	l->file = -1;
	l->dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (l->dir == -1)
		return false;
	if (!worker && flock(l->dir, LOCK_EX | LOCK_NB) == -1 &&
	    errno == EWOULDBLOCK)
		return true;
	/* An error, such as a full disk, must not keep the directory alive. */
	return dirlock_try(l->dir, &l->file) == 0;
}

int
sweep_unless_taken(const char *path, bool keep, bool worker)
{
	struct locks locks;
	struct hp_err ignored;
	int rc = 0;

	if (!taken_over(path, worker, &locks))
		rc = keep ? sweep_keep(path, &ignored)
			  : sweep_remove(path, &ignored);
	if (locks.dir != -1)
		close(locks.dir);
	if (locks.file != -1)
		close(locks.file);
	return rc;
}
