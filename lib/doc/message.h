#ifndef HP_DOC_MESSAGE_H
#define HP_DOC_MESSAGE_H

/*
 * The messages between launcher and agent, hp-agent(5): one JSON object each.
 * Reading is strict, as either side may be hostile: an unknown type, an
 * unknown or missing member, a wrong type, a number out of range, a string
 * that is too long or has a NUL is HP_INPUT.  What was read therefore fits its
 * struct, and only its meaning (is there such a step?) is left to check.
 *
 * Launcher to agent: open put data start stop end beat.
 * Agent to launcher: hello opened fault started said wrote data ended stopped
 * beat.  Data are frames of their own (job/wire.h), not messages.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define MESSAGE_MOST ((size_t)1 << 20) /* bytes of the longest message */
#define MESSAGE_NODES 10000	       /* nodes of a machine */
#define MESSAGE_WORDS 20000	       /* words of a command line */
#define MESSAGE_LINE 512	       /* bytes of a line of text */
#define MESSAGE_PATH 4096

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

/* open: a node of the machine.  Strings are "" where there is none. */
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
	double timeout_s;
	/* start, said, wrote, ended: the step; a number that grows */
	uint64_t id;
	uint64_t
	    rank; /* opened, fault, start: the node; start: may be "none" */
	bool launcher; /* start: a step of the launcher's own directory */
	char *dir;     /* start, with `launcher`: that directory */
	struct message_action *action;
	size_t nactions;
	/* end */
	bool drop;
	/* hello */
	char *version, *address;
	uint64_t processors, memory;
	/* opened */
	uint64_t device, room, input_bytes;
	/* fault, said */
	char *text;
	/* wrote */
	uint64_t bytes;
	/* ended: index of the action that failed, or nactions. */
	uint64_t failed;
	uint64_t code;	 /* exit status, 0 where a signal ended it */
	uint64_t signal; /* 0: none */
	double user_s, system_s;
	uint64_t *size; /* of the SIZE actions, in order */
	size_t nsizes;
};

/* The text is borrowed until the call returns; free the message afterwards. */
int
message_read(const char *text, size_t len, struct message *, struct hp_err *);
/* A JSON text that the caller frees; NULL: HP_NOMEM. */
char *message_write(const struct message *, size_t *len, struct hp_err *);
void message_fini(struct message *);

#endif
