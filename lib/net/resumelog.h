#ifndef HP_NET_RESUMELOG_H
#define HP_NET_RESUMELOG_H

/*
 * What came from a sender, written down so that another process may go on: its
 * hello, and the head of each frame once the payload is in the part, then the
 * end and the bye.  So it is what went over the wire, without the payloads.
 *
 * A part and its ledger are true after SIGKILL, when what was written is in the
 * page cache: nothing is synced.  What is at the end of one and not of the
 * other is cut off, and comes again.  The checksums in the heads are of the
 * payloads too, so that nothing else has to be taken down, and what was there
 * before is verified against them while the rest comes.
 */

#include <stdbool.h>

#include "net/framebuf.h"
#include "net/spoolrecord.h"

struct resume_log {
	int fd;			 /* -1: none is kept */
	char *name;		 /* for messages */
	uint64_t at;		 /* where the next goes */
	bool begun, ended, left; /* it has the hello, the end, the bye */
	/* What was there before: verified up to here, */
	uint64_t seen_at, part_at;
	uint64_t old_at; /* of so much. */
};

/* What a ledger says. */
struct resumelog_state {
	struct spool_record peer; /* the sender; run 0: it never connected */
	struct frame_totals totals;
	bool inside; /* a record goes on */
};

#define RESUMELOG_NONE ((struct resume_log){ .fd = -1 })

/*
 * The file of what comes from node `from` to node `to`, into a part that has so
 * many bytes.  It is cut off where it is not right any more; the part is to be
 * cut to the bytes of the state.
 */
int resumelog_open(struct resume_log *, const char *path, uint32_t from,
    uint32_t to, uint64_t part_bytes, struct resumelog_state *,
    struct hp_err *);
/* Harmless on RESUMELOG_NONE. */
void resumelog_close(struct resume_log *);

/* The first time that the sender comes. */
int resumelog_begin(
    struct resume_log *, const struct spool_record *, struct hp_err *);
/* The head of a frame whose payload is stored. */
int resumelog_add(
    struct resume_log *, const unsigned char head[FRAME_HEAD], struct hp_err *);
/* The end of all those frames, and that the sender knows it: each once. */
int resumelog_end(
    struct resume_log *, const struct frame_totals *, struct hp_err *);
int resumelog_bye(struct resume_log *, uint64_t frames, struct hp_err *);

/*
 * Verifies one frame of what was there before: restarts 1, or 0 when there are
 * no more, or -1, HP_INPUT, when the part is not what came.
 */
int resumelog_verify(
    struct resume_log *, int part, struct framebuf *room, struct hp_err *);

#endif
