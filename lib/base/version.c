#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/version.h"

enum {
	START = 4096 /* bytes of a program that are searched */
};

/*
 * Reads the version from an ELF note that begins at p. Returns false if the
 * note is not valid or does not end before `end`. The caller has checked the
 * name in the note.
 */
static bool
read_note(const char *p, const char *end, char version[VERSION_MOST + 1])
{
	struct version_head head;

	memcpy(&head, p, sizeof head);
	p += sizeof head;
	if (head.name_bytes != sizeof head.name || head.type != VERSION_NOTE ||
	    head.version_bytes == 0 || head.version_bytes > VERSION_MOST + 1 ||
	    head.version_bytes > (size_t)(end - p) ||
	    strnlen(p, head.version_bytes) != head.version_bytes - 1)
		return false;
	memcpy(version, p, head.version_bytes);
	return true;
}

bool
version_of_file(const char *path, char version[VERSION_MOST + 1])
{
	static const char name[] = "hptools";
	size_t before = offsetof(struct version_head, name);
	char start[START];
	const char *p = start, *end;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	version[0] = '\0';
	if (fd == -1)
		return false;
	n = io_read(fd, start, sizeof start);
	close(fd);
	if (n < (ssize_t)sizeof "\177ELF" || memcmp(p, "\177ELF", 4) != 0)
		return false;
	end = start + n;
	while ((p = memmem(p, (size_t)(end - p), name, sizeof name)) != NULL) {
		if ((size_t)(p - start) >= before &&
		    read_note(p - before, end, version))
			return true;
		p++;
	}
	return false;
}
