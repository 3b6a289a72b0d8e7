#ifndef HP_CMD_HPRUN_WORDS_H
#define HP_CMD_HPRUN_WORDS_H

/* Builds parts of command lines that several steps have in common. */

#include "run.h"

/*
 * Begins a command line: the program, its action unless that is NULL, and the
 * ordering options.
 */
struct words
ordered(struct run *, struct stage *, const char *program, const char *action);
/*
 * Returns the words of an action of hpsplit on a node.  It reads the plan (-P)
 * or the sublists (-L) on standard input.
 */
struct words split_words(struct run *, struct stage *, const char *action,
    const char *reads, size_t rank);
/*
 * Adds the words that name the node's part of the input.  It is an extent of
 * the launcher's input file, the node's own file (--in-place), or the file `in`
 * that the launcher has sent.
 */
void part_words(struct run *, struct stage *, size_t rank, struct words *);
/* Adds the names of one file of each node: PREFIX.0 PREFIX.1 and so on. */
void across(const struct run *, const char *prefix, struct words *);
const char *nth(struct stage *, const char *prefix, size_t rank);
/* Begins a command line with `hprun --do NAME` (do.h). */
struct words do_words(struct stage *, const char *name);

/* Returns the name of the file with the node's part of the result. */
const char *result_file(const struct run *, size_t rank);
/*
 * Returns whether the proof includes checksums of the records that -u drops
 * (prove.h).
 */
bool drops_proven(const struct run *);
/*
 * If drops_proven, adds the option --dropped to the command that writes `file`
 * ("run" or "out").
 */
void dropped_words(struct run *, const char *file, struct words *);
/*
 * Adds the options of the program that writes the node's part of the result:
 * the memory, the output file and, with -u, the checksum of dropped records.
 */
void result_words(struct run *, size_t rank, struct words *);
/*
 * Adds an action that removes a file of the node before a program needs its
 * disk space.  Does nothing with --keep.
 */
void
free_room(const struct run *, struct stage *, struct step *, const char *file);

/*
 * Returns the port from which the node's first command reads its part of the
 * input.  The launcher sends a stream only to a host, and only if
 * begins_with_sort; otherwise returns PORT_NONE.
 */
struct port part_port(const struct run *, size_t rank);
/*
 * Returns whether the method sorts the nodes' parts before they exchange
 * records.
 */
bool sorts_first(const struct run *);
/*
 * Returns whether the first step of each node is the sort.  The sort of a host
 * reads the node's part of the input while it arrives.
 */
bool begins_with_sort(const struct run *);
/*
 * Returns whether the launcher divides the input by key, so that the nodes need
 * not exchange records (range.c).
 */
bool divides_by_key(const struct run *);
/*
 * Returns whether each sorted batch returns to the launcher, so that nothing
 * is left to merge (range_batches.h).
 */
bool batches_return(const struct run *);
/*
 * Returns the path of the file of which each node gets an extent: the input, or
 * its copy that is divided by key.
 */
const char *dealt_file(const struct run *);

/*
 * Begins a command line that concatenates files.  It is `hprun --do cat`, so
 * that hprun needs no programs other than hptools.  A dry run prints cat(1).
 */
struct words cat_words(const struct run *, struct stage *);

/*
 * Returns N if the path is /dev/fd/N or another name of this process's
 * descriptor N, else -1.
 */
int descriptor_of(const char *path);
/*
 * Returns the name of an operand for a step of the launcher.  Steps do not
 * inherit descriptors, so a descriptor such as in `hprun <(command)` gets its
 * path in /proc.
 */
const char *named_file(const struct run *, struct stage *, const char *path);

/*
 * Returns the number of records as a word.  A dry run reads it from
 * count.jsonl.
 */
const char *record_count(const struct run *, struct stage *);

/*
 * Returns `value`.  A dry run does not know the value, and returns a shell
 * expression instead, which print.c prints unquoted.
 */
#define SHELL_WORD '\001'
const char *
late(const struct run *, struct stage *, const char *value, const char *shell);

#endif
