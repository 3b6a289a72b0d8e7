#ifndef HP_NET_RESUMELOG_H
#define HP_NET_RESUMELOG_H

/*
 * The resume log of one sender: which of the sender's frames are stored.  The
 * payloads of these frames are in another file, the part.  The log has a record
 * of the sender, then the head of each frame whose payload is in the part, then
 * the end frame, then the bye.
 *
 * Log and part survive SIGKILL, because written data stays in the page cache.
 * They are not synced, so they need not survive a crash of the machine.  If one
 * of the two files has more frames than the other, the excess is cut off, and
 * the sender sends it again.  The checksum in the head of a frame covers the
 * payload, too.  While new frames arrive, the frames that the killed process
 * stored are verified.
 */

#include <stdbool.h>

#include "net/framebuf.h"
#include "net/spoolrecord.h"

struct resume_log {
	int fd;	     /* -1: there is no log */
	char *name;  /* for messages */
	uint64_t at; /* length of the log */
	bool begun;  /* the log has the record that describes the sender */
	bool ended;  /* the log has the end frame */
	bool left;   /* the log has the bye */
	/* The part inherited from the killed process: */
	uint64_t old_at; /* end of its heads in the log */
	/*
	 * The log, and the file with the sender's data (the part), were
	 * verified up to these offsets.
	 */
	uint64_t seen_at, part_at;
};

/* What a log says. */
struct resumelog_state {
	struct spool_record peer; /* the sender; run 0: it never connected */
	struct frame_totals totals;
	bool inside; /* the last frame ends inside a record */
};

#define RESUMELOG_NONE ((struct resume_log){ .fd = -1 })

/*
 * Opens or creates the log of the frames that node `from` sends to node `to`.
 * The payloads of these frames are in another file, the part, which has
 * part_bytes bytes. Cuts the log off at its first invalid entry. The caller
 * must then truncate the part to state->totals.bytes.
 */
int resumelog_open(struct resume_log *, const char *path, uint32_t from,
    uint32_t to, uint64_t part_bytes, struct resumelog_state *,
    struct hp_err *);
/* Harmless on RESUMELOG_NONE. */
void resumelog_close(struct resume_log *);

/*
 * Writes the record that describes the sender to the log, unless the log
 * already has it.
 */
int resumelog_begin(
    struct resume_log *, const struct spool_record *, struct hp_err *);
/*
 * Writes the head of a frame to the log. The payload of the frame must already
 * be in the part, the file with the data.
 */
int resumelog_add(
    struct resume_log *, const unsigned char head[FRAME_HEAD], struct hp_err *);
/* Writes the end frame to the log, unless the log already has it. */
int resumelog_end(
    struct resume_log *, const struct frame_totals *, struct hp_err *);
/*
 * Writes the bye to the log, unless the log already has it. The bye means that
 * the sender knows that everything is stored.
 */
int resumelog_bye(struct resume_log *, uint64_t frames, struct hp_err *);

/*
 * Verifies the next frame that an earlier process stored. Reads its payload
 * into `room`. Returns 1, or 0 when all frames are verified. Returns -1 with
 * HP_INPUT when the part, the file with the data, is damaged.
 */
int resumelog_verify(
    struct resume_log *, int part, struct framebuf *room, struct hp_err *);

#endif
