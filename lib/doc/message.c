#include <stdlib.h>
#include <string.h>

#include "doc/messages.h"

bool
message_of_launcher(enum message_type type)
{
	return message_tables[type].launcher;
}

bool
message_of_agent(enum message_type type)
{
	return message_tables[type].agent;
}

static void *
place(struct message *m, size_t at)
{
	return (char *)m + at;
}

static int
read_nested(json_t *object, const struct message_nested *t, struct message *m,
    struct hp_err *e)
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

/*
 * A step runs either in the directory of a node or in a directory of the
 * launcher. Checks that the message gives exactly one of the two.
 */
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
	const struct message_table *t = message_tables;

	if (name == NULL)
		return hp_fail(
		    e, HP_INPUT, "expected a message, an object with a type");
	while (t < message_tables + MESSAGE_TYPES && strcmp(t->name, name) != 0)
		t++;
	if (t == message_tables + MESSAGE_TYPES)
		return hp_fail(e, HP_INPUT, "unknown message");
	m->type = (enum message_type)(t - message_tables);
	/*
	 * If a hello comes from another version, read only its version. Its
	 * other members may have forms that this version does not know.
	 */
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
 * Error messages are printed, so they name the member but never quote what the
 * other side sent.
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
write_nested(
    json_t *object, const struct message_nested *t, const struct message *m)
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
	const struct message_table *t = &message_tables[m->type];
	json_t *object = json_pack("{s:s}", "type", t->name);
	struct message copy = *m;
	char *text = NULL;

	if (m->type == MESSAGE_START && m->launcher)
		copy.rank = MESSAGE_NO_RANK;
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
	hp_fail(e, HP_USAGE, "message '%s': %zu bytes; at most %zu are allowed",
	    t->name, *len, MESSAGE_MOST);
	return NULL;
}

static void
fini_nested(const struct message_nested *t, struct message *m)
{
	char *array = *(char **)place(m, t->at);

	for (size_t i = 0; i < *(size_t *)place(m, t->at_n); i++)
		members_fini(t->member, t->n, array + i * t->size);
	free(array);
}

void
message_fini(struct message *m)
{
	const struct message_table *t = &message_tables[m->type];

	members_fini(t->member, t->n, m);
	if (t->nested != NULL)
		fini_nested(t->nested, m);
	*m = (struct message){ 0 };
}
