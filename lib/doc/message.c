#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "doc/members.h"
#include "doc/message.h"

#define COUNTED(array) (array), sizeof(array) / sizeof *(array)
#define IN(type, field) .at = offsetof(struct type, field)

#define NO_RANK UINT64_MAX

/* A node of `open`. */
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

/* An action of `start`, whatever its kind. */
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
	    .optional = true, .absent = NO_RANK },
	FLAG("launcher", launcher),
	{ "dir", MEMBER_TEXT, IN(message, dir), .most = MESSAGE_PATH,
	    .optional = true },
};

static const struct member end_members[] = {
	FLAG("drop", drop),
};

static const struct member hello_members[] = {
	{ "version", MEMBER_TEXT, IN(message, version), .least = 1,
	    .most = 64 },
	{ "address", MEMBER_TEXT, IN(message, address), .most = 63,
	    .optional = true },
	AMOUNT("processors", processors),
	AMOUNT("memory", memory),
};

static const struct member opened_members[] = {
	RANK,
	AMOUNT("device", device),
	AMOUNT("room", room),
	AMOUNT("input_bytes", input_bytes),
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

/* An array of objects in a message. */
static const struct nested {
	const char *name;
	const struct member *member;
	size_t n;
	uint64_t least, most; /* objects */
	size_t size;	      /* of the struct of one */
	size_t at, at_n;      /* in struct message: where they are, how many */
} nodes = { "nodes", COUNTED(node_members), 0, MESSAGE_NODES,
	sizeof(struct message_node), offsetof(struct message, node),
	offsetof(struct message, nnodes) },
  actions = { "actions", COUNTED(action_members), 1, MESSAGE_ACTIONS,
	  sizeof(struct message_action), offsetof(struct message, action),
	  offsetof(struct message, nactions) };

/* In the order of enum message_type. */
static const struct type {
	const char *name;
	const struct member *member;
	size_t n;
	const struct nested *nested;
	bool launcher, agent; /* which of them sends it */
} types[] = {
	{ "open", COUNTED(open_members), &nodes, true, false },
	{ "start", COUNTED(start_members), &actions, true, false },
	{ "stop", NULL, 0, NULL, true, false },
	{ "end", COUNTED(end_members), NULL, true, false },
	{ "hello", COUNTED(hello_members), NULL, false, true },
	{ "opened", COUNTED(opened_members), NULL, false, true },
	{ "fault", COUNTED(fault_members), NULL, false, true },
	{ "said", COUNTED(said_members), NULL, false, true },
	{ "wrote", COUNTED(wrote_members), NULL, false, true },
	{ "ended", COUNTED(ended_members), NULL, false, true },
	{ "stopped", NULL, 0, NULL, false, true },
	{ "beat", NULL, 0, NULL, true, true },
};

enum {
	TYPES = sizeof types / sizeof *types
};

bool
message_of_launcher(enum message_type type)
{
	return types[type].launcher;
}

bool
message_of_agent(enum message_type type)
{
	return types[type].agent;
}

static void *
place(struct message *m, size_t at)
{
	return (char *)m + at;
}

static int
read_nested(
    json_t *object, const struct nested *t, struct message *m, struct hp_err *e)
{
	json_t *v = json_object_get(object, t->name), *one;
	size_t n = json_array_size(v);
	char *array;

	if (!json_is_array(v) || n < t->least || n > t->most)
		return hp_fail(e, HP_INPUT,
		    "'%s' must be an array of %ju to %ju objects", t->name,
		    (uintmax_t)t->least, (uintmax_t)t->most);
	if ((array = calloc(n + 1, t->size)) == NULL)
		return hp_fail(e, HP_NOMEM, "message");
	*(void **)place(m, t->at) = array;
	*(size_t *)place(m, t->at_n) = n;
	for (size_t i = 0; i < n; i++) {
		one = json_array_get(v, i);
		if (!json_is_object(one))
			return hp_fail(
			    e, HP_INPUT, "'%s' must be objects", t->name);
		if (members_read(
			one, t->member, t->n, array + i * t->size, e) == -1 ||
		    members_known(one, t->member, t->n, NULL, e) == -1)
			return -1;
	}
	return 0;
}

/* A step is of a node, which has a rank, or of the launcher's directory. */
static int
start_place(json_t *object, struct message *m, struct hp_err *e)
{
	bool rank = json_object_get(object, "rank") != NULL;

	if (m->launcher == rank || m->launcher == (m->dir[0] == '\0'))
		return hp_fail(
		    e, HP_INPUT, "a step has 'rank', or 'launcher' and 'dir'");
	if (!rank)
		m->rank = 0;
	return 0;
}

static int
read_object(json_t *object, struct message *m, struct hp_err *e)
{
	const char *name = json_string_value(json_object_get(object, "type"));
	const char *others[] = { "type", NULL, NULL };
	const struct type *t = types;

	if (name == NULL)
		return hp_fail(
		    e, HP_INPUT, "expected a message, an object with a type");
	while (t < types + TYPES && strcmp(t->name, name) != 0)
		t++;
	if (t == types + TYPES)
		return hp_fail(e, HP_INPUT, "unknown message");
	m->type = (enum message_type)(t - types);
	/* A hello of another version may have any members but this one. */
	if (m->type == MESSAGE_HELLO &&
	    (members_read(object, t->member, 1, m, e) == -1 ||
		strcmp(m->version, HP_VERSION) != 0))
		return e->kind == HP_NONE ? 0 : -1;
	free(m->version);
	m->version = NULL;
	if (members_read(object, t->member, t->n, m, e) == -1)
		return -1;
	if (t->nested != NULL) {
		others[1] = t->nested->name;
		if (read_nested(object, t->nested, m, e) == -1)
			return -1;
	}
	if (m->type == MESSAGE_START && start_place(object, m, e) == -1)
		return -1;
	return members_known(object, t->member, t->n, others, e);
}

/*
 * Errors name the member, and never quote what the other side has sent: they
 * are printed.
 */
int
message_read(const char *text, size_t len, struct message *m, struct hp_err *e)
{
	json_error_t je;
	json_t *object;
	int rc;

	*m = (struct message){ 0 };
	if (len > MESSAGE_MOST)
		return hp_fail(e, HP_INPUT, "a message is too long");
	object = json_loadb(text, len, JSON_REJECT_DUPLICATES, &je);
	if (object == NULL && json_error_code(&je) == json_error_out_of_memory)
		return hp_fail(e, HP_NOMEM, "message");
	if (object == NULL)
		return hp_fail(e, HP_INPUT, "a message is malformed at byte %d",
		    je.position);
	rc = read_object(object, m, e);
	json_decref(object);
	return rc;
}

static int
write_nested(json_t *object, const struct nested *t, const struct message *m)
{
	const char *base = (const char *)m;
	const char *array = *(char *const *)(base + t->at);
	size_t n = *(const size_t *)(base + t->at_n);
	json_t *list = json_array(), *one;

	if (json_object_set_new(object, t->name, list) == -1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		one = json_object();
		if (json_array_append_new(list, one) == -1 ||
		    members_write(one, t->member, t->n, array + i * t->size) ==
			-1)
			return -1;
	}
	return 0;
}

char *
message_write(const struct message *m, size_t *len, struct hp_err *e)
{
	const struct type *t = &types[m->type];
	json_t *object = json_pack("{s:s}", "type", t->name);
	struct message copy = *m;
	char *text = NULL;

	if (m->type == MESSAGE_START && m->launcher)
		copy.rank = NO_RANK;
	m = &copy;
	if (object != NULL && members_write(object, t->member, t->n, m) == 0 &&
	    (t->nested == NULL || write_nested(object, t->nested, m) == 0))
		text = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	if (text == NULL) {
		hp_fail(e, HP_NOMEM, "message");
		return NULL;
	}
	if ((*len = strlen(text)) <= MESSAGE_MOST)
		return text;
	free(text);
	hp_fail(e, HP_USAGE, "a message '%s' has %zu bytes, the most is %zu",
	    t->name, *len, MESSAGE_MOST);
	return NULL;
}

static void
fini_nested(const struct nested *t, struct message *m)
{
	char *array = *(char **)place(m, t->at);

	for (size_t i = 0; i < *(size_t *)place(m, t->at_n); i++)
		members_fini(t->member, t->n, array + i * t->size);
	free(array);
}

void
message_fini(struct message *m)
{
	const struct type *t = &types[m->type];

	members_fini(t->member, t->n, m);
	if (t->nested != NULL)
		fini_nested(t->nested, m);
	*m = (struct message){ 0 };
}
