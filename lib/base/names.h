#ifndef HP_BASE_NAMES_H
#define HP_BASE_NAMES_H

/*
 * A list of temporary file names, so that a signal handler can remove the files
 * before the process ends. All functions are thread-safe. A name is removed
 * either by its owner or by the handler, never by both.
 */

/*
 * Returns a new, unused name in the directory of `path`, and adds it to the
 * list. The name is random, so no other process will choose it. Returns NULL
 * and sets errno on failure.
 */
char *names_add(const char *path);
/* Removes a name from the list and frees it. The file is not touched. */
void names_drop(char *);
/*
 * Removes the files of all names. Safe in a signal handler that ends the
 * process.
 */
void names_remove(void);

#endif
