#ifndef HP_DOC_MESSAGE_H
#define HP_DOC_MESSAGE_H

/*
 * The messages between launcher and agent, hp-agent(5): one JSON object each.
 * Reading is strict, as either side may be hostile: an unknown type, an
 * unknown or missing member, a wrong type, a number out of range, a string
 * that is too long or has a NUL is HP_INPUT.  What was read therefore fits its
 * struct, and only its meaning (is there such a step?) is left to check.
 * Strings may have every byte but NUL (doc/members.h).
 *
 * Launcher to agent: open start stop end beat.
 * Agent to launcher: hello opened fault said wrote ended stopped beat.
 * Data are frames of their own (job/wire.h), not messages.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define MESSAGE_MOST ((size_t)1 << 20) /* bytes of the longest message */
#define MESSAGE_NODES 10000	       /* nodes of a machine */
#define MESSAGE_WORDS 20000	       /* words of a command line */
#define MESSAGE_ACTIONS 10000	       /* of a step */
#define MESSAGE_LINE 512	       /* bytes of a line of text */
#define MESSAGE_PATH 4095
#define MESSAGE_FAULT_TEXT (MESSAGE_PATH + MESSAGE_LINE)
#define MESSAGE_RANK 999999	  /* greatest rank */
#define MESSAGE_STREAM UINT32_MAX /* greatest stream */
#define MESSAGE_TO_END UINT64_MAX /* bytes of an action: all of the rest */
#define MESSAGE_TIMEOUT 1000000	  /* seconds */

enum message_type {
	MESSAGE_OPEN,
	MESSAGE_START,
	MESSAGE_STOP,
	MESSAGE_END,
	MESSAGE_HELLO,
	MESSAGE_OPENED,
	MESSAGE_FAULT,
	MESSAGE_SAID,
	MESSAGE_WROTE,
	MESSAGE_ENDED,
	MESSAGE_STOPPED,
	MESSAGE_BEAT
};

/*
 * open: a node of the machine, which may have none.  Strings are "" where there
 * is none.
 */
struct message_node {
	uint64_t rank;
	char *dir, *input, *leave, *beside;
};

/* start: an action of a step, as job/step.h describes them. */
struct message_action {
	char *
	    kind; /* "run" "put" "get" "remove" "rename" "fifo" "size" "skip" */
	char **words; /* ends with NULL */
	char *node;   /* file of the node, or "" */
	/*
	 * run: "none", "node", "stream", "path" (an absolute path of the
	 * machine itself, only for its own agent), "standard" (likewise).
	 */
	char *in_kind, *in, *out_kind, *out;
	bool append;
	uint64_t in_stream, out_stream; /* of "stream", put and get; else 0 */
	uint64_t offset, bytes, at;
};

struct message {
	enum message_type type;
	/* open */
	struct message_node *node;
	size_t nnodes;
	bool keep, again;
	bool progress; /* `wrote` is wanted, each second */
	double timeout_s;
	/* start, said, wrote, ended: the step; a number that grows */
	uint64_t id;
	/* opened, fault, start: the node; start with `launcher`: 0. */
	uint64_t rank;
	bool launcher; /* start: a step of the launcher's own directory */
	char *dir;     /* start, with `launcher`: that directory */
	struct message_action *action;
	size_t nactions;
	/* end */
	bool drop;
	/*
	 * hello.  Of another version only the version is read: the rest is 0.
	 */
	char *version, *address;
	uint64_t processors, memory;
	/* opened */
	uint64_t device, room, input_bytes;
	/* fault, said */
	char *text;
	bool last; /* fault: nothing more comes of the node */
	/* wrote */
	uint64_t bytes;
	/* ended: index of the action that failed, or how many there are. */
	uint64_t failed;
	uint64_t code;	 /* exit status, 0 where a signal ended it */
	uint64_t signal; /* 0: none */
	double user_s, system_s;
	uint64_t *size; /* of the SIZE actions, in order */
	size_t nsizes;
};

/*
 * The text is borrowed until the call returns; free the message afterwards,
 * also after -1.
 */
int
message_read(const char *text, size_t len, struct message *, struct hp_err *);
/*
 * A JSON text that the caller frees; NULL: HP_NOMEM, or HP_USAGE where it would
 * be longer than MESSAGE_MOST.  Strings that are NULL are taken for "".
 */
char *message_write(const struct message *, size_t *len, struct hp_err *);
/* Harmless on a zeroed struct.  Not for one whose strings are not malloc'ed. */
void message_fini(struct message *);
/* Whether the launcher sends messages of the type, or the agent; beat: both. */
bool message_of_launcher(enum message_type);
bool message_of_agent(enum message_type);

#endif
