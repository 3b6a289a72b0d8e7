#ifndef HP_NET_SPOOL_H
#define HP_NET_SPOOL_H

/*
 * A directory in which a node keeps what another process needs to go on in its
 * place, when it is killed.  To the others it is the same node, since it has
 * the same random number, whose connections broke.
 *
 *   job      our hello: run, and in `call` which process it is
 *   part.I   records from node I
 *   ledger.I which of them are there (resumelog.h)
 *   sent     what each node said to us, once it has told that it has stored
 *            all; with HELLO_ENDED once it knows that we know it
 *   done     all is stored everywhere: nothing but names is missing
 *
 * A node ends well when all others have told it that they have stored all: each
 * has a vote, and each counts them (the decentralized commit of Skeen 1981).
 * Who was cut off before it has counted them asks again when it goes on, and
 * then somebody must still know.  So each word is on disk before the next one
 * goes out:
 *
 *   receiver, before it tells stored     the parts, and the ends in the ledgers
 *   sender, before it says bye           sent
 *   receiver, before it says bye, too    the bye in the ledger
 *   sender, when it has heard that       HELLO_ENDED in sent
 *
 * A node does not forget what it told before it has the bye of all those who go
 * on when killed (Bernstein, Hadzilacos and Goodman 1987, chapter 7).  It waits
 * for them for the timeout, gives its files their names, since nothing can keep
 * it from that any more, and ends well; but then the directory stays, and who
 * is started again there only tells those who do not know.  Where it is gone,
 * nobody is going to ask.  That is all that can be had: there is no last word
 * of which both ends know that it came (Gray 1978, two generals).
 *
 * The directory is locked by who is at work there.
 */

#include <stdbool.h>

#include "base/err.h"
#include "net/wire.h"

struct spool {
	const char *path; /* NULL: nothing is kept */
	int dir, sent;	  /* sent: -1 until it is needed */
	uint32_t nodes;
	bool resumed; /* there was a process before */
};

#define SPOOL_NONE ((struct spool){ .dir = -1, .sent = -1 })
#define SPOOL_NAME_MAX 32

/*
 * Makes the directory, or takes up what is there: then the run of `mine`
 * becomes what it was, and its attempts go on.  `input` is a digest of what is
 * to be sent.  HP_INPUT when the directory is of something else.
 */
int spool_open(struct spool *, const char *path, struct hello *mine,
    uint64_t input, struct hp_err *);
/* Harmless on SPOOL_NONE. */
void spool_close(struct spool *);
/* All names in it have such a form. */
const char *
spool_name(const char *what, uint32_t rank, char name[SPOOL_NAME_MAX]);
/* The same as a path: allocated, or NULL. */
char *spool_path(const struct spool *, const char *what, uint32_t rank);

/* A hello under a name, whole or not at all; to be found after SIGKILL. */
int spool_put(const struct spool *, const char *name, const struct hello *,
    struct hp_err *);
/* Returns whether it is there. */
bool spool_get(const struct spool *, const char *name, struct hello *);
/* The same of what a node said, in its place of the file `sent`. */
int spool_put_sent(
    struct spool *, uint32_t rank, const struct hello *, struct hp_err *);
bool spool_get_sent(struct spool *, uint32_t rank, struct hello *);
/* Removes all of it. */
int spool_clear(struct spool *, struct hp_err *);

#endif
