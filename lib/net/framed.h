#ifndef HP_NET_FRAMED_H
#define HP_NET_FRAMED_H

/*
 * A framed stream (hp-stream(5)) as the input of a node. Reading it delivers
 * one verified frame at a time.
 */

#include "net/framebuf.h"

struct framed {
	int fd;
	const char *name;
	uint32_t me, nodes;
	enum {
		FRAMED_HEAD, /* next comes the head of the stream */
		FRAMED_FRAMES,
		/* the end frame was read, and no bytes may follow it */
		FRAMED_TAIL,
		FRAMED_DONE
	} state;
	struct framebuf buf;
	bool ready; /* buf is a whole frame */
	struct frame_totals totals;
	/*
	 * Whether the last frame ends inside a record. If so, the next frame of
	 * `sublist` continues this record.
	 */
	bool inside;
	uint32_t sublist;
};

/* Opens the stream. Sublist i of the stream is sent to node i. */
int framed_init(struct framed *, int fd, const char *name, uint32_t me,
    uint32_t nodes, struct hp_err *);
void framed_fini(struct framed *);
/*
 * Reads once from the stream. Fails with HP_INPUT when the stream is damaged,
 * is cut short, or belongs to another node.
 */
int framed_read(struct framed *, struct hp_err *);

#endif
