#ifndef HP_DOC_MESSAGE_H
#define HP_DOC_MESSAGE_H

/*
 * The messages between launcher and agent, hp-agent(5): one JSON object each.
 * Either side may be hostile, so reading is strict. It fails with HP_INPUT on
 * an unknown type, an unknown or missing member, a wrong type, a number out of
 * range, a string that is too long or has a NUL. So a message that was read
 * fits its struct. The caller checks the meaning, for example whether the step
 * exists. Strings may have every byte but NUL (doc/members.h).
 *
 *   launcher to agent   listen open start cancel stop end beat
 *   agent to launcher   hello listening opened fault said wrote credit ended
 *                       stopped beat
 *
 * Data travel in frames of their own (job/wire.h), not in messages.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define MESSAGE_MOST ((size_t)1 << 20) /* bytes of the longest message */
#define MESSAGE_NODES 10000	       /* nodes on one machine */
#define MESSAGE_WORDS 20000	       /* words of a command line */
#define MESSAGE_ACTIONS 10000	       /* actions of one step */
#define MESSAGE_LINE 512	       /* bytes of a line of text */
#define MESSAGE_PATH 4095
#define MESSAGE_FAULT_TEXT (MESSAGE_PATH + MESSAGE_LINE)
#define MESSAGE_RANK 999999	  /* the greatest rank */
#define MESSAGE_STREAM UINT32_MAX /* the greatest stream number */
#define MESSAGE_TO_END UINT64_MAX /* bytes of an action: to the end */
#define MESSAGE_TIMEOUT 1000000	  /* seconds */
#define MESSAGE_KEY 64		  /* characters of a key */
#define MESSAGE_ADDRESS 63	  /* characters of a numeric address */

enum message_type {
	MESSAGE_LISTEN,
	MESSAGE_OPEN,
	MESSAGE_START,
	MESSAGE_CANCEL,
	MESSAGE_STOP,
	MESSAGE_END,
	MESSAGE_HELLO,
	MESSAGE_LISTENING,
	MESSAGE_OPENED,
	MESSAGE_FAULT,
	MESSAGE_SAID,
	MESSAGE_WROTE,
	MESSAGE_ENDED,
	MESSAGE_STOPPED,
	MESSAGE_CREDIT,
	MESSAGE_BEAT
};

/*
 * A node in the message `open`, which lists the nodes of one machine. If the
 * message does not have a string, the string is "" here.
 */
struct message_node {
	uint64_t rank;
	char *dir, *input, *leave, *beside;
};

/* An action of a step, in the message `start`; job/step.h describes them */
struct message_action {
	/* one of "run" "put" "get" "remove" "rename" "fifo" "size" "skip" */
	char *kind;
	char **words; /* terminated by NULL */
	char *node;   /* file in the node's directory, or "" */
	/*
	 * Only for "run". in_kind and out_kind say where the input comes from
	 * and where the output goes: "none", "node", "stream", "path" (an
	 * absolute path on the machine) or "standard". Only the launcher's own
	 * agent accepts "path" and "standard".
	 */
	char *in_kind, *in, *out_kind, *out;
	bool append;
	/*
	 * Numbers of the streams of bytes between agent and launcher. They are
	 * used by the actions "put" and "get", and if in_kind or out_kind is
	 * "stream". Otherwise they are 0.
	 */
	uint64_t in_stream, out_stream;
	uint64_t offset, bytes, at;
};

struct message {
	enum message_type type;
	char *key; /* listen */
	/* members of open */
	struct message_node *node;
	size_t nnodes;
	bool keep, again;
	bool progress; /* ask for `wrote` every second */
	double timeout_s;
	/*
	 * number of the step in the messages `start`, `cancel`, `said`,
	 * `wrote` and `ended`; each step gets a larger number than the steps
	 * before
	 */
	uint64_t id;
	/*
	 * in the messages `opened`, `fault` and `start`: rank of the node; 0 if
	 * `launcher` is set
	 */
	uint64_t rank;
	/*
	 * in the message `start`: run the step in the launcher's own directory
	 */
	bool launcher;
	char *dir; /* start with `launcher`: that directory */
	/* start: the commands are programs of hptools, not of the user */
	bool own;
	struct message_action *action;
	size_t nactions;
	/* members of end */
	bool drop;
	/*
	 * Members of the message `hello`. If the sender's version differs from
	 * that of this program, only the version is read, and the other members
	 * are 0.
	 */
	char *version;
	char *address; /* also in the message `listening` */
	uint64_t processors, memory;
	uint64_t port; /* listening; 0: the agent has no port */
	/* members of opened */
	uint64_t device, room, input_bytes, input_changed_us, input_inode;
	uint64_t named; /* 1: `leave` is already the node's result */
	/* members of fault and said */
	char *text;
	bool last;	 /* fault: nothing more follows from this node */
	uint64_t stream; /* credit: number of an input stream */
	uint64_t bytes;	 /* members of wrote and credit */
	/*
	 * in the message `ended`: index of the action that failed, or the
	 * number of actions if none failed
	 */
	uint64_t failed;
	uint64_t code; /* exit status of the command; 0 if a signal ended it */
	uint64_t signal; /* 0: none */
	double user_s, system_s;
	/*
	 * results of the "size" actions of the step (file sizes in bytes), in
	 * the order of these actions
	 */
	uint64_t *size;
	size_t nsizes;
};

/*
 * Parses a message. The struct does not refer to `text` afterwards. The caller
 * frees the message, even if this function returns -1.
 */
int
message_read(const char *text, size_t len, struct message *, struct hp_err *);
/*
 * Returns the JSON text, which the caller frees. Returns NULL and sets
 * HP_NOMEM, or HP_USAGE if the text would exceed MESSAGE_MOST. Strings that are
 * NULL count as "".
 */
char *message_write(const struct message *, size_t *len, struct hp_err *);
/*
 * Frees the message. All its strings must come from malloc. A zeroed struct is
 * allowed.
 */
void message_fini(struct message *);
/*
 * message_of_launcher returns whether the launcher sends messages of this type,
 * and message_of_agent whether the agent does. Both send messages of the type
 * beat.
 */
bool message_of_launcher(enum message_type);
bool message_of_agent(enum message_type);

#endif
