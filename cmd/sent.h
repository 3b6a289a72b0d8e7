#ifndef HP_CMD_SENT_H
#define HP_CMD_SENT_H

/*
 * The options of hpexchange and hpexchange-mpi for a node that sends parts of a
 * file: which parts to send, and --sums, which writes the checksums of these
 * parts.
 */

#include "doc/extents.h"
#include "net/exchange.h"
#include "options.h"
#include "record/format.h"

struct sent_sums {
	const char *path;     /* NULL: not given */
	struct format format; /* format of the records; begins as format_line */
	bool zero;	      /* lines end in NUL */
};

/* Option table for a struct sent_sums. */
extern const struct cmd_option sent_options[];

/*
 * Checks the options for sent parts after all options are parsed, and completes
 * the record format.  Exits 2 if options contradict each other.
 *   file  true if the input is a file (-i)
 */
void sent_check(struct sent_sums *, bool file, const struct cmd_syntax *);

/*
 * Exits 2 if the output of this option is an input, or is one of the files for
 * received records.
 *   path    NULL: the option was not given
 *   input   n names of input files; NULL: none
 *   prefix  argument of -o; NULL: received records go to standard output
 */
void sent_spares(const char *option, const char *path, const char *const *input,
    size_t n, const char *prefix);

/*
 * Converts the extents of a document to the parts of the file that an exchange
 * sends.  Returns NULL if there is no memory.
 */
struct exchange_part *sent_parts(const struct extents *, struct hp_err *);

/*
 * Returns n empty checksums, one for each part that the node sends.  Returns
 * NULL if there is no memory.
 */
struct part_sum *sent_begin(const struct format *, size_t n, struct hp_err *);
/*
 * Writes the checksums of the sent parts after the exchange is complete.  The
 * file appears only when it is complete.
 */
int sent_write(const char *path, const struct exchange *, struct hp_err *);
/* Frees the checksums of n parts.  Does nothing for NULL. */
void sent_free(struct part_sum *, size_t n);

#endif
