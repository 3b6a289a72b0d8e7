#ifndef HP_NET_SINK_H
#define HP_NET_SINK_H

/*
 * The output of a node: standard output for the records of all sources, or a
 * file or FIFO for each source.  Only writes to regular files block.
 *
 * On standard output sources alternate between records.  A record that spans
 * several frames holds the output until it ends.  This cannot cause a deadlock:
 * the frames of such a record are consecutive in the stream of their source, so
 * the sender needs only this receiver to finish the record.  A framed stream
 * with other frames in between is refused, and the extents of a file are read
 * independently.
 */

#include <sys/types.h>

#include <stdint.h>

#include "base/outfile.h"
#include "net/framebuf.h"
#include "net/spool.h"

enum output_kind {
	OUTPUT_BLOCKING, /* a regular file or device: writes are short */
	OUTPUT_PIPE,	 /* a pipe that does not block */
	OUTPUT_SOCKET,
	/* A blocking pipe or terminal.  It takes PIPE_BUF bytes when ready. */
	OUTPUT_PIPE_BUF
};

struct sink_output {
	enum output_kind kind;
	int fd; /* -1: a FIFO without a reader yet, or closed */
	char *path;
	struct outfile file; /* if it is a regular file */
	bool fifo, closed;
};

struct sink {
	struct sink_output *output; /* by source, or one for all */
	uint32_t noutputs;
	bool shared;	 /* one output for all */
	uint32_t holder; /* source inside a record, or SINK_FREE */
};

#define SINK_FREE UINT32_MAX

/*
 * prefix NULL: standard output.  With a spool, which may be NULL, the files are
 * in its directory until they are renamed.  `finished`: they are complete from
 * an earlier process, and only have to be renamed.
 */
int sink_open(struct sink *, const char *prefix, const struct spool *,
    bool finished, uint32_t nodes, struct hp_err *);
/* The descriptor of the file of a source, and its size.  Or -1. */
int
sink_file(const struct sink *, uint32_t source, uint64_t *, struct hp_err *);
/* Cuts the file of a source to a size and continues there. */
int
sink_resume(struct sink *, uint32_t source, uint64_t bytes, struct hp_err *);
/* The descriptor to poll before sink_put; -1: a put is impossible now. */
int sink_poll_fd(const struct sink *, uint32_t source);
/* Whether sink_put needs no poll(2): it writes what there is room for. */
bool sink_takes(const struct sink *, uint32_t source);
/* Opens FIFOs that have a reader now.  Returns how many have none. */
int sink_retry(struct sink *, struct hp_err *);
/*
 * Writes the payload from pos on.  Returns 1 when all is written, 0 when not,
 * or -1.  When the reader is gone that is HP_IO with EPIPE.
 */
int
sink_put(struct sink *, uint32_t source, struct framebuf *, struct hp_err *);
/*
 * Closes the FIFO of a source after its last record.  Returns 1, or 0 when no
 * reader has opened it yet.
 */
int sink_end(struct sink *, uint32_t source);
/* Renames all files, after all sources have ended. */
int sink_commit(struct sink *, struct hp_err *);
/* Removes the files unless they were renamed. */
void sink_close(struct sink *);

#endif
