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
	/* a regular file or device, on which a write takes little time */
	OUTPUT_BLOCKING,
	OUTPUT_PIPE, /* a pipe that does not block */
	OUTPUT_SOCKET,
	/*
	 * A pipe or terminal that blocks. When it is ready, it takes PIPE_BUF
	 * bytes.
	 */
	OUTPUT_PIPE_BUF
};

struct sink_output {
	enum output_kind kind;
	int fd; /* descriptor of the output; -1: closed, or a FIFO without a
		   reader */
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
 * Opens the outputs. prefix NULL means standard output. With a spool, which may
 * be NULL, the files are in its directory until they are renamed. `finished`:
 * an earlier process completed the files, so they only have to be renamed.
 */
int sink_open(struct sink *, const char *prefix, const struct spool *,
    bool finished, uint32_t nodes, struct hp_err *);
/*
 * Returns the descriptor of the file of a source, and stores its size. Returns
 * -1 if there is none.
 */
int
sink_file(const struct sink *, uint32_t source, uint64_t *, struct hp_err *);
/* Truncates the file of a source to a size and continues writing there. */
int
sink_resume(struct sink *, uint32_t source, uint64_t bytes, struct hp_err *);
/*
 * Returns the descriptor to poll before sink_put, or -1 if sink_put is
 * impossible now.
 */
int sink_poll_fd(const struct sink *, uint32_t source);
/*
 * Returns whether sink_put may be called without poll(2) before. Such a sink
 * never blocks: it writes only what there is room for.
 */
bool sink_takes(const struct sink *, uint32_t source);
/*
 * Opens the FIFOs that have a reader now. Returns the number of FIFOs without a
 * reader.
 */
int sink_retry(struct sink *, struct hp_err *);
/*
 * Writes the payload from pos on. Returns 1 when all of it is written, 0 when
 * not, or -1. When the reader is gone, fails with HP_IO and EPIPE.
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
