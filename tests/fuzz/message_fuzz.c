/* hp-agent(5): a message that was read is within its limits, and writing it
 * gives an equal message. */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
keeps_its_limits(const struct message *m)
{
	assert(m->nnodes <= MESSAGE_NODES && m->nactions <= MESSAGE_ACTIONS);
	assert(m->rank <= MESSAGE_RANK && m->code <= 255 && m->signal <= 64);
	assert(m->nsizes <= MESSAGE_ACTIONS);
	assert(isfinite(m->timeout_s) && isfinite(m->user_s));
	assert(m->text == NULL || strlen(m->text) <= MESSAGE_FAULT_TEXT);
	for (size_t i = 0; i < m->nnodes; i++) {
		const struct message_node *n = &m->node[i];

		assert(n->rank <= MESSAGE_RANK);
		assert(n->dir[0] != '\0' && strlen(n->dir) <= MESSAGE_PATH);
		assert(strlen(n->beside) <= MESSAGE_PATH);
	}
	for (size_t i = 0; i < m->nactions; i++) {
		const struct message_action *a = &m->action[i];

		assert(a->kind[0] != '\0' && strlen(a->node) <= MESSAGE_PATH);
		assert(a->in_stream <= MESSAGE_STREAM);
		assert(a->words == NULL || a->words[0] != NULL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct message m, again;
	struct hp_err e = { 0 };
	char *text, *twice;
	size_t n, n2;

	if (message_read((const char *)bytes, len, &m, &e) == -1) {
		assert(e.kind == HP_INPUT && e.text[0] != '\0');
		message_fini(&m);
		return 0;
	}
	keeps_its_limits(&m);
	text = message_write(&m, &n, &e);
	if (text != NULL) {
		/* Of a hello from another version, only the version is read. */
		bool other = m.type == MESSAGE_HELLO &&
		    strcmp(m.version, HP_VERSION) != 0;

		assert(message_read(text, n, &again, &e) == 0);
		twice = message_write(&again, &n2, &e);
		assert(twice != NULL && (other || n == n2));
		assert(other || memcmp(text, twice, n) == 0);
		free(twice);
		message_fini(&again);
	}
	free(text);
	message_fini(&m);
	return 0;
}
