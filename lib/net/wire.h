#ifndef HP_NET_WIRE_H
#define HP_NET_WIRE_H

/*
 * The messages between two nodes besides the frames.  hp-stream(5) describes
 * them byte by byte.  Each ordered pair of nodes has a connection, made by the
 * sender:
 *
 *   sender to receiver   hello frame* end bye
 *   receiver to sender   hello note* [bye]
 *
 * For each pair, frames are numbered and their totals are kept, as in a framed
 * stream.  Frames wait until the receiver has room.  Notes do not wait: they
 * are small, and a sender reads them at all times.  So a receiver can always
 * show that it is alive.
 *
 * A connection can be lost at any byte.  The sender then connects again, and
 * the answer of the receiver says with which frame to continue.  Each message
 * has a checksum, so that damaged bytes are detected and treated as a lost
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
	/*
	 * the sender's cluster has another number of nodes, or other node names
	 */
	VERDICT_CLUSTER,
	/* the ranks in the hello are not those of this pair of nodes */
	VERDICT_ADDRESS,
	/* another process of the sender's node was connected before */
	VERDICT_TWICE,
	VERDICT_LATE, /* a later attempt was answered already */
	/* answer of a relay: no process of the receiver is running */
	VERDICT_GONE
};

enum {
	/*
	 * the node that sends the hello has a spool directory: its process is
	 * started again if it is killed
	 */
	HELLO_RESTARTS = 1,
	/*
	 * in a receiver's answer: the sender's last frame (the end frame) has
	 * arrived
	 */
	HELLO_ENDED = 2
};

struct hello {
	uint32_t version, nodes, from, to;
	enum verdict verdict; /* in an answer */
	uint32_t attempt;     /* number of the sender's attempt, from 1 */
	unsigned char cluster[HELLO_CLUSTER]; /* digest of the node names */
	uint64_t run; /* random number of the process that sends the hello */
	/*
	 * In an answer: the number of the next frame that the receiver expects,
	 * and the totals of all frames before it.
	 */
	uint64_t frames, records, bytes;
	uint64_t flags;
};

void hello_encode(const struct hello *, unsigned char out[HELLO_SIZE]);
/*
 * Decodes a hello of n bytes. Returns 1, or 0 when more bytes are needed.
 * Returns -1 when the bytes are no hello or are damaged. If the hello has
 * another version, only the version and the verdict are decoded.
 */
int hello_decode(const unsigned char *in, uint32_t n, struct hello *);
/*
 * Returns the answer to the hello of a sender, `theirs`. `mine` is the hello of
 * this node.
 */
enum verdict hello_judge(const struct hello *theirs, const struct hello *mine);
const char *verdict_text(enum verdict);

/*
 * Computes the digest of a cluster: the canonical XXH3-128 of the node names,
 * each followed by a NUL.
 */
void cluster_digest(
    const char *const *names, uint32_t nodes, unsigned char out[HELLO_CLUSTER]);

enum note_type {
	/*
	 * The receiver is alive. The value of this note is the number of frames
	 * that it has passed on to its output so far.
	 */
	NOTE_ALIVE = 1,
	/*
	 * The receiver has stored all data. The value of this note is the
	 * number of all frames, including the end frame.
	 */
	NOTE_STORED,
	/*
	 * The node whose rank is the value of this note has failed. The text of
	 * the note says why.
	 */
	NOTE_QUIT,
	/*
	 * The sender ends the session: it knows that the receiver has stored
	 * all data. A receiver with a spool directory answers with NOTE_BYE,
	 * others do not answer.
	 */
	NOTE_BYE,
	/*
	 * Nodes log in at the machines in a fixed order. The value of this note
	 * is the number of machines at which the sender of the note has
	 * finished its logins.
	 */
	NOTE_PASSED,
	NOTE_SHARES /* the receiver has mapped the window (window.h) */
};

/*
 * Flag in the value of NOTE_QUIT, beside the rank: a retry of the exchange
 * would fail in the same way.
 */
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
 * is truncated.
 */
uint32_t note_encode(
    enum note_type, uint64_t value, const char *text, unsigned char *out);
/*
 * Decodes the note at the start of n bytes. Returns its length, or 0 when more
 * bytes are needed. Returns -1 when the bytes are no note or are damaged.
 * Control characters in the text become '?', because a peer must not control
 * the user's terminal.
 */
int note_decode(const unsigned char *in, uint32_t n, struct note *);

#endif
