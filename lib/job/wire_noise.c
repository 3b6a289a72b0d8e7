#include <string.h>

#include "base/bytes.h"
#include "job/wire_noise.h"
#include "record/frame.h"

enum {
	/*
	 * Versions in stream heads are below this number. Bytes that have a
	 * larger version are not a stream head but output of the login.
	 */
	VERSIONS = 1000
};

/*
 * Returns 1 if there is a stream head of any version at p, and 0 if not.
 * Returns -1 if more bytes are needed to decide.
 */
static int
is_head(const unsigned char *p, size_t n)
{
	unsigned char head[FRAME_STREAM_HEAD];
	size_t magic = 8;

	frame_stream_head(head);
	if (memcmp(p, head, n < magic ? n : magic) != 0)
		return 0;
	if (n < FRAME_STREAM_HEAD)
		return -1;
	return get32(p + 8) < VERSIONS && get32(p + 12) == 0;
}

/*
 * Searches the output of the login for the stream head. Returns the offset of
 * the head, or of bytes that may be the beginning of a head. Otherwise returns
 * n. Sets *there to the result of is_head.
 */
static size_t
find_head(const unsigned char *p, size_t n, int *there)
{
	const unsigned char *h = p;

	for (; (h = memchr(h, 'h', n - (size_t)(h - p))) != NULL; h++)
		if ((*there = is_head(h, n - (size_t)(h - p))) != 0)
			return (size_t)(h - p);
	*there = 0;
	return n;
}

int
wire_noise(struct wire *w, struct wire_event *event, struct hp_err *e)
{
	const unsigned char *p, *newline;
	size_t n, skip;
	int there;

	while (!w->begun) {
		p = w->read.v + w->read.pos;
		n = find_head(p, w->read.len - w->read.pos, &there);
		if (n == 0 && there == 1) {
			if (frame_stream_check(p, w->name, e) == -1)
				return -1;
			w->begun = true;
			w->read.pos += FRAME_STREAM_HEAD;
			return 0;
		}
		if (w->role == WIRE_AGENT && n > 0)
			return hp_fail(
			    e, HP_INPUT, "%s: not a framed stream", w->name);
		newline = n == 0 ? NULL : memchr(p, '\n', n);
		skip = newline != NULL;
		if (newline != NULL)
			n = (size_t)(newline - p);
		if (n > MESSAGE_LINE) {
			n = MESSAGE_LINE;
			skip = 0;
		} else if (newline == NULL && there != 1)
			return 0; /* the line is incomplete */
		w->read.pos += n + skip;
		w->noise += n + skip;
		if (w->noise > WIRE_NOISE)
			return hp_fail(e, HP_INPUT,
			    "%s: prints too much before the agent's head",
			    w->name);
		if (n == 0)
			continue;
		event->kind = WIRE_PRINTED;
		event->bytes = p;
		event->len = n;
		return 1;
	}
	return 0;
}
