#ifndef HP_JOB_DIRLOCK_H
#define HP_JOB_DIRLOCK_H

/*
 * A directory belongs to the process that has locked the file `lock` in it
 * (fcntl(2)). The kernel knows which process holds the lock, and frees it when
 * that process ends. Only the owner may remove the directory, and it removes
 * `lock` last. When `lock` is gone, another process can make and lock a new
 * one.
 */

/*
 * Tries once to lock the file `lock` in the directory, and makes the file if it
 * is missing. Returns 1 if *fd holds the lock. Returns 0 if another process
 * holds the lock, or has just removed the file or the directory. Then *fd is
 * -1, or a descriptor of the file, with which fcntl(F_GETLK) finds the holder.
 * Returns -1 with errno if the file cannot be opened or locked; *fd is -1 then.
 *   dir  a descriptor of the directory
 * A process must not try to lock a file again that it has locked: closing
 * either descriptor would free the lock.
 */
int dirlock_try(int dir, int *fd);

#endif
