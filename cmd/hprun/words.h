#ifndef HP_CMD_HPRUN_WORDS_H
#define HP_CMD_HPRUN_WORDS_H

/*
 * Words of command lines that several steps have in common.
 */

#include "run.h"

/* A program and the ordering options. */
struct words
ordered(struct run *, struct stage *, const char *program, const char *action);
/*
 * The node's part of the input: an extent of ours, its own file, or the file
 * `in` that it was sent.
 */
void part_words(struct run *, struct stage *, size_t rank, struct words *);
/* PREFIX.0 PREFIX.1 ..., one for each node. */
void across(const struct run *, const char *prefix, struct words *);
const char *nth(struct stage *, const char *prefix, size_t rank);

/*
 * cat(1), to which files are to be added.  A run takes hprun in its place, and
 * so needs no programs but those of hptools.
 */
struct words cat_words(const struct run *, struct stage *);

/*
 * A file that the command line of hprun names, for a step of the launcher: a
 * descriptor of ours, as in `hprun <(command)`, is not one of the step's.
 */
const char *named_file(const struct run *, struct stage *, const char *path);

/*
 * A word whose value a dry run does not know: the shell finds it, by an
 * expression that print.c prints as it is.
 */
#define SHELL_WORD '\001'
const char *
late(const struct run *, struct stage *, const char *value, const char *shell);

#endif
