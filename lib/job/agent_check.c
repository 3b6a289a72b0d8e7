/* Checks all actions of a step before the first one starts. */

#include <inttypes.h>
#include <string.h>

#include "job/agent_check.h"

static bool
is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/*
 * Checks a port: the source of an action's input, or the target of its output.
 * A port must have what its kind needs: a file name, a stream number, or
 * neither.
 */
static bool
port_is_sound(const struct agent *a, const char *kind, const char *file,
    uint64_t stream, bool run)
{
	bool named = file[0] != '\0';

	if (is(kind, "stream"))
		return stream > 0 && !named;
	if (stream > 0)
		return false;
	if (is(kind, "path"))
		return a->c->local && file[0] == '/';
	if (is(kind, "standard"))
		return a->c->local && !named;
	if (is(kind, "node"))
		return run && named;
	return (is(kind, "") || is(kind, "none")) && run && !named;
}

static const char *
port_fault(const struct agent *a, const struct message_action *x)
{
	bool run = is(x->kind, "run");

	if (is(x->kind, "put") && is(x->in_kind, "standard"))
		return "an invalid input";
	if ((run || is(x->kind, "put")) &&
	    !port_is_sound(a, x->in_kind, x->in, x->in_stream, run))
		return "an invalid input";
	if ((run || is(x->kind, "get")) &&
	    !port_is_sound(a, x->out_kind, x->out, x->out_stream, run))
		return "an invalid output";
	return NULL;
}

static size_t
count(char **words)
{
	size_t n = 0;

	while (words != NULL && words[n] != NULL)
		n++;
	return n;
}

/*
 * Returns a text that says what is wrong with an action; NULL if it is valid.
 */
static const char *
fault_of(const struct agent *a, const struct message_action *x)
{
	static const struct {
		const char *kind;
		size_t least, most; /* words */
		bool node, in, out;
	} kinds[] = { { "run", 1, MESSAGE_WORDS, false, true, true },
		{ "put", 0, 0, true, true, false },
		{ "get", 0, 0, true, false, true },
		{ "remove", 1, MESSAGE_WORDS, false, false, false },
		{ "rename", 2, 2, false, false, false },
		{ "fifo", 1, MESSAGE_WORDS, false, false, false },
		{ "size", 0, 0, true, false, false },
		{ "skip", 2, 2, false, false, false } };
	size_t n = count(x->words), k = 0;

	while (k < sizeof kinds / sizeof *kinds &&
	    strcmp(x->kind, kinds[k].kind) != 0)
		k++;
	if (k == sizeof kinds / sizeof *kinds)
		return "an unknown kind";
	if (n < kinds[k].least || n > kinds[k].most)
		return "too few or too many words";
	if (kinds[k].node != (x->node[0] != '\0'))
		return "no file of the node, or must not have one";
	if (!kinds[k].in && (x->in_kind[0] != '\0' || x->in_stream != 0))
		return "an input, but must not have one";
	if (!kinds[k].out && (x->out_kind[0] != '\0' || x->out_stream != 0))
		return "an output, but must not have one";
	return port_fault(a, x);
}

int
agent_check(const struct agent *a, const struct message *m, struct hp_err *e)
{
	for (size_t i = 0; i < m->nactions; i++) {
		const char *fault = fault_of(a, &m->action[i]);

		if (fault != NULL)
			return hp_fail(e, HP_INPUT,
			    "agent: step %ju: action %zu has %s",
			    (uintmax_t)m->id, i, fault);
	}
	return 0;
}
