#ifndef HP_CMD_HPRUN_EXCHANGE_H
#define HP_CMD_HPRUN_EXCHANGE_H

/*
 * The exchange step of every node.  Where files are stored on both sides
 * (hosts,
 * --keep), an hpexchange that is killed goes on from them, and what was sent is
 * proven before it is used.  Between processes of this machine records pass
 * through FIFOs, while the next step reads them.
 */

#include "run.h"

/* FIFOs of these names in the directory of every node. */
int make_fifos(struct run *, const char *first, bool sources, struct hp_err *);
/*
 * Adds the exchange step of a node.  file: what its extents are of; NULL: the
 * framed FIFO `stream`.  sources: an output for each source.
 */
void exchange_step(
    struct run *, struct stage *, size_t rank, const char *file, bool sources);
/* The whole stage where files are stored, and its proof. */
int exchange_files(struct run *, const char *file, struct hp_err *);
/* Removes what is not needed any more, unless it is kept. */
int remove_files(struct run *, struct hp_err *);
int remove_input(struct run *, struct hp_err *);

#endif
