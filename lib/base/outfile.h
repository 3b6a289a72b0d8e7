#ifndef HP_BASE_OUTFILE_H
#define HP_BASE_OUTFILE_H

/*
 * A named output that appears as a whole or not at all. It is written to a file
 * without a name in the target's directory, which is named and renamed at the
 * end. So the target may be one of the inputs, and a killed process leaves no
 * file behind. If the file system has no unnamed files, a temporary name is
 * used, which is removed on a signal (names.h). Devices, FIFOs and standard
 * output are written directly.
 */

#include <sys/stat.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct outfile {
	int fd;
	const char *name; /* for messages */
	char *target;	  /* final path; NULL: written directly */
	char *beside;	  /* temporary name, or NULL */
	bool kept;	  /* outfile_abort keeps the temporary file */
};

/*
 * Returns whether two names of output files mean the same file, so that one
 * output would replace the other. "-" and /dev/stdout mean standard output.
 * Hard links are different files, because each name is replaced separately.
 */
bool outfile_same(const char *, const char *);
/*
 * Opens an output file. If the path is NULL, "-" or /dev/stdout, the output is
 * standard output.
 */
int outfile_open(struct outfile *, const char *path, struct hp_err *);
/*
 * Opens a regular file to write into it from `offset` on, and creates the file
 * if it is missing. The file is neither truncated nor replaced, so several
 * processes can each write a part of it. After outfile_abort the bytes that
 * were written remain in the file.
 */
int outfile_open_at(
    struct outfile *, const char *path, uint64_t offset, struct hp_err *);
/*
 * Opens the regular file `beside`, which outfile_commit will rename to `path`.
 * The file and its contents survive outfile_abort and the end of the process,
 * so that a later process can continue it. If the file does not exist and
 * `make` is false, returns 0 with an fd of -1 and a target of NULL.
 */
int outfile_take_up(struct outfile *, const char *path, const char *beside,
    bool make, struct hp_err *);
/*
 * Closes the file and renames it to its target. This is the last call that can
 * report an error of earlier writes. Signals are blocked in the calling thread
 * meanwhile.
 */
int outfile_commit(struct outfile *, struct hp_err *);
/*
 * Commits several files. The steps that can fail because the disk is full come
 * first, for all files. Only then are the files put in place under their target
 * names.
 */
int outfile_commit_all(struct outfile *const *, size_t n, struct hp_err *);
/*
 * Gives a new file the owner and mode of the file that it will replace, or the
 * defaults if `old` is NULL. A process that may not give the file to this owner
 * drops the set-user-ID bits. Returns -1 and sets errno on failure.
 */
int outfile_own(int fd, const struct stat *old);
/*
 * Discards what was written. Does nothing after a commit or on a zeroed struct.
 */
void outfile_abort(struct outfile *);

#endif
