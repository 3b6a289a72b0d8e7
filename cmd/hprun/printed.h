#ifndef HP_CMD_HPRUN_PRINTED_H
#define HP_CMD_HPRUN_PRINTED_H

/* Prints commands of --dry-run for work that hprun itself does. */

#include "print.h"

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
