#ifndef HP_NET_KEEP_H
#define HP_NET_KEEP_H

/*
 * A directory in which a node keeps what another process needs to go on in its
 * place, when it is killed.  To the others it is the same node, since it has
 * the same random number, whose connections broke.
 *
 *   job      our hello: run, and in `call` which process it is
 *   part.I   records from node I
 *   ledger.I which of them are there (ledger.h)
 *   sent.I   what node I said to us, once it has told that it has stored all
 *   done     all is stored everywhere: nothing but names is missing
 *
 * The directory is locked by who is at work there, and removed when all is
 * done.
 */

#include <stdbool.h>

#include "base/err.h"
#include "net/wire.h"

struct keep {
	const char *path; /* NULL: nothing is kept */
	int dir;
	uint32_t nodes;
	bool again; /* there was a process before */
};

#define KEEP_NONE ((struct keep){ .dir = -1 })
#define KEEP_NAME_MAX 32

/*
 * Makes the directory, or takes up what is there: then the run of `mine`
 * becomes what it was, and its calls go on.  `input` is a digest of what is to
 * be sent.  HP_INPUT when the directory is of something else.
 */
int keep_open(struct keep *, const char *path, struct hello *mine,
    uint64_t input, struct hp_err *);
/* Harmless on KEEP_NONE. */
void keep_close(struct keep *);
/* All names in it have such a form. */
const char *
keep_name(const char *what, uint32_t rank, char name[KEEP_NAME_MAX]);
/* The same as a path: allocated, or NULL. */
char *keep_path(const struct keep *, const char *what, uint32_t rank);

/* A hello under a name, whole or not at all; to be found after SIGKILL. */
int keep_put(const struct keep *, const char *name, const struct hello *,
    struct hp_err *);
/* Returns whether it is there. */
bool keep_get(const struct keep *, const char *name, struct hello *);
/* Removes all of it. */
int keep_clear(struct keep *, struct hp_err *);

#endif
