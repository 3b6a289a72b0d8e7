#ifndef HP_NET_WIRE_H
#define HP_NET_WIRE_H

/*
 * What two nodes say to each other beside the frames; hp-stream(5) has it byte
 * by byte.  Each ordered pair of nodes has a connection of its own, made by
 * the sender:
 *
 *   sender to receiver   hello frame* end bye
 *   receiver to sender   hello note* [bye]
 *
 * The frames are numbered and summed up for each pair, so that each one is a
 * stream of hp-stream(5) but for its first bytes.  Notes are small and are
 * read at all times, while frames wait until the receiver has room: what a
 * receiver cannot take does not keep it from notice_lock that it is alive.
 *
 * A connection may be lost at any byte.  The sender then attempts again, and
 * the receiver's answer says with which frame to go on.  All that goes over a
 * connection has a checksum, so that damage on the way is a loss like others.
 * Little-endian.
 */

#include <stdint.h>

#define HELLO_SIZE 104
#define HELLO_VERSION 5
#define HELLO_CLUSTER 16

/* Why a sender is not let in. */
enum verdict {
	VERDICT_WELCOME,
	VERDICT_VERSION, /* speaks another version */
	VERDICT_CLUSTER, /* has another cluster: number or names of nodes */
	VERDICT_ADDRESS, /* comes from, or wants, a node that is not here */
	VERDICT_TWICE,	 /* another process is, or was, this node */
	VERDICT_LATE,	 /* a later call was answered already */
	VERDICT_GONE	 /* nobody is at work where it was brought to */
};

enum {
	HELLO_RESTARTS = 1, /* who speaks goes on if its process is killed */
	HELLO_ENDED = 2	    /* in an answer: has the end already */
};

struct hello {
	uint32_t version, nodes, from, to;
	enum verdict verdict; /* in an answer */
	uint32_t attempt;     /* the sender's attempts, from 1 */
	unsigned char cluster[HELLO_CLUSTER]; /* digest of the node names */
	uint64_t run;	 /* a random number of the process that speaks */
	uint64_t frames; /* in an answer: number of the one that is expected, */
	uint64_t records, bytes; /* and what those before it have in all */
	uint64_t flags;
};

void hello_encode(const struct hello *, unsigned char out[HELLO_SIZE]);
/*
 * Takes a hello off the front of n bytes: restarts 1, 0 when it is not all
 * there yet, -1 when this is no hello, or a damaged one.  Of another version's
 * nothing but the version and the verdict is known.
 */
int hello_decode(const unsigned char *in, uint32_t n, struct hello *);
/* Whether a sender's hello fits the node that hears it. */
enum verdict hello_judge(const struct hello *theirs, const struct hello *mine);
const char *verdict_text(enum verdict);

/* The digest of a cluster: canonical XXH3-128 of its names, a NUL after each */
void cluster_digest(
    const char *const *names, uint32_t nodes, unsigned char out[HELLO_CLUSTER]);

enum note_type {
	NOTE_ALIVE = 1, /* value: frames that were handed on so far */
	NOTE_STORED,	/* value: all of the frames, and the end */
	NOTE_QUIT,	/* value: rank of the node that failed; text: why */
	NOTE_BYE,	/* from the sender: it has heard that all is stored;
			   from a receiver that goes on: it knows that */
	NOTE_PASSED, /* value: machines at which it needs no login any more */
	NOTE_SHARES  /* the window is mapped here (window.h) */
};

/* Beside the rank of who quits: another try would end in the same way. */
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

/* Returns the length of the bytes.  A text that is too long is cut. */
uint32_t note_encode(
    enum note_type, uint64_t value, const char *text, unsigned char *out);
/*
 * Takes a note off the front of n bytes: restarts its length, 0 when it is not
 * all there yet, -1 when this is no note, or a damaged one.  What cannot be
 * printed in the text is replaced: a peer does not write on our terminal.
 */
int note_decode(const unsigned char *in, uint32_t n, struct note *);

#endif
