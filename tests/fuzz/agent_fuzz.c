/*
 * An agent that receives arbitrary messages: it ends when its launcher does and
 * leaves nothing behind. The input is a plan of messages with harmless commands
 * and files, and some raw bytes between them.
 */

#include <sys/socket.h>
#include <sys/stat.h>

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent.h"
#include "job/sweep.h"
#include "job/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum {
	ACTIONS = 6,
	QUEUED = 100000 /* bytes that a socket queues without a reader */
};

static char scratch[64], bin[80], dir[80], other[80], path[80];

static char *
word(const char *s)
{
	return (char *)(uintptr_t)s;
}

/*
 * Sets up programs in PATH.  Without them, the agent would run each to ask for
 * its version.
 */
static void
prepare(void)
{
	static const char *const programs[] = { "hpsplit", "hpsort", "hpmerge",
		"hpexchange", "hpcheck" };
	char name[200];

	snprintf(scratch, sizeof scratch, "/tmp/hp.fuzz.%d", (int)getpid());
	snprintf(bin, sizeof bin, "%s/bin", scratch);
	snprintf(dir, sizeof dir, "%s/dir", scratch);
	snprintf(other, sizeof other, "%s/other", scratch);
	snprintf(path, sizeof path, "%s/path", scratch);
	assert(mkdir(scratch, 0700) == 0 && mkdir(bin, 0700) == 0);
	for (size_t i = 0; i < 5; i++) {
		snprintf(name, sizeof name, "%s/%s", bin, programs[i]);
		close(open(name, O_WRONLY | O_CREAT, 0700));
	}
}

static void
clean(void)
{
	struct hp_err e;

	sweep_remove(scratch, &e);
}

struct plan {
	const uint8_t *in;
	size_t len;
	uint64_t id;
};

static unsigned
next(struct plan *p, unsigned below)
{
	if (p->len == 0)
		return 0;
	p->len--;
	return *p->in++ % below;
}

static void
plan_action(struct plan *p, struct message_action *a)
{
	static const char *const kinds[] = { "put", "get", "remove", "rename",
		"fifo", "size", "skip", "run" };
	static const char *const files[] = { "a", "b", "", "lock", "no/c",
		".stream.1" };
	static const char *const ports[] = { "stream", "none", "node", "path",
		"standard", "" };
	static char *words[ACTIONS * 3][4];
	static unsigned n;
	char **w = words[n++ % (sizeof words / sizeof *words)];

	*a = (struct message_action){ 0 };
	/* Processes take long to start, so only some actions are commands. */
	a->kind = word(kinds[next(p, 64) % 57 / 8]);
	a->node = word(files[next(p, 6)]);
	a->in_kind = word(ports[next(p, 6)]);
	a->out_kind = word(ports[next(p, 6)]);
	a->in = word(files[next(p, 6)]);
	a->out = word(files[next(p, 6)]);
	if (strcmp(a->in_kind, "path") == 0)
		a->in = path;
	if (strcmp(a->out_kind, "path") == 0)
		a->out = path;
	a->in_stream = next(p, 4);
	a->out_stream = next(p, 4);
	a->append = next(p, 2);
	a->offset = next(p, 4);
	a->bytes = next(p, 4) == 0 ? MESSAGE_TO_END : next(p, 4);
	a->at = next(p, 3);
	w[0] = word(files[next(p, 6)]);
	w[1] = next(p, 3) == 0 ? NULL : word(files[next(p, 6)]);
	w[2] = NULL;
	if (strcmp(a->kind, "run") == 0) {
		w[0] = word(next(p, 2) == 0 ? "cat" : "true");
		w[1] = NULL;
	}
	a->words = strcmp(a->kind, "size") == 0 && next(p, 4) > 0 ? NULL : w;
}

static void
plan_start(struct plan *p, struct wire *w)
{
	struct message_action a[ACTIONS];
	struct message m = { .type = MESSAGE_START, .action = a };
	struct hp_err e;

	m.id = next(p, 16) == 0 ? p->id : ++p->id;
	m.rank = next(p, 8) == 0;
	m.launcher = next(p, 4) == 0;
	if (m.launcher)
		m.dir = scratch;
	m.nactions = 1 + next(p, ACTIONS);
	for (size_t i = 0; i < m.nactions; i++)
		plan_action(p, &a[i]);
	wire_send(w, &m, &e);
}

static void
plan_open(struct plan *p, struct wire *w)
{
	struct message_node n[2] = { { .rank = 0, .dir = dir },
		{ .rank = 2, .dir = other } };
	struct message m = { .type = MESSAGE_OPEN,
		.node = n,
		.timeout_s = 5,
		.keep = next(p, 2),
		.again = next(p, 2),
		.progress = next(p, 2) };
	struct hp_err e;

	m.nnodes = 1 + next(p, 2);
	if (next(p, 8) == 0)
		n[1].rank = 0;
	if (next(p, 8) == 0)
		n[0].input = bin;
	wire_send(w, &m, &e);
}

static void
plan_next(struct plan *p, struct wire *w)
{
	struct message m = { .type = MESSAGE_BEAT };
	struct hp_err e;
	unsigned n;

	switch (next(p, 8)) {
	case 0:
		plan_open(p, w);
		break;
	case 1:
	case 2:
	case 3:
		plan_start(p, w);
		break;
	case 4:
	case 5:
		n = next(p, 256);
		wire_data(
		    w, 1 + next(p, 4), p->in, n < p->len ? n : p->len, &e);
		break;
	case 6:
		m.type = (enum message_type)next(p, MESSAGE_BEAT + 1);
		m.id = m.type == MESSAGE_CANCEL ? next(p, 4) : 0;
		if (m.type != MESSAGE_START && m.type != MESSAGE_OPEN)
			wire_send(w, &m, &e);
		break;
	default:
		/* Damages a queued byte. */
		n = next(p, 64);
		if (next(p, 8) == 0 && n < wire_queued(w))
			w->queue.v[w->queue.len - n - 1] ^= 1;
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	struct plan p = { .in = in, .len = len };
	struct agent_config c = {
		.home = bin, .local = true, .stdin_fd = -1, .stdout_fd = -1
	};
	static char *programs;
	struct hp_err e = { 0 };
	struct wire w;
	int pair[2];

	if (bin[0] == '\0') {
		prepare();
		atexit(clean);
		assert((programs = strdup(getenv("PATH"))) != NULL);
	}
	/*
	 * Each agent adds a directory to PATH, so reset PATH; otherwise it
	 * would grow.
	 */
	assert(setenv("PATH", programs, 1) == 0);
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	assert(
	    wire_init(&w, WIRE_LAUNCHER, pair[0], pair[0], "agent", &e) == 0);
	plan_open(&p, &w);
	while (p.len > 0 && wire_queued(&w) < QUEUED)
		plan_next(&p, &w);
	assert(wire_flush(&w, &e) == 0 && wire_queued(&w) == 0);
	assert(shutdown(pair[0], SHUT_WR) == 0);
	c.in = c.out = pair[1];
	if (agent_serve(&c, &e) == -1)
		assert(e.kind == HP_INPUT && e.text[0] != '\0');
	wire_fini(&w);
	close(pair[0]);
	close(pair[1]);
	sweep_remove(dir, &e);
	sweep_remove(other, &e);
	return 0;
}
