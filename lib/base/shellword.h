#ifndef HP_BASE_SHELLWORD_H
#define HP_BASE_SHELLWORD_H

/*
 * Quotes the string as one word for the login shell of a host, which may be
 * sh, csh or fish. Returns allocated memory, or NULL.
 */
char *shellword(const char *);

#endif
