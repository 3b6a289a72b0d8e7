#ifndef HP_BASE_TMP_H
#define HP_BASE_TMP_H

/*
 * Temporary files without a name: whatever ends the process, they are gone.
 * Directories are tried in the order of preference: those of -T, $TMPDIR, the
 * output's own (it must have room for as much anyway) unless that is no file
 * but a device, /var/tmp.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct tmpdirs {
	const char **dir; /* of -T, in turn; may be NULL when n is 0 */
	size_t n;
	const char *output;   /* path of the output, or NULL */
	uint64_t output_need; /* bytes that it is going to take */
};

/*
 * Open a new one with room for need bytes (0: unknown), and for the output's
 * as well where that is on the same file system.  Returns a descriptor
 * open for reading and writing, or -1: HP_IO tells how much was needed and
 * what each directory had.  turn spreads successive files over
 * the directories.
 */
int
tmp_open(const struct tmpdirs *, size_t turn, uint64_t need, struct hp_err *);

/* The directory that one lies in, malloc'ed, as the kernel names it; NULL. */
char *tmp_directory(int fd);
/* Another one there; -1 with errno. */
int tmp_open_beside(int fd);

/*
 * Has the disk of the output, which is open, room for what it needs?  HP_IO
 * tells how much that is, and how much there is; 0 also where it is no file.
 */
int tmp_output_fits(const struct tmpdirs *, int fd, struct hp_err *);

/* Turns below this differ in the directory that is tried first. */
size_t tmp_places(const struct tmpdirs *);

/*
 * errno says why the last of them took no more, after so many bytes: HP_IO with
 * that, how much was needed (0: unknown) and what each directory has.
 */
int tmp_fail_full(
    const struct tmpdirs *, uint64_t need, uint64_t written, struct hp_err *);

#endif
