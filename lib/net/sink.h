#ifndef HP_NET_SINK_H
#define HP_NET_SINK_H

/*
 * The output of a node: standard output for the records of all sources, or a
 * file or FIFO for each source.  Only writes to regular files and devices
 * block, for a short time.
 *
 * On standard output, the records of different sources alternate.  If a record
 * spans several frames, no other source can write until the record ends.  This
 * cannot cause a deadlock: the frames of such a record are consecutive in the
 * stream of their source.  So the sender needs only this receiver to finish the
 * record.  A framed stream with other frames in between is refused (framed.h).
 * A file is read independently for each receiver (parts.h).
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
	 * A pipe or terminal whose writes block. When poll(2) reports it as
	 * ready, a write of up to PIPE_BUF bytes does not block.
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
 * Opens the outputs. If prefix is NULL, the output is standard output. If there
 * is a spool, the files are in its directory until they are renamed. `finished`
 * means that an earlier process completed the files, so that they only have to
 * be renamed.
 */
int sink_open(struct sink *, const char *prefix, const struct spool *,
    bool finished, uint32_t nodes, struct hp_err *);
/*
 * Returns the descriptor of the output file of a source, and stores the size of
 * the file. Returns -1 if there is no such file.
 */
int
sink_file(const struct sink *, uint32_t source, uint64_t *, struct hp_err *);
/*
 * Truncates the output file of a source to that many bytes. Later writes
 * continue there.
 */
int
sink_resume(struct sink *, uint32_t source, uint64_t bytes, struct hp_err *);
/*
 * Returns the descriptor to poll before sink_put is called. Returns -1 if
 * sink_put cannot be called now.
 */
int sink_poll_fd(const struct sink *, uint32_t source);
/*
 * Returns whether sink_put may be called without poll(2) before, because a
 * write to the output never blocks for long.
 */
bool sink_takes(const struct sink *, uint32_t source);
/*
 * Opens the FIFOs that have a reader now. Returns the number of FIFOs without a
 * reader.
 */
int sink_retry(struct sink *, struct hp_err *);
/*
 * Writes the rest of a payload, from pos on. Returns 1 when all of it is
 * written, 0 when a part is still to be written, or -1. Fails with HP_IO and
 * EPIPE when the reader of the output has ended.
 */
int
sink_put(struct sink *, uint32_t source, struct framebuf *, struct hp_err *);
/*
 * Closes the FIFO of a source after its last record was written, and returns 1.
 * Returns 0 when no reader has opened the FIFO yet.
 */
int sink_end(struct sink *, uint32_t source);
/* Renames all files, after all sources have ended. */
int sink_commit(struct sink *, struct hp_err *);
/* Removes the files unless they were renamed. */
void sink_close(struct sink *);

#endif
