#ifndef HP_CMD_HPRUN_PRINT_H
#define HP_CMD_HPRUN_PRINT_H

/*
 * Implements --dry-run, which prints the commands of a run as a POSIX shell
 * script.  Stages are printed in the order in which they would run.  Work that
 * hprun does itself between stages is printed as a call of `hprun --do` (do.h).
 */

#include "run.h"

/*
 * Print the commands that make the directories at the start, and those that
 * remove them at the end.
 */
int print_begin(struct run *, struct hp_err *);
int print_end(struct run *, struct hp_err *);

/*
 * In the script, print_started records the process of the last background
 * command, and print_join waits for all recorded processes.
 */
void print_started(void);
void print_join(void);

int print_stage(struct run *, const struct stage *, struct hp_err *);
/*
 * Prints the command of a stage that has only one step.  The caller ends the
 * line.
 */
int print_bare(struct run *, const struct stage *, struct hp_err *);

/* Print the commands for work that hprun does itself between stages. */
int print_source(struct run *, struct hp_err *);
int print_cluster(struct run *, bool ports, struct hp_err *);
void print_random(const char *file, size_t bytes);
int print_note_parts(struct run *, struct hp_err *);
void print_send(struct stage *, size_t rank, const char *file, struct action *);
int print_lay_out(struct run *, struct hp_err *);
int print_begin_result(struct run *, const char *result, struct hp_err *);
int print_gather(struct run *, const char *result, struct hp_err *);
int print_appear(struct run *, struct hp_err *);

#endif
