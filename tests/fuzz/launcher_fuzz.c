/*
 * A launcher that receives arbitrary data from one agent: no step, file or
 * count of another machine may change. The input is a plan of messages and
 * data, some of them damaged. Its first byte chooses whether the machine logs
 * in or runs steps.
 */

#include <sys/stat.h>

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/launcher_new.h"
#include "job/launcher_hear.h"
#include "job/launcher_own.h"
#include "job/launcher_start.h"
#include "job/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum {
	NODES = 5,
	FOE = 1, /* index of the hostile machine, which has nodes 1 and 2 */
	EVENTS_MOST = 200
};

static char scratch[64];
static int null = -1;

static void
clean(void)
{
	struct hp_err e;

	sweep_remove(scratch, &e);
}

static void
prepare(void)
{
	snprintf(scratch, sizeof scratch, "/tmp/hp.fuzz.%d", (int)getpid());
	assert(mkdir(scratch, 0700) == 0);
	null = open("/dev/null", O_RDWR);
	atexit(clean);
}

struct plan {
	const uint8_t *in;
	size_t len;
};

static unsigned
next(struct plan *p, unsigned below)
{
	if (p->len == 0)
		return 0;
	p->len--;
	return *p->in++ % below;
}

/* Checks that a line for the terminal has no control characters. */
static void
says(void *context, int rank, const char *line)
{
	(void)context;
	assert(rank == 1 || rank == 2);
	for (; *line != '\0'; line++)
		assert((unsigned char)*line >= ' ' || *line == '\t');
}

static void
notes(void *context, const char *line)
{
	(void)context;
	for (; *line != '\0'; line++)
		assert((unsigned char)*line >= ' ' || *line == '\t');
}

static struct launcher *
begin(const struct job_node *nodes)
{
	struct job_config c = { .node = nodes,
		.nodes = NODES,
		.work = scratch,
		.rsh = "false",
		.timeout_s = 30,
		.say = says,
		.note = notes };
	struct hp_err e = { 0 };
	struct launcher *l = launcher_new(&c, &e);

	assert(l != NULL && l->machines == 3);
	/* No login is started. */
	l->next = l->machines;
	for (size_t i = 0; i < l->machines; i++) {
		struct machine *m = &l->machine[i];

		assert(wire_init(&m->wire, WIRE_LAUNCHER, null, null, m->name,
			   &e) == 0);
		m->state = MACHINE_READY;
	}
	return l;
}

/* Makes a step for each node that sends a file and reports a size. */
static void
begin_stage(struct launcher *l, struct stage *s)
{
	struct hp_err e = { 0 };

	stage_init(s);
	l->task = calloc(NODES, sizeof *l->task);
	assert(l->task != NULL);
	l->stage = s;
	l->tasks = NODES;
	for (int r = 0; r < NODES; r++) {
		struct step *step = stage_step(s, r, "fuzz");
		struct words words = words_of(s);

		words_add(&words, "true");
		stage_run(s, step, port_none(),
		    port_file(stage_text(s, "out.%d", r)), &words);
		stage_size(s, step, "size");
		step->asks = r == 2;
		step->restarts = 1;
		l->task[r].step = step;
		l->task[r].index = (size_t)r;
		l->task[r].restarts = step->restarts;
		l->task[r].machine = &l->machine[l->of_rank[r]];
		assert(start_task(l, &l->task[r], &e) == 0);
	}
}

static char *
word(const char *s)
{
	return (char *)(uintptr_t)s;
}

static void
plan_next(struct plan *p, struct wire *w)
{
	static const char *const texts[] = { "x", "", "\033[2J", "a\nb", "\xff",
		HP_VERSION };
	struct message m = { 0 };
	uint64_t size[2] = { 7, 8 };
	struct hp_err e;
	unsigned n;

	m.type = (enum message_type)(
	    MESSAGE_HELLO + next(p, MESSAGE_BEAT - MESSAGE_HELLO + 4));
	m.id = next(p, 9);
	m.rank = next(p, NODES + 1);
	m.text = word(texts[next(p, 6)]);
	m.version = word(texts[next(p, 2) == 0 ? 5 : next(p, 6)]);
	m.address = word(texts[next(p, 6)]);
	m.last = next(p, 2);
	m.code = next(p, 2) == 0 ? 0 : next(p, 256);
	m.signal = next(p, 2) == 0 ? 0 : next(p, 65);
	m.failed = next(p, 4);
	m.bytes = m.room = next(p, 256);
	m.size = size;
	m.nsizes = next(p, 3);
	if (m.type <= MESSAGE_BEAT) {
		wire_send(w, &m, &e);
	} else if (m.type == MESSAGE_BEAT + 1) {
		n = next(p, 64);
		if (next(p, 16) == 0 && n < wire_queued(w))
			w->queue.v[w->queue.len - n - 1] ^= 1;
	} else {
		n = next(p, 64);
		wire_data(
		    w, 1 + next(p, 9), p->in, n < p->len ? n : p->len, &e);
	}
}

/* Receives what the hostile machine sends until it breaks the protocol. */
static void
hear(struct launcher *l, struct machine *m, struct wire *from)
{
	struct wire_event event;
	struct hp_err why = { 0 };
	int rc;

	assert(wire_feed(&m->wire, from->queue.v + from->queue.pos,
		   wire_queued(from), &why) == 0);
	while (m->state != MACHINE_GONE &&
	    (rc = wire_next(&m->wire, &event, &why)) != 0) {
		if (rc == 1)
			rc = launcher_calls.event(l, m, &event, &why);
		if (event.kind == WIRE_MESSAGE)
			message_fini(&event.message);
		if (rc == -1) {
			assert(why.kind == HP_INPUT);
			launcher_calls.broke(l, m, &why);
			break;
		}
	}
}

static void
nothing_else_changed(const struct launcher *l)
{
	size_t running = 0;
	char name[100];

	for (int r = 0; r < NODES; r++) {
		const struct task *t = &l->task[r];

		running += t->state == TASK_RUNS;
		if (&l->machine[FOE] == t->machine)
			continue;
		assert(t->state == TASK_RUNS && t->wrote == 0);
		assert(t->step->action[1].size == 0 && l->wrote[r] == 0);
		snprintf(name, sizeof name, "%s/out.%d", scratch, r);
		assert(access(name, F_OK) == -1);
	}
	assert(l->running == running);
	assert(l->fatal.kind == HP_NONE);
	assert(l->machine[0].state == MACHINE_READY);
	assert(l->machine[2].state == MACHINE_READY);
}

/* Before any stage: the machine of the foe logs in. */
static void
begin_login(struct launcher *l, struct node_facts *facts)
{
	l->machine[FOE].state = MACHINE_LOGIN;
	/* A refused login is not retried here. */
	l->machine[FOE].tries = 9;
	l->waiting = l->logins = 1;
	l->facts = facts;
}

static void
remove_files(void)
{
	char name[100];

	for (int r = 0; r < NODES; r++) {
		snprintf(name, sizeof name, "%s/out.%d", scratch, r);
		unlink(name);
	}
	snprintf(name, sizeof name, "%s/journal", scratch);
	unlink(name);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	static const struct job_node nodes[NODES] = { { .name = "n0",
							  .dir = "/d0" },
		{ .name = "n1", .host = "a", .dir = "/d1" },
		{ .name = "n2", .host = "a", .dir = "/d2" },
		{ .name = "n3", .host = "b", .dir = "/d3" },
		{ .name = "n4", .host = "b", .dir = "/d4" } };
	struct node_facts facts[NODES] = { 0 };
	struct plan p = { in, len };
	struct hp_err e = { 0 };
	struct launcher *l;
	struct wire foe;
	struct stage s;
	bool stage;

	if (null == -1)
		prepare();
	l = begin(nodes);
	stage = next(&p, 2);
	if (stage)
		begin_stage(l, &s);
	else
		begin_login(l, facts);
	assert(wire_init(&foe, WIRE_AGENT, null, null, "launcher", &e) == 0);
	for (int i = 0; p.len > 0 && i < EVENTS_MOST; i++)
		plan_next(&p, &foe);
	hear(l, &l->machine[FOE], &foe);
	if (stage)
		nothing_else_changed(l);
	for (int r = 0; r < NODES && !stage; r++)
		assert(r == 1 || r == 2 || !facts[r].ready);
	for (size_t i = 0; i < l->machines; i++)
		wire_fini(&l->machine[i].wire);
	wire_fini(&foe);
	launcher_free(l);
	if (stage)
		stage_fini(&s);
	remove_files();
	return 0;
}
