#ifndef HP_CMD_SENT_H
#define HP_CMD_SENT_H

/*
 * What a node sends from a file, for hpexchange and hpexchange-mpi: the parts
 * of the file, and the option --sums, which writes their checksums.
 */

#include "doc/extents.h"
#include "net/exchange.h"
#include "options.h"
#include "record/format.h"

struct sent_sums {
	const char *path;     /* NULL: not given */
	struct format format; /* of the records; begins as format_line */
	bool zero;	      /* lines end in NUL */
};

/* Option table for a struct sent_sums. */
extern const struct cmd_option sent_options[];

/*
 * Checks the options when all are parsed, and completes the format.  Exits 2 if
 * they do not fit together.
 *   file  the input is a file (-i)
 */
void sent_check(struct sent_sums *, bool file, const struct cmd_syntax *);

/* Converts extents for the exchange.  Returns NULL if there is no memory. */
struct exchange_part *sent_parts(const struct extents *, struct hp_err *);

/* Begins a sum for each of n parts.  Returns NULL if there is no memory. */
struct part_sum *sent_begin(const struct format *, size_t n, struct hp_err *);
/* Writes the sums of a complete exchange.  The file appears complete. */
int sent_write(const char *path, const struct exchange *, struct hp_err *);
/* Frees the sums of n parts; NULL is harmless. */
void sent_free(struct part_sum *, size_t n);

#endif
