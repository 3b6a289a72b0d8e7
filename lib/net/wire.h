#ifndef HP_NET_WIRE_H
#define HP_NET_WIRE_H

/*
 * The messages between two nodes besides the frames, byte by byte in
 * hp-stream(5).  Each ordered pair of nodes has a connection, made by the
 * sender:
 *
 *   sender to receiver   hello frame* end bye
 *   receiver to sender   hello note* [bye]
 *
 * For each pair frames are numbered and summed up like those of a framed
 * stream.  Notes are small, and a sender reads them at all times, whereas
 * frames wait until the receiver has room.  So a receiver can always show that
 * it is alive.
 *
 * A connection may be lost at any byte.  The sender then connects again, and
 * the answer of the receiver says with which frame to continue.  Everything has
 * a checksum, so that damaged bytes are detected and treated as a lost
 * connection.  Integers are little-endian.
 */

#include <stdint.h>

#define HELLO_SIZE 104
#define HELLO_VERSION 5
#define HELLO_CLUSTER 16

/* The answer of a receiver to a hello. */
enum verdict {
	VERDICT_WELCOME,
	VERDICT_VERSION, /* speaks another version */
	/* the sender has another number of nodes, or other names */
	VERDICT_CLUSTER,
	/* the ranks in the hello do not belong to this receiver */
	VERDICT_ADDRESS,
	VERDICT_TWICE, /* the sender's node was another process before */
	VERDICT_LATE,  /* a later attempt was answered already */
	VERDICT_GONE /* answer of a relay: no process of the node is running */
};

enum {
	/*
	 * the node that sends the hello has a spool: it is started again if
	 * killed
	 */
	HELLO_RESTARTS = 1,
	HELLO_ENDED = 2 /* in an answer: the sender's end frame has arrived */
};

struct hello {
	uint32_t version, nodes, from, to;
	enum verdict verdict; /* in an answer */
	uint32_t attempt;     /* number of the sender's attempt, from 1 */
	unsigned char cluster[HELLO_CLUSTER]; /* digest of the node names */
	uint64_t run; /* random number of the process that sends the hello */
	/*
	 * In an answer: the number of the next frame, and the totals up to that
	 * frame.
	 */
	uint64_t frames, records, bytes;
	uint64_t flags;
};

void hello_encode(const struct hello *, unsigned char out[HELLO_SIZE]);
/*
 * Decodes a hello of n bytes. Returns 1, or 0 when more bytes are needed.
 * Returns -1 when the bytes are no hello or are damaged. Of another version
 * only the version and the verdict are decoded.
 */
int hello_decode(const unsigned char *in, uint32_t n, struct hello *);
/* Returns how the node with the hello `mine` answers the hello of a sender. */
enum verdict hello_judge(const struct hello *theirs, const struct hello *mine);
const char *verdict_text(enum verdict);

/*
 * Computes the digest of a cluster: the canonical XXH3-128 of the node names,
 * each followed by a NUL.
 */
void cluster_digest(
    const char *const *names, uint32_t nodes, unsigned char out[HELLO_CLUSTER]);

enum note_type {
	NOTE_ALIVE = 1, /* value: number of frames that were passed on so far */
	NOTE_STORED,	/* value: number of all frames, with the end frame */
	NOTE_QUIT,	/* value: rank of the node that failed; text: why */
	/*
	 * The sender knows that the receiver has stored everything. A receiver
	 * with a spool answers with the same note. Other receivers do not
	 * answer.
	 */
	NOTE_BYE,
	/* value: number of machines at which all logins are done */
	NOTE_PASSED,
	NOTE_SHARES /* the receiver has mapped the window (window.h) */
};

/* Added to the rank in NOTE_QUIT if a retry would fail in the same way. */
#define QUIT_FINAL (UINT64_C(1) << 32)

#define NOTE_HEAD 32
#define NOTE_TEXT 240 /* longest text */
#define NOTE_MAX (NOTE_HEAD + NOTE_TEXT)

struct note {
	enum note_type type;
	uint32_t length; /* of the text */
	uint64_t value;
	char text[NOTE_TEXT + 1];
};

/*
 * Encodes a note to `out`. Returns its length in bytes. A text that is too long
 * is cut.
 */
uint32_t note_encode(
    enum note_type, uint64_t value, const char *text, unsigned char *out);
/*
 * Decodes a note at the start of n bytes. Returns its length, or 0 when more
 * bytes are needed. Returns -1 when the bytes are no note or are damaged.
 * Control characters in the text become '?', because a peer must not control
 * our terminal.
 */
int note_decode(const unsigned char *in, uint32_t n, struct note *);

#endif
