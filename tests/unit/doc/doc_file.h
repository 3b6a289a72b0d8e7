#ifndef HP_DOC_FILE_H
#define HP_DOC_FILE_H

/* Documents in memory, for tests of functions that read a file. */

#include <sys/mman.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Makes a file in memory with this text. Returns its path, which is valid until
 * the next call.
 */
static inline const char *
file_of(const char *text)
{
	static char path[32];
	static int fd = -1;
	size_t len = strlen(text);

	if (fd != -1)
		close(fd);
	fd = memfd_create("document", 0);
	if (fd == -1 || write(fd, text, len) != (ssize_t)len)
		exit(1);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return path;
}

#endif
