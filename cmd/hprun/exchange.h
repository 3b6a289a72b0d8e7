#ifndef HP_CMD_HPRUN_EXCHANGE_H
#define HP_CMD_HPRUN_EXCHANGE_H

/*
 * The exchange step of every node. With hosts or --keep, sender and receiver
 * store files, so that a killed hpexchange can resume. Checksums then show that
 * the received files are those that were sent, before the next step uses them.
 * Between processes of this machine, records pass through FIFOs while the next
 * step reads them.
 */

#include "run.h"

/*
 * Makes FIFOs in the directory of every node: `first` (unless NULL), and
 * `from`, or `from.R` for each source R if `sources` is set.
 */
int make_fifos(struct run *, const char *first, bool sources, struct hp_err *);
/*
 * Adds the exchange step of a node.
 *   file     the file to send, described by `extents`; NULL: the records
 *            come framed from the FIFO `stream`
 *   sources  writes one output for each source
 */
void exchange_step(
    struct run *, struct stage *, size_t rank, const char *file, bool sources);
/*
 * Runs the exchange stage with stored files, then compares the checksums of
 * what was sent and received.
 */
int exchange_files(struct run *, const char *file, struct hp_err *);
/* Remove files that no later step needs, unless --keep is given. */
int remove_files(struct run *, struct hp_err *);
int remove_input(struct run *, struct hp_err *);

#endif
