#include <sys/stat.h>

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <xxhash.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "net/reporting.h"

/* Unless timeouts are short. */
static const double BEAT_S = 0.5, SILENT_S = 3, ANSWER_S = 2;
/* From its end to that of its process, whose parts draw on it all. */
static const double END_S = 1.25;

/*
 * A loop over one half of the exchange, or over both.
 *
 * Its clock, by which all deadlines count, is moved by little in one turn,
 * however long that took: for the time in which this process was stopped, or
 * waited for its disk, nobody else is to blame.
 */
struct loop {
	struct engine *en;
	struct sending *s; /* one may be NULL */
	struct receiving *r;
	struct pollfd *set;
	nfds_t nfds;
	double clock_s, looked_s;
	int rc;
	bool failed; /* first */
	struct hp_err e;
};

static int
loop_init(struct loop *l, struct engine *en, struct sending *s,
    struct receiving *r, struct hp_err *e)
{
	*l = (struct loop){ .en = en,
		.s = s,
		.r = r,
		.nfds = (s != NULL ? sending_fds(en) : 0) +
		    (r != NULL ? receiving_fds(en) : 0),
		.looked_s = clock_now_s() };
	if ((l->set = calloc(l->nfds, sizeof *l->set)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", en->x->nodes);
	return 0;
}

static void
turn_clock(struct loop *l)
{
	double now_s = clock_now_s(), passed_s = now_s - l->looked_s;

	l->looked_s = now_s;
	l->clock_s += passed_s < l->en->beat_s ? passed_s : l->en->beat_s;
	if (l->s != NULL)
		l->s->clock_s = l->clock_s;
	if (l->r != NULL)
		l->r->clock_s = l->clock_s;
}

/* Returns 1 when all is done, 0 when it goes on, -1. */
static int
turn(struct loop *l)
{
	struct pollfd *of_r = l->set + (l->s != NULL ? sending_fds(l->en) : 0);
	double wait_s = l->en->beat_s / 2;

	turn_clock(l);
	reporting_turn(l->en, l->s, l->r);
	if ((l->s != NULL &&
		sending_turn(l->s, l->set, &wait_s, &l->e) == -1) ||
	    (l->r != NULL && receiving_turn(l->r, of_r, &wait_s, &l->e) == -1))
		return -1;
	if ((l->s == NULL || sending_done(l->s)) &&
	    (l->r == NULL || receiving_done(l->r)))
		return 1;
	if (poll(l->set, l->nfds, wait_s > 0 ? (int)(wait_s * 1000) + 1 : 0) ==
	    -1) {
		if (errno == EINTR)
			return 0;
		return hp_fail_errno(&l->e, HP_IO, "poll");
	}
	if ((l->s != NULL && sending_serve(l->s, l->set, &l->e) == -1) ||
	    (l->r != NULL && receiving_serve(l->r, of_r, &l->e) == -1))
		return -1;
	return 0;
}

static void *
loop_run(void *arg)
{
	struct loop *l = arg;

	while ((l->rc = turn(l)) == 0)
		if (atomic_load(&l->en->stop))
			break;
	l->failed = l->rc == -1 && !atomic_flag_test_and_set(&l->en->failed);
	if (l->failed)
		atomic_store(&l->en->stop, true);
	return NULL;
}

/* Each half in a thread of its own: here is who receives. */
static int
run_beside(struct loop *r, struct loop *s, struct hp_err *e)
{
	pthread_t sender;
	int errnum = pthread_create(&sender, NULL, loop_run, s);

	if (errnum != 0) {
		errno = errnum;
		return hp_fail_errno(e, HP_NOMEM, "thread");
	}
	loop_run(r);
	pthread_join(sender, NULL);
	return 0;
}

static int
run(struct engine *en, struct sending *s, struct receiving *r, struct hp_err *e)
{
	bool beside = en->x->threads != 0;
	struct loop a = { 0 }, b = { 0 };
	int rc = -1;

	if (loop_init(&a, en, beside ? NULL : s, r, e) == -1 ||
	    (beside && loop_init(&b, en, s, NULL, e) == -1))
		goto out;
	if (!beside)
		loop_run(&a);
	else if (run_beside(&a, &b, e) == -1)
		goto out;
	rc = a.failed || b.failed ? -1 : 0;
	if (rc == -1)
		*e = a.failed ? a.e : b.e;
out:
	free(a.set);
	free(b.set);
	return rc;
}

/* What is to be sent: the file, as far as that can be told, and its parts. */
static int
input_digest(const struct exchange *x, uint64_t *digest, struct hp_err *e)
{
	unsigned char told[32];
	struct stat st;
	XXH3_state_t s;

	if (stat(x->path, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", x->path);
	put64(told, (uint64_t)st.st_ino);
	put64(told + 8, (uint64_t)st.st_size);
	put64(told + 16, (uint64_t)st.st_mtim.tv_sec);
	put64(told + 24, (uint64_t)st.st_mtim.tv_nsec);
	XXH3_64bits_reset(&s);
	XXH3_64bits_update(&s, told, 32);
	for (size_t i = 0; i < x->nparts; i++) {
		put64(told, x->part[i].sublist);
		put64(told + 8, x->part[i].offset);
		put64(told + 16, x->part[i].bytes);
		put64(told + 24, x->part[i].records);
		XXH3_64bits_update(&s, told, 32);
	}
	*digest = XXH3_64bits_digest(&s);
	return 0;
}

/* What each node must say of itself, and what it is to hear. */
static int
introduce(struct engine *en, struct hp_err *e)
{
	const struct exchange *x = en->x;
	const char **name = reallocarray(NULL, x->nodes, sizeof *name);
	uint64_t input = 0;

	if (name == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", x->nodes);
	for (uint32_t i = 0; i < x->nodes; i++)
		name[i] = x->node[i].name;
	en->mine = (struct hello){
		.version = HELLO_VERSION, .nodes = x->nodes, .from = x->me
	};
	cluster_digest(name, x->nodes, en->mine.cluster);
	free(name);
	do {
		if (getentropy(&en->mine.run, sizeof en->mine.run) == -1)
			return hp_fail_errno(e, HP_IO, "random number");
	} while (en->mine.run == 0);
	if (x->spool == NULL)
		return 0;
	if (input_digest(x, &input, e) == -1)
		return -1;
	return spool_open(&en->spool, x->spool, &en->mine, input, e);
}

/* All others have all, and so have we: from here on only names are missing, and
 * that all others know it, too. */
static int
give_names(struct engine *en, struct sink *sink,
    const struct exchange_totals *totals, struct hp_err *e)
{
	struct spool_record done = { .nodes = en->x->nodes,
		.from = en->x->me,
		.to = en->x->me,
		.run = en->mine.run,
		.records = totals->records,
		.bytes = totals->bytes };

	if (en->x->spool == NULL)
		return sink_commit(sink, e);
	return spool_put(&en->spool, "done", &done, e) == -1
	    ? -1
	    : sink_commit(sink, e);
}

/* Whether the process before this one had come so far. */
static bool
was_done(const struct engine *en, struct exchange_totals *totals)
{
	struct spool_record done;

	if (en->x->spool == NULL || !spool_get(&en->spool, "done", &done) ||
	    done.run != en->mine.run)
		return false;
	*totals = (struct exchange_totals){ done.records, done.bytes };
	return true;
}

/* What it did not come to. */
static int
give_last_names(
    struct engine *en, const struct exchange_totals *totals, struct hp_err *e)
{
	struct sink sink = { 0 };
	int rc = sink_open(
	    &sink, en->x->prefix, &en->spool, true, en->x->nodes, e);

	if (rc == 0)
		rc = give_names(en, &sink, totals, e);
	sink_close(&sink);
	return rc;
}

/*
 * Tells the others, in the words of the half that failed.  Nothing more is sent
 * to them, so that what carried it may end meanwhile.
 */
static void
quit(struct sending *s, struct receiving *r, const struct hp_err *e)
{
	uint32_t me = r->en->x->me;
	struct failure mine = s->failure.rank != me ? s->failure : r->failure;

	mine.final = s->failure.final;
	sending_hang_up(s);
	if (mine.rank == me)
		snprintf(mine.why, sizeof mine.why, "%.160s%s%s", e->text,
		    e->errnum != 0 ? ": " : "",
		    e->errnum != 0 ? strerror(e->errnum) : "");
	accept_abort(r, &mine);
}

static int
open_door(struct engine *en, struct hp_err *e)
{
	const struct exchange *x = en->x;

	return x->transport->open(
	    &en->endpoint, x->node, x->nodes, x->me, &x->options, e);
}

static int
work(struct engine *en, struct sending *s, struct receiving *r,
    struct exchange_totals *totals, struct hp_err *e)
{
	int rc;

	if (open_door(en, e) == -1)
		return -1;
	rc = run(en, s, r, e);
	reporting_end(en, s, r);
	if (rc == -1) {
		en->endpoint.end_s = clock_now_s() + END_S;
		quit(s, r, e);
		return -1;
	}
	en->endpoint.end_s = clock_now_s() + END_S;
	/* Not before all others have all that is theirs. */
	for (uint32_t i = 0; i < en->x->nodes; i++) {
		totals->records += r->inlet[i].totals.records;
		totals->bytes += r->inlet[i].totals.bytes;
	}
	return give_names(en, &r->sink, totals, e);
}

/* Whoever does not know yet that all is stored may come; if not, nothing is
 * wrong here. */
static int
farewell(struct engine *en, struct sending *s, struct receiving *r)
{
	struct hp_err e;

	if ((!sending_done(s) || !receiving_done(r)) &&
	    (open_door(en, &e) == -1 || run(en, s, r, &e) == -1))
		engine_notice(en, e.text);
	en->endpoint.end_s = clock_now_s() + END_S;
	return 0;
}

/* Whether there is one who would ask in vain, were all forgotten here. */
static bool
owes(const struct receiving *r)
{
	bool owed = false;
	char text[256];

	for (uint32_t i = 0; i < r->en->x->nodes; i++) {
		if (!resume_owes(r, &r->inlet[i]))
			continue;
		owed = true;
		snprintf(text, sizeof text,
		    "%s: may not know that all is stored: if it goes on, start "
		    "this node again, too",
		    r->inlet[i].name);
		engine_notice(r->en, text);
	}
	return owed;
}

int
exchange_run(
    const struct exchange *x, struct exchange_totals *totals, struct hp_err *e)
{
	double timeout_s = x->options.timeout_s;
	struct engine en = { .x = x,
		.spool = SPOOL_NONE,
		.endpoint = ENDPOINT_NONE,
		.local = { .to_producer = -1, .to_consumer = -1 },
		.notice_lock = PTHREAD_MUTEX_INITIALIZER,
		.unreached.lock = PTHREAD_MUTEX_INITIALIZER,
		.failed = ATOMIC_FLAG_INIT,
		.beat_s = fmin(timeout_s / 4, BEAT_S),
		.silent_s = fmin(timeout_s / 2, SILENT_S),
		.silent_most_s = timeout_s / 2,
		.retry_most_s = timeout_s / 4,
		.lost_s = timeout_s + fmin(timeout_s / 2, ANSWER_S) };
	struct sending s = { .en = &en, .parts = { .fd = -1 } };
	struct receiving r = { .en = &en };
	bool owed = false;
	int rc = -1;

	*totals = (struct exchange_totals){ 0 };
	backlog_init(&r.backlog);
	if (reporting_open(&en, e) == -1 || introduce(&en, e) == -1)
		goto out;
	en.done = was_done(&en, totals);
	if ((en.done && give_last_names(&en, totals, e) == -1) ||
	    localqueue_init(&en.local, e) == -1 ||
	    sending_open(&s, &en, e) == -1 || receiving_open(&r, &en, e) == -1)
		goto out;
	rc = en.done ? farewell(&en, &s, &r) : work(&en, &s, &r, totals, e);
	owed = rc == 0 && owes(&r);
out:
	sending_close(&s);
	receiving_close(&r);
	x->transport->close(&en.endpoint);
	localqueue_fini(&en.local);
	unreached_fini(&en.unreached);
	if (rc == 0 && x->done != NULL)
		rc = x->done(x->context, totals, e);
	/* Last: who is killed behind it is not to be started again. */
	if (rc == 0 && x->spool != NULL && !owed)
		rc = spool_clear(&en.spool, e);
	spool_close(&en.spool);
	return rc;
}
