#ifndef HP_CMD_HPRUN_WORDS_H
#define HP_CMD_HPRUN_WORDS_H

/* Words that the command lines of several steps share. */

#include "run.h"

/* Returns a program, its action (unless NULL) and the ordering options. */
struct words
ordered(struct run *, struct stage *, const char *program, const char *action);
/*
 * Adds the node's part of the input: an extent of the launcher's input, its own
 * file (--in-place), or the file `in` that it was sent.
 */
void part_words(struct run *, struct stage *, size_t rank, struct words *);
/* Adds PREFIX.0 PREFIX.1 ..., one word for each node. */
void across(const struct run *, const char *prefix, struct words *);
const char *nth(struct stage *, const char *prefix, size_t rank);
/* Returns `hprun --do NAME` (do.h), without further words. */
struct words do_words(struct stage *, const char *name);

/* Returns the name of the file with the node's part of the result. */
const char *result_file(const struct run *, size_t rank);
/* Tells whether the records that -u drops are part of the proof (prove.h). */
bool drops_proven(const struct run *);
/*
 * If so, adds the option --dropped to the command that writes the file ("run"
 * or "out").
 */
void dropped_words(struct run *, const char *file, struct words *);
/*
 * Adds the options of the program that writes the node's result: memory, the
 * output and, with -u, the sum of what it drops.
 */
void result_words(struct run *, size_t rank, struct words *);
/* Removes a node's file before a program needs its room, unless --keep. */
void
free_room(const struct run *, struct stage *, struct step *, const char *file);

/*
 * The node's part as the input of its first command, if the launcher sends it
 * as a stream: to a host that sorts first.  Otherwise PORT_NONE.
 */
struct port part_port(const struct run *, size_t rank);
/* Tells whether the method sorts the parts before the records are exchanged. */
bool sorts_first(const struct run *);

/*
 * Returns the words of a cat command without files.  A run uses `hprun --do
 * cat`, so that it needs no programs other than hptools; a dry run prints
 * cat(1).
 */
struct words cat_words(const struct run *, struct stage *);

/*
 * Names a file operand for a step of the launcher.  A descriptor of hprun, as
 * in `hprun <(command)`, gets its path in /proc, as steps do not inherit it.
 */
const char *named_file(const struct run *, struct stage *, const char *path);

/* The number of records, which a dry run takes from count.jsonl. */
const char *record_count(const struct run *, struct stage *);

/*
 * Returns `value`, or in a dry run, which does not know it, a shell expression
 * that print.c prints unquoted.
 */
#define SHELL_WORD '\001'
const char *
late(const struct run *, struct stage *, const char *value, const char *shell);

#endif
