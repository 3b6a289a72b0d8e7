#ifndef HP_CMD_HPRUN_PRINT_H
#define HP_CMD_HPRUN_PRINT_H

/*
 * --dry-run: the commands of the run, which a person can run in a shell of
 * POSIX.  Stages are printed as they would be run; what hprun does itself
 * between them is printed as a call of `hprun --do` (do.h).
 */

#include "run.h"

/* The directories are made, and at the end removed. */
int print_begin(struct run *, struct hp_err *);
int print_end(struct run *, struct hp_err *);

/* Notes a command that was started in the background; waits for these. */
void print_started(void);
void print_join(void);

int print_stage(struct run *, const struct stage *, struct hp_err *);
/* The one step of a stage, on a line that goes on. */
int print_bare(struct run *, const struct stage *, struct hp_err *);

/* What hprun does itself. */
int print_source(struct run *, struct hp_err *);
int print_cluster(struct run *, bool ports, struct hp_err *);
void print_random(const char *file, size_t bytes);
int print_note_parts(struct run *, struct hp_err *);
void print_send(struct run *, struct stage *, size_t rank, struct action *);
int print_lay_out(struct run *, struct hp_err *);
int print_gather(struct run *, const char *result, struct hp_err *);
int print_appear(struct run *, struct hp_err *);

#endif
