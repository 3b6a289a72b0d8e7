#ifndef HP_BASE_TMP_H
#define HP_BASE_TMP_H

/*
 * Temporary files without a name: they disappear however the process ends. The
 * directories are tried in order of preference: those of -T, or else $TMPDIR,
 * the directory of the output, and /var/tmp. The output's directory is a good
 * choice because it must have space for the output anyway. It is skipped if the
 * output is not a regular file.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct tmpdirs {
	/* the directories that -T gives; may be NULL if n is 0 */
	const char **dir;
	size_t n;
	const char *output;   /* path of the output, or NULL */
	uint64_t output_need; /* bytes that the output will take */
};

/*
 * Creates a temporary file in a directory that has `need` bytes of free space
 * (0: unknown). A directory on the output's file system must also have space
 * for the output. The directories are tried one after the other, starting with
 * number `turn` (modulo their number). Returns a descriptor for reading and
 * writing, or -1 with HP_IO. The error message gives the space needed and the
 * space in each directory.
 */
int
tmp_open(const struct tmpdirs *, size_t turn, uint64_t need, struct hp_err *);

/*
 * Returns the directory of an open temporary file as a string that the caller
 * frees. Returns NULL on an error.
 */
char *tmp_directory(int fd);
/*
 * Creates another temporary file in the directory of the open temporary file
 * fd. Returns -1 and sets errno on an error.
 */
int tmp_open_beside(int fd);

/*
 * Checks that the open output has enough disk space. Fails with HP_IO; the
 * message gives the space needed and the space free. Returns 0 if the output is
 * not a regular file.
 */
int tmp_output_fits(const struct tmpdirs *, int fd, struct hp_err *);

/* Returns the number of directories that tmp_open tries. */
size_t tmp_places(const struct tmpdirs *);

/*
 * Fails because the last directory is full; errno is the reason in the message.
 * `need` is the number of bytes needed (0: unknown) and `written` the number of
 * bytes written before the failure. The message also gives the free space of
 * each directory.
 */
int tmp_fail_full(
    const struct tmpdirs *, uint64_t need, uint64_t written, struct hp_err *);

#endif
