/*
 * The receiving half of an exchange that is killed and resumed: what was stored
 * is known again, what was not stored arrives again.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "net/engine.h"
#include "net/resume.h"
#include "test.h"

enum {
	NODES = 6,
	ME = 1,
	LENGTH = 100
};

/* The senders, named after what each has sent before this node was killed. */
enum {
	HALF = 0,  /* two frames, the second one ends inside a record */
	NONE = 2,  /* connected only */
	ENDED = 3, /* a frame and the end */
	LEFT = 4,  /* no frames, the end and a bye */
	PLAIN = 5  /* a frame; it is not restarted when killed */
};

static char path[] = "hpresumehalf.XXXXXX";

struct process {
	struct exchange x;
	struct engine en;
	struct inlet inlet[NODES];
	struct receiving r;
};

static void
begin(struct process *p, bool done)
{
	struct hp_err e = { 0 };

	*p = (struct process){
		.x = { .nodes = NODES, .me = ME, .spool = path },
		.en = { .x = &p->x, .done = done, .spool = SPOOL_NONE },
		.r = { .en = &p->en, .inlet = p->inlet },
	};
	p->en.spool.path = path;
	for (uint32_t i = 0; i < NODES; i++)
		p->inlet[i].rank = i;
	if (!done &&
	    sink_open(&p->r.sink, path, &p->en.spool, false, NODES, &e) == -1)
		test_bad(__FILE__, __LINE__, "%s", e.text);
	if (resume_open(&p->r, &e) != 0)
		test_bad(__FILE__, __LINE__, "%s", e.text);
}

/* Ends the process as SIGKILL does: nothing is renamed or removed. */
static void
kill_it(struct process *p)
{
	int log[NODES];

	for (uint32_t i = 0; i < NODES; i++)
		log[i] = p->r.log[i].fd;
	resume_close(&p->r);
	sink_close(&p->r.sink);
	for (uint32_t i = 0; i < NODES; i++)
		CHECK(fcntl(log[i], F_GETFD) == -1);
}

/* Stores the next frame of a sender, as inlet.c does. */
static void
store(struct process *p, uint32_t from, uint32_t flags)
{
	struct inlet *i = &p->inlet[from];
	unsigned char bytes[FRAME_HEAD], payload[LENGTH];
	struct frame f = { .type = FRAME_DATA,
		.sublist = ME,
		.source = from,
		.number = i->totals.frames,
		.length = LENGTH,
		.records = flags == 0 ? 5 : 0,
		.flags = flags };
	struct hp_err e = { 0 };

	memset(payload, (int)('a' + i->totals.frames), LENGTH);
	frame_encode(&f, payload, bytes);
	frame_count(&i->totals, &f);
	CHECK(write(p->r.sink.output[from].fd, payload, LENGTH) == LENGTH);
	i->buf.bytes = bytes;
	CHECK_EQ_I64(resume_stored(&p->r, i, &e), 0);
	i->buf.bytes = NULL;
}

static uint64_t
part_size(uint32_t from)
{
	char name[64];
	struct stat st;

	snprintf(name, sizeof name, "%s/part.%u", path, from);
	return stat(name, &st) == -1 ? UINT64_MAX : (uint64_t)st.st_size;
}

/*
 * Every sender has connected, and has sent what its name says.  This node has
 * stored it.
 */
static void
what_arrives_is_stored(void)
{
	struct hp_err e = { 0 };
	struct process p;

	begin(&p, false);
	CHECK(!p.r.told);
	for (uint32_t i = 0; i < NODES; i++) {
		CHECK_EQ_U64(p.inlet[i].run, 0);
		CHECK_EQ_U64(p.inlet[i].state, INLET_OPEN);
		CHECK(!p.inlet[i].restarts);
		CHECK(!resume_owes(&p.r, &p.inlet[i]));
		CHECK_EQ_I64(resume_verify(&p.r, &p.inlet[i], &e), 0);
		p.inlet[i].run = 1000 + i;
		p.inlet[i].attempt = 10 + i;
		p.inlet[i].restarts = i != PLAIN;
	}
	store(&p, HALF, 0);
	store(&p, HALF, FRAME_MORE);
	store(&p, ENDED, 0);
	store(&p, PLAIN, 0);
	CHECK_EQ_I64(resume_ended(&p.r, &p.inlet[ENDED], &e), 0);
	CHECK_EQ_I64(resume_ended(&p.r, &p.inlet[LEFT], &e), 0);
	CHECK_EQ_I64(resume_bye(&p.r, &p.inlet[LEFT], &e), 0);
	/* This node has no connection to itself, and no log of it. */
	CHECK_EQ_I64(resume_stored(&p.r, &p.inlet[ME], &e), 0);
	CHECK_EQ_I64(resume_ended(&p.r, &p.inlet[ME], &e), 0);
	CHECK_EQ_I64(resume_bye(&p.r, &p.inlet[ME], &e), 0);
	CHECK(!resume_owes(&p.r, &p.inlet[ME]));
	CHECK(write(p.r.sink.output[ME].fd, "own", 3) == 3);
	CHECK(resume_owes(&p.r, &p.inlet[ENDED]));
	CHECK(!resume_owes(&p.r, &p.inlet[LEFT]));
	/* A frame was written to the part, but not yet to the log. */
	CHECK(write(p.r.sink.output[HALF].fd, "lost", 4) == 4);
	kill_it(&p);
}

static void
expect_sender(
    const struct inlet *i, enum inlet_state state, uint64_t frames, bool inside)
{
	CHECK_EQ_U64(i->run, 1000 + i->rank);
	CHECK_EQ_U64(i->attempt, 10 + i->rank);
	CHECK_EQ_U64(i->restarts, i->rank != PLAIN);
	CHECK_EQ_U64(i->state, state);
	CHECK_EQ_U64(i->totals.frames, frames);
	CHECK_EQ_U64(i->totals.bytes, frames * LENGTH);
	CHECK_EQ_U64(i->told, frames);
	CHECK_EQ_U64(i->inside, inside);
}

static unsigned
frames_verified(struct process *p, uint32_t from)
{
	struct hp_err e = { 0 };
	unsigned n = 0;
	int rc;

	while ((rc = resume_verify(&p->r, &p->inlet[from], &e)) == 1)
		n++;
	CHECK_EQ_I64(rc, 0);
	return n;
}

static void
the_next_process_knows_what_is_stored(void)
{
	struct process p;

	begin(&p, false);
	CHECK(!p.r.told);
	expect_sender(&p.inlet[HALF], INLET_OPEN, 2, true);
	expect_sender(&p.inlet[ENDED], INLET_ENDED, 1, false);
	expect_sender(&p.inlet[LEFT], INLET_CLOSED, 0, false);
	expect_sender(&p.inlet[PLAIN], INLET_OPEN, 1, false);
	CHECK_EQ_U64(p.inlet[NONE].run, 0);
	CHECK(!p.inlet[NONE].restarts);
	CHECK_EQ_U64(p.inlet[NONE].state, INLET_OPEN);
	CHECK_EQ_U64(p.inlet[ME].state, INLET_OPEN);
	/*
	 * Only what the logs record is kept; this node's own records are sent
	 * again.
	 */
	CHECK_EQ_U64(part_size(HALF), 2 * LENGTH);
	CHECK_EQ_U64(part_size(ENDED), LENGTH);
	CHECK_EQ_U64(part_size(ME), 0);
	CHECK_EQ_U64(frames_verified(&p, HALF), 2);
	CHECK_EQ_U64(frames_verified(&p, ENDED), 1);
	CHECK_EQ_U64(frames_verified(&p, LEFT), 0);
	CHECK_EQ_U64(frames_verified(&p, ME), 0);
	CHECK(resume_owes(&p.r, &p.inlet[HALF]));
	CHECK(resume_owes(&p.r, &p.inlet[ENDED]));
	CHECK(!resume_owes(&p.r, &p.inlet[PLAIN]));
	CHECK(!resume_owes(&p.r, &p.inlet[NONE]));
	CHECK(!resume_owes(&p.r, &p.inlet[LEFT]));
	/* The next frame comes after the frames that are already stored. */
	store(&p, HALF, 0);
	kill_it(&p);
	begin(&p, false);
	expect_sender(&p.inlet[HALF], INLET_OPEN, 3, false);
	CHECK_EQ_U64(part_size(HALF), 3 * LENGTH);
	CHECK_EQ_U64(frames_verified(&p, HALF), 3);
	kill_it(&p);
}

static void
a_damaged_part_is_an_error(void)
{
	struct hp_err e = { 0 };
	struct process p;
	char name[64];
	int fd;

	snprintf(name, sizeof name, "%s/part.%u", path, ENDED);
	fd = open(name, O_WRONLY);
	REQUIRE(fd != -1);
	CHECK(pwrite(fd, "X", 1, LENGTH - 1) == 1);
	begin(&p, false);
	CHECK_EQ_I64(resume_verify(&p.r, &p.inlet[ENDED], &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	kill_it(&p);
	CHECK(pwrite(fd, "a", 1, LENGTH - 1) == 1);
	close(fd);
}

/*
 * All data is stored and renamed.  The process only answers nodes that still
 * ask.
 */
static void
a_finished_process_only_answers(void)
{
	struct process p;

	begin(&p, true);
	CHECK(p.r.told);
	CHECK_EQ_U64(p.inlet[ENDED].state, INLET_TOLD);
	CHECK_EQ_U64(p.inlet[LEFT].state, INLET_CLOSED);
	CHECK_EQ_U64(p.inlet[NONE].state, INLET_CLOSED);
	CHECK_EQ_U64(p.inlet[ME].state, INLET_CLOSED);
	CHECK_EQ_U64(frames_verified(&p, ENDED), 0);
	kill_it(&p);
}

static void
without_a_spool_there_are_no_logs(void)
{
	struct hp_err e = { 0 };
	struct process p = {
		.x = { .nodes = NODES, .me = ME },
		.en = { .x = &p.x, .spool = SPOOL_NONE },
		.r = { .en = &p.en, .inlet = p.inlet },
	};

	CHECK_EQ_I64(resume_open(&p.r, &e), 0);
	CHECK(p.r.log == NULL);
	CHECK_EQ_I64(resume_stored(&p.r, &p.inlet[0], &e), 0);
	CHECK_EQ_I64(resume_ended(&p.r, &p.inlet[0], &e), 0);
	CHECK_EQ_I64(resume_bye(&p.r, &p.inlet[0], &e), 0);
	CHECK_EQ_I64(resume_verify(&p.r, &p.inlet[0], &e), 0);
	CHECK(!resume_owes(&p.r, &p.inlet[0]));
	resume_close(&p.r);
}

static void
remove_all(void)
{
	static const char *const what[] = { "part", "ledger" };
	char name[64];

	for (uint32_t i = 0; i < NODES; i++)
		for (int k = 0; k < 2; k++) {
			snprintf(
			    name, sizeof name, "%s/%s.%u", path, what[k], i);
			unlink(name);
		}
	rmdir(path);
}

int
main(void)
{
	test_scratch();
	if (mkdtemp(path) == NULL)
		return 1;
	RUN(what_arrives_is_stored);
	RUN(the_next_process_knows_what_is_stored);
	RUN(a_damaged_part_is_an_error);
	RUN(a_finished_process_only_answers);
	RUN(without_a_spool_there_are_no_logs);
	remove_all();
	return test_done();
}
