#ifndef HP_BASE_NAMES_H
#define HP_BASE_NAMES_H

/*
 * The names that files have for a while only: a new one in a directory, which a
 * signal that ends the process takes away.  Any thread; what is removed from
 * the handler of a signal is removed by nobody else.
 */

/* A name beside that of path that no other process will choose, which has no
 * file yet; or NULL with errno. */
char *names_add(const char *path);
/* It is no longer one of these, as its file has another or none; frees. */
void names_drop(char *);
/* Removes the files of all.  Safe in the handler of a signal, for the end. */
void names_remove(void);

#endif
