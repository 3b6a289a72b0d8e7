#ifndef HP_BASE_VERSION_H
#define HP_BASE_VERSION_H

/*
 * The version that each program of hptools contains as an ELF note. Reading the
 * note takes a few system calls; running the program with --version takes
 * milliseconds, because the program loads its libraries first.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	VERSION_MOST = 64, /* bytes, without the NUL */
	VERSION_NOTE = 1   /* type of the note */
};

/*
 * The header of the ELF note with the program's version. The version string
 * follows, with its NUL.
 */
struct version_head {
	uint32_t name_bytes, version_bytes, type;
	char name[8]; /* "hptools" */
};

/*
 * Stores the version of the program in the file `path`. The linker stores the
 * version in an ELF note at the start of the program. Returns false, and stores
 * "", if the file cannot be read or has no such note in its first 4 KiB. A
 * script, for example, has no note.
 */
bool version_of_file(const char *path, char version[VERSION_MOST + 1]);

#endif
