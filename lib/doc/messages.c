/* Tables of the members of all messages, following hp-agent(5). */

#include <stddef.h>

#include "doc/messages.h"

#define COUNTED(array) (array), sizeof(array) / sizeof *(array)
#define IN(type, field) .at = offsetof(struct type, field)

/* A node in `open`. */
static const struct member node_members[] = {
	{ "rank", MEMBER_COUNT, IN(message_node, rank), .most = MESSAGE_RANK },
	{ "dir", MEMBER_TEXT, IN(message_node, dir), .least = 1,
	    .most = MESSAGE_PATH },
	{ "input", MEMBER_TEXT, IN(message_node, input), .most = MESSAGE_PATH,
	    .optional = true },
	{ "leave", MEMBER_TEXT, IN(message_node, leave), .most = MESSAGE_PATH,
	    .optional = true },
	{ "beside", MEMBER_TEXT, IN(message_node, beside), .most = MESSAGE_PATH,
	    .optional = true },
};

/*
 * Members of an action in the message `start`. Actions of all kinds have the
 * same members.
 */
static const struct member action_members[] = {
	{ "kind", MEMBER_TEXT, IN(message_action, kind), .least = 1,
	    .most = 16 },
	{ "words", MEMBER_WORDS, IN(message_action, words), .least = 1,
	    .most = MESSAGE_WORDS, .optional = true },
	{ "node", MEMBER_TEXT, IN(message_action, node), .most = MESSAGE_PATH,
	    .optional = true },
	{ "in_kind", MEMBER_TEXT, IN(message_action, in_kind), .most = 16,
	    .optional = true },
	{ "in", MEMBER_TEXT, IN(message_action, in), .most = MESSAGE_PATH,
	    .optional = true },
	{ "in_stream", MEMBER_COUNT, IN(message_action, in_stream),
	    .most = MESSAGE_STREAM, .optional = true },
	{ "out_kind", MEMBER_TEXT, IN(message_action, out_kind), .most = 16,
	    .optional = true },
	{ "out", MEMBER_TEXT, IN(message_action, out), .most = MESSAGE_PATH,
	    .optional = true },
	{ "out_stream", MEMBER_COUNT, IN(message_action, out_stream),
	    .most = MESSAGE_STREAM, .optional = true },
	{ "append", MEMBER_FLAG, IN(message_action, append), .optional = true },
	{ "offset", MEMBER_COUNT, IN(message_action, offset),
	    .most = MEMBER_COUNT_MOST, .optional = true },
	{ "bytes", MEMBER_COUNT, IN(message_action, bytes),
	    .most = MEMBER_COUNT_MOST, .optional = true,
	    .absent = MESSAGE_TO_END },
	{ "at", MEMBER_COUNT, IN(message_action, at), .most = MEMBER_COUNT_MOST,
	    .optional = true },
};

#define ID                                                                     \
	{                                                                      \
		"id", MEMBER_COUNT, IN(message, id), .least = 1,               \
						     .most = MEMBER_COUNT_MOST \
	}
#define RANK                                                                  \
	{                                                                     \
		"rank", MEMBER_COUNT, IN(message, rank), .most = MESSAGE_RANK \
	}
#define AMOUNT(name, field)                             \
	{                                               \
		name, MEMBER_COUNT, IN(message, field), \
		    .most = MEMBER_COUNT_MOST           \
	}
#define FLAG(name, field)                                               \
	{                                                               \
		name, MEMBER_FLAG, IN(message, field), .optional = true \
	}

static const struct member listen_members[] = {
	{ "key", MEMBER_TEXT, IN(message, key), .least = MESSAGE_KEY,
	    .most = MESSAGE_KEY },
};

static const struct member open_members[] = {
	{ "timeout_s", MEMBER_REAL, IN(message, timeout_s),
	    .most = MESSAGE_TIMEOUT },
	FLAG("keep", keep),
	FLAG("again", again),
	FLAG("progress", progress),
};

static const struct member start_members[] = {
	ID,
	{ "rank", MEMBER_COUNT, IN(message, rank), .most = MESSAGE_RANK,
	    .optional = true, .absent = MESSAGE_NO_RANK },
	FLAG("launcher", launcher),
	FLAG("own", own),
	{ "dir", MEMBER_TEXT, IN(message, dir), .most = MESSAGE_PATH,
	    .optional = true },
};

static const struct member end_members[] = {
	FLAG("drop", drop),
};

static const struct member hello_members[] = {
	{ "version", MEMBER_TEXT, IN(message, version), .least = 1,
	    .most = 64 },
	{ "address", MEMBER_TEXT, IN(message, address), .most = MESSAGE_ADDRESS,
	    .optional = true },
	AMOUNT("processors", processors),
	AMOUNT("memory", memory),
};

static const struct member listening_members[] = {
	{ "address", MEMBER_TEXT, IN(message, address), .most = MESSAGE_ADDRESS,
	    .optional = true },
	{ "port", MEMBER_COUNT, IN(message, port), .most = UINT16_MAX },
};

static const struct member opened_members[] = {
	RANK,
	AMOUNT("device", device),
	AMOUNT("room", room),
	AMOUNT("input_bytes", input_bytes),
	AMOUNT("input_changed_us", input_changed_us),
	AMOUNT("input_inode", input_inode),
	AMOUNT("named", named),
};

static const struct member fault_members[] = {
	RANK,
	{ "text", MEMBER_TEXT, IN(message, text), .most = MESSAGE_FAULT_TEXT },
	FLAG("last", last),
};

static const struct member said_members[] = {
	ID,
	{ "text", MEMBER_TEXT, IN(message, text), .most = MESSAGE_LINE },
};

static const struct member wrote_members[] = {
	ID,
	AMOUNT("bytes", bytes),
};

static const struct member cancel_members[] = {
	ID,
};

static const struct member credit_members[] = {
	{ "stream", MEMBER_COUNT, IN(message, stream), .least = 1,
	    .most = MESSAGE_STREAM },
	AMOUNT("bytes", bytes),
};

static const struct member ended_members[] = {
	ID,
	{ "failed", MEMBER_COUNT, IN(message, failed),
	    .most = MESSAGE_ACTIONS },
	{ "code", MEMBER_COUNT, IN(message, code), .most = 255 },
	{ "signal", MEMBER_COUNT, IN(message, signal), .most = 64,
	    .optional = true },
	{ "user_s", MEMBER_REAL, IN(message, user_s), .most = 1000000000 },
	{ "system_s", MEMBER_REAL, IN(message, system_s), .most = 1000000000 },
	{ "sizes", MEMBER_COUNTS, IN(message, size),
	    .at_n = offsetof(struct message, nsizes), .most = MESSAGE_ACTIONS,
	    .optional = true },
};

static const struct message_nested nodes = { "nodes", COUNTED(node_members), 0,
	MESSAGE_NODES, sizeof(struct message_node),
	offsetof(struct message, node), offsetof(struct message, nnodes) },
				   actions = { "actions",
					   COUNTED(action_members), 1,
					   MESSAGE_ACTIONS,
					   sizeof(struct message_action),
					   offsetof(struct message, action),
					   offsetof(struct message, nactions) };

const struct message_table message_tables[MESSAGE_TYPES] = {
	{ "listen", COUNTED(listen_members), NULL, true, false },
	{ "open", COUNTED(open_members), &nodes, true, false },
	{ "start", COUNTED(start_members), &actions, true, false },
	{ "cancel", COUNTED(cancel_members), NULL, true, false },
	{ "stop", NULL, 0, NULL, true, false },
	{ "end", COUNTED(end_members), NULL, true, false },
	{ "hello", COUNTED(hello_members), NULL, false, true },
	{ "listening", COUNTED(listening_members), NULL, false, true },
	{ "opened", COUNTED(opened_members), NULL, false, true },
	{ "fault", COUNTED(fault_members), NULL, false, true },
	{ "said", COUNTED(said_members), NULL, false, true },
	{ "wrote", COUNTED(wrote_members), NULL, false, true },
	{ "ended", COUNTED(ended_members), NULL, false, true },
	{ "stopped", NULL, 0, NULL, false, true },
	{ "credit", COUNTED(credit_members), NULL, false, true },
	{ "beat", NULL, 0, NULL, true, true },
};
