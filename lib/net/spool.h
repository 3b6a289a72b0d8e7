#ifndef HP_NET_SPOOL_H
#define HP_NET_SPOOL_H

/*
 * The spool directory of a node (option --resume): what a new process needs to
 * continue the exchange when the process before it was killed.  The new process
 * has the same run number.  So to the other nodes it is the same process, whose
 * connections were lost for a while.
 *
 *   job      a record of this node: its run, and the base of its attempts
 *   part.I   records that arrived from node I
 *   ledger.I the resume log of part.I (resumelog.h)
 *   sent     a record of each receiver that has stored all
 *   done     all nodes have stored all; only renaming the outputs is left
 *
 * When nothing is left to do, the record in `job` says so, and then the files
 * are removed.
 *
 * A node succeeds only after every other node has said that it has stored all
 * (decentralized commit, Skeen 1981).  If a node is killed before it has
 * recorded this statement, its new process asks again.  So each node must know
 * its own statements after a restart.  Therefore each statement is on disk
 * before it is sent:
 *
 *   statement                           written before it is sent
 *   receiver: stored                    parts, ends of the resume logs
 *   sender: bye                         sent
 *   receiver: bye, the answer           the bye in the resume log
 *   (sender has received that answer)   parted, in sent
 *
 * A node keeps its statements until it has a bye from every peer that is
 * restarted when killed (Bernstein, Hadzilacos and Goodman 1987, chapter 7).
 * The node waits for these peers until the timeout.  Then it renames its
 * outputs and succeeds, because nothing can fail any more.  In that case the
 * directory stays.  A process that is started there again only answers the
 * peers that still ask.  More is not possible: no protocol can make both ends
 * certain that the last message has arrived (Gray 1978, two generals).
 *
 * A process that works in the directory holds a lock on it.
 */

#include <stdbool.h>

#include "base/err.h"
#include "net/spoolrecord.h"

struct spool {
	const char *path; /* NULL: there is no spool */
	int dir;
	int sent; /* the file; -1: not open yet */
	uint32_t nodes;
	bool resumed; /* this process continues the work of a killed one */
	/* a killed process has done everything, except to remove its files */
	bool over;
};

#define SPOOL_NONE ((struct spool){ .dir = -1, .sent = -1 })

/*
 * Creates the directory, or resumes from it. To resume, sets the members run
 * and attempt of `mine` to those of the killed process. `input` is a digest of
 * the data that this node sends. Fails with HP_INPUT if the directory belongs
 * to another exchange.
 */
int spool_open(struct spool *, const char *path, struct hello *mine,
    uint64_t input, struct hp_err *);
/* Harmless on SPOOL_NONE. */
void spool_close(struct spool *);
/*
 * Returns the path of a file in the spool directory (--resume): the file for
 * `what` and a node, such as part.3. The caller frees the path. Returns NULL if
 * memory is short.
 */
char *spool_path(const struct spool *, const char *what, uint32_t rank);

/*
 * Writes a record to the file `name`. After SIGKILL the file has either the old
 * or the new record.
 */
int spool_put(const struct spool *, const char *name,
    const struct spool_record *, struct hp_err *);
/* Reads the record in the file `name`. Returns whether the file has one. */
bool spool_get(const struct spool *, const char *name, struct spool_record *);
/*
 * Write and read the record of the session in which this node sends to the
 * receiver `rank`. The file `sent` has these records.
 */
int spool_put_sent(struct spool *, uint32_t rank, const struct spool_record *,
    struct hp_err *);
bool spool_get_sent(struct spool *, uint32_t rank, struct spool_record *);
/* Removes the directory. */
int spool_clear(struct spool *, struct hp_err *);

#endif
