#ifndef HP_CMD_HPRUN_EXCHANGE_H
#define HP_CMD_HPRUN_EXCHANGE_H

/*
 * The exchange step of every node.  With hosts or --keep, sender and receiver
 * store files, so that a killed hpexchange can resume.  Before the next step
 * uses the received files, checksums show that they equal the sent files.
 * Between processes of this machine, records pass through FIFOs while the next
 * step reads them.
 */

#include "run.h"

/*
 * Makes the FIFOs in the directory of every node.  One is named `first`, unless
 * that is NULL.  The other is named `from`; if `sources` is set, there is one
 * named `from.R` for each source R instead.
 */
int make_fifos(struct run *, const char *first, bool sources, struct hp_err *);
/*
 * Adds the step that exchanges the records of node `rank`.
 *   file     the file to send, described by `extents`; NULL: the records
 *            come framed from the FIFO `stream`
 *   sources  write one output file for each source
 */
void exchange_step(
    struct run *, struct stage *, size_t rank, const char *file, bool sources);
/*
 * Runs the exchange stage with stored files.  Then compares the checksums of
 * the sent and the received files.
 */
int exchange_files(struct run *, const char *file, struct hp_err *);
/*
 * Remove the nodes' files, and the launcher's copy of the input, when no later
 * step needs them.  With --keep, all files remain.
 */
int remove_files(struct run *, struct hp_err *);
int remove_input(struct run *, struct hp_err *);

#endif
