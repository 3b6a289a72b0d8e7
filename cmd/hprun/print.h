#ifndef HP_CMD_HPRUN_PRINT_H
#define HP_CMD_HPRUN_PRINT_H

/*
 * --dry-run prints the commands of the run as a POSIX shell script.  Stages are
 * printed as they would be run.  Work that hprun does itself between stages is
 * printed as a call of `hprun --do` (do.h).
 */

#include "run.h"

/* Print the commands that make the directories and, at the end, remove them. */
int print_begin(struct run *, struct hp_err *);
int print_end(struct run *, struct hp_err *);

/*
 * print_started records the last background command; print_join waits for all
 * recorded ones.
 */
void print_started(void);
void print_join(void);

int print_stage(struct run *, const struct stage *, struct hp_err *);
/* Prints the only step of a stage without the end of the line. */
int print_bare(struct run *, const struct stage *, struct hp_err *);

/* Print the work that hprun does itself. */
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
