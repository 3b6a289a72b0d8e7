#include <sys/stat.h>

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
#include "net/accept.h"
#include "net/engineloop.h"
#include "net/reporting.h"
#include "net/resume.h"

/* Members of struct engine for long timeouts. */
static const double BEAT_S = 0.5, SILENT_S = 3, ANSWER_S = 2;
/*
 * Seconds that this process may still wait after the exchange has ended: for
 * senders that connect late, and for logins (ssh) to exit.
 */
static const double END_S = 1.25;

/*
 * Computes a digest of the input: the file's inode number, size and
 * modification time, and the extents.
 */
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

/*
 * Makes the hello, the first message that this node sends on each connection.
 * If the node has a spool (a directory for a restart after a kill), opens it.
 */
static int
identify(struct engine *en, struct hp_err *e)
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

/*
 * Renames the outputs to their final names. With a spool, first records that
 * the exchange is complete. The caller must know that all nodes have stored
 * everything.
 */
static int
rename_outputs(struct engine *en, struct sink *sink,
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

/*
 * Returns whether an earlier process of this node completed the exchange before
 * it was killed.
 */
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

/*
 * Renames the outputs that an earlier process of this node had not renamed
 * before it was killed.
 */
static int
rename_rest(
    struct engine *en, const struct exchange_totals *totals, struct hp_err *e)
{
	struct sink sink = { 0 };
	int rc = sink_open(
	    &sink, en->x->prefix, &en->spool, true, en->x->nodes, e);

	if (rc == 0)
		rc = rename_outputs(en, &sink, totals, e);
	sink_close(&sink);
	return rc;
}

/*
 * Gives up the exchange and tells the senders why. First closes the connections
 * to the receivers, so that the login processes (ssh) that carry them can end
 * in the meantime.
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
start_listening(struct engine *en, struct hp_err *e)
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

	if (start_listening(en, e) == -1)
		return -1;
	rc = engineloop_run(en, s, r, e);
	reporting_end(en, s, r);
	if (rc == -1) {
		en->endpoint.end_s = clock_now_s() + END_S;
		quit(s, r, e);
		return -1;
	}
	en->endpoint.end_s = clock_now_s() + END_S;
	/*
	 * At this point all other nodes have stored everything that this node
	 * has sent to them.
	 */
	for (uint32_t i = 0; i < en->x->nodes; i++) {
		totals->records += r->inlet[i].totals.records;
		totals->bytes += r->inlet[i].totals.bytes;
	}
	if (parts_sum_read(&s->parts, e) == -1)
		return -1;
	return rename_outputs(en, &r->sink, totals, e);
}

/*
 * An earlier process of this node completed the exchange, but was killed before
 * it could tell all peers. Answers the peers that do not know it yet. It is no
 * error if no peer connects.
 */
static int
farewell(struct engine *en, struct sending *s, struct receiving *r)
{
	struct hp_err e;

	if ((!sending_done(s) || !receiving_done(r)) &&
	    (start_listening(en, &e) == -1 ||
		engineloop_run(en, s, r, &e) == -1))
		engine_notice(en, e.text);
	en->endpoint.end_s = clock_now_s() + END_S;
	return 0;
}

/*
 * Suppose that a sender is killed and started again. It may then ask whether
 * this node has stored all its data. Returns true as long as a sender may still
 * ask. Until then, this node must keep its spool directory.
 */
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
		    "%s: may not know that all is stored: if it continues, "
		    "start "
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
	struct parts parts;
	bool owed = false;
	int rc = -1;

	*totals = (struct exchange_totals){ 0 };
	if (reporting_open(&en, e) == -1 || identify(&en, e) == -1)
		goto out;
	if (en.spool.over) {
		rc = 0;
		goto out;
	}
	en.done = was_done(&en, totals);
	if ((en.done && rename_rest(&en, totals, e) == -1) ||
	    localqueue_init(&en.local, e) == -1 ||
	    sending_open(&s, &en, e) == -1 || receiving_open(&r, &en, e) == -1)
		goto out;
	rc = en.done ? farewell(&en, &s, &r) : work(&en, &s, &r, totals, e);
	owed = rc == 0 && owes(&r);
out:
	/*
	 * Close the connections before computing the sums, which takes time. No
	 * peer must wait for the sums.
	 */
	parts = s.parts;
	s.parts = (struct parts){ .fd = -1 };
	sending_close(&s);
	receiving_close(&r);
	x->transport->close(&en.endpoint);
	if (rc == 0 && !en.spool.over)
		rc = parts_sum_rest(&parts, e);
	parts_close(&parts);
	localqueue_fini(&en.local);
	unreached_fini(&en.unreached);
	if (rc == 0 && !en.spool.over && x->done != NULL)
		rc = x->done(x->context, totals, e);
	/*
	 * Clear the spool last, because no process can resume the exchange
	 * without it.
	 */
	if (rc == 0 && x->spool != NULL && !owed)
		rc = spool_clear(&en.spool, e);
	spool_close(&en.spool);
	return rc;
}
