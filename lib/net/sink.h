#ifndef HP_NET_SINK_H
#define HP_NET_SINK_H

/*
 * Where the records of a node go: all to standard output as they come, or those
 * of each source to a file or FIFO of its own.  Nothing here blocks but the
 * writing of regular files.
 *
 * On standard output the sources take turns between records.  A record that
 * spreads over several frames keeps the output until it ends.  That cannot hang
 * the exchange: in the stream of a source such frames stand next to each other
 * (a framed stream that has it otherwise is refused, and the parts of a file
 * flow independently), so a sender that has begun with such a record needs
 * nobody but its receiver to finish it.
 */

#include <sys/types.h>

#include <stdint.h>

#include "base/outfile.h"
#include "net/spool.h"
#include "net/framebuf.h"

enum output_kind {
	OUTPUT_BLOCKING, /* regular files and devices: never for long */
	OUTPUT_PIPE,	 /* does not block */
	OUTPUT_SOCKET,
	OUTPUT_PIPE_BUF /* blocks, but not for PIPE_BUF bytes when it polls
			   ready */
};

struct sink_output {
	enum output_kind kind;
	int fd; /* -1: a FIFO that nobody reads yet, or closed */
	char *path;
	struct outfile file; /* where it is a regular file */
	bool fifo, closed;
};

struct sink {
	struct sink_output *output; /* one a source, or one */
	uint32_t noutputs;
	bool shared;
	uint32_t holder; /* source inside a record, or SINK_FREE */
};

#define SINK_FREE UINT32_MAX

/*
 * prefix NULL: standard output, for all.  Files are kept in the directory, NULL
 * for none, until they get their names; `finished` are those that were there
 * when all was done, which need no more than that.
 */
int sink_open(struct sink *, const char *prefix, const struct spool *,
    bool finished, uint32_t nodes, struct hp_err *);
/* The descriptor of the file of this source; how much is in it. */
int
sink_file(const struct sink *, uint32_t source, uint64_t *, struct hp_err *);
/* Go on behind so many bytes of it. */
int
sink_resume(struct sink *, uint32_t source, uint64_t bytes, struct hp_err *);
/* The descriptor to poll before a put of this source, -1: no use now. */
int sink_poll_fd(const struct sink *, uint32_t source);
/*
 * Whether a put of this source may be tried without polling first: it takes
 * what there is room for.
 */
bool sink_takes(const struct sink *, uint32_t source);
/* Open FIFOs to which a reader has come: restarts how many still wait. */
int sink_retry(struct sink *, struct hp_err *);
/*
 * Write what is left of the payload, from pos on.  Returns 1 when all is out, 0
 * when not, -1; a reader that went away is HP_IO with EPIPE.
 */
int
sink_put(struct sink *, uint32_t source, struct framebuf *, struct hp_err *);
/*
 * The source has no more: the reader of its FIFO sees the end.  Returns 1, or
 * 0 while no reader has come.
 */
int sink_end(struct sink *, uint32_t source);
/* After the end of all: files get their names. */
int sink_commit(struct sink *, struct hp_err *);
/* Harmless after commit. */
void sink_close(struct sink *);

#endif
