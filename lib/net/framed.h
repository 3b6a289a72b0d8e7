#ifndef HP_NET_FRAMED_H
#define HP_NET_FRAMED_H

/*
 * A framed stream (hp-stream(5)) as the input of a node.  It delivers one
 * verified frame at a time.
 */

#include "net/framebuf.h"

struct framed {
	int fd;
	const char *name;
	uint32_t me, nodes;
	enum {
		FRAMED_HEAD, /* of the stream */
		FRAMED_FRAMES,
		FRAMED_TAIL, /* after the end frame, where nothing may follow */
		FRAMED_DONE
	} state;
	struct framebuf buf;
	bool ready; /* buf is a whole frame */
	struct frame_totals totals;
	/* The last frame ends inside a record, which continues in `sublist`. */
	bool inside;
	uint32_t sublist;
};

/* Sublist i of the stream belongs to node i. */
int framed_init(struct framed *, int fd, const char *name, uint32_t me,
    uint32_t nodes, struct hp_err *);
void framed_fini(struct framed *);
/*
 * Reads once.  Fails with HP_INPUT when the stream is damaged, cut short or
 * that of another node.
 */
int framed_read(struct framed *, struct hp_err *);

#endif
