#ifndef HP_NET_FRAMED_H
#define HP_NET_FRAMED_H

/*
 * A framed stream of hp-stream(5) as the input of a node: one frame at a time,
 * verified, with the node that it belongs to.
 */

#include "net/framebuf.h"

struct framed {
	int fd;
	const char *name;
	uint32_t me, nodes;
	enum {
		FRAMED_HEAD,
		FRAMED_FRAMES,
		FRAMED_TAIL, /* after the end nothing must come */
		FRAMED_DONE
	} state;
	struct framebuf buf;
	bool ready; /* a whole frame waits to be taken */
	struct frame_totals totals;
	bool inside; /* a record goes on, and must go to the same sublist */
	uint32_t sublist;
};

/* Of node me, among so many; sublist i belongs to node i. */
int framed_init(struct framed *, int fd, const char *name, uint32_t me,
    uint32_t nodes, struct hp_err *);
void framed_fini(struct framed *);
/*
 * One read(2), when there is something to read.  HP_INPUT from a stream that is
 * damaged, cut short, or of another node.
 */
int framed_read(struct framed *, struct hp_err *);

#endif
