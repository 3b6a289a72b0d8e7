/*
 * Resuming an exchange: a part's resume log with all kinds of damage, and the
 * place in a file where frames continue.
 */

#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "net/resumelog.h"
#include "net/parts.h"
#include "test.h"

enum {
	FROM = 3,
	TO = 1,
	FRAMES = 40,
	LONGEST = 300
};

static char ledger_path[64], part_path[64];

/* A part of random frames with its resume log, and the sizes of both after each
 * frame. */
struct story {
	struct frame_totals after[FRAMES + 1];
	bool inside[FRAMES + 1];
	uint64_t ledger_bytes, part_bytes;
};

static int
scratch(char path[64])
{
	strcpy(path, "hpresume.XXXXXX");
	return mkstemp(path);
}

/* Writes the part and its log. like: all frames have the same payload. */
static void
tell_of(struct story *s, bool end, bool like)
{
	struct spool_record peer = {
		.from = FROM, .to = TO, .run = 4711, .attempt = 7
	};
	struct resumelog_state state;
	struct frame_totals t = { 0 };
	struct resume_log l;
	struct hp_err e;
	int part = scratch(part_path);

	close(scratch(ledger_path));
	*s = (struct story){ .part_bytes = 0 };
	CHECK_EQ_I64(
	    resumelog_open(&l, ledger_path, FROM, TO, 0, &state, &e), 0);
	CHECK_EQ_U64(state.peer.run, 0);
	CHECK_EQ_I64(resumelog_begin(&l, &peer, &e), 0);
	CHECK_EQ_I64(resumelog_begin(&l, &peer, &e), 0);
	for (int i = 0; i < FRAMES; i++) {
		unsigned char bytes[FRAME_HEAD], payload[LONGEST];
		struct frame f = { .type = FRAME_DATA,
			.sublist = TO,
			.source = FROM,
			.number = (uint64_t)i,
			.length = (uint32_t)(like ? LONGEST - 1
						  : test_random() % LONGEST) };

		f.flags = i + 1 < FRAMES && test_random() % 3 == 0 ? FRAME_MORE
								   : 0;
		f.records = f.flags != 0 ? 0 : f.length / 2;
		for (uint32_t k = 0; k < f.length; k++)
			payload[k] = like ? 'x' : (unsigned char)test_random();
		frame_encode(&f, payload, bytes);
		frame_count(&t, &f);
		CHECK_EQ_I64(io_write(part, payload, f.length), 0);
		CHECK_EQ_I64(resumelog_add(&l, bytes, &e), 0);
		s->after[i + 1] = t;
		s->inside[i + 1] = f.flags != 0;
	}
	s->part_bytes = t.bytes;
	if (end) {
		CHECK_EQ_I64(resumelog_end(&l, &t, &e), 0);
		CHECK_EQ_I64(resumelog_bye(&l, FRAMES + 1, &e), 0);
	}
	s->ledger_bytes = l.at;
	resumelog_close(&l);
	close(part);
}

static void
tell(struct story *s, bool end)
{
	tell_of(s, end, false);
}

static void
forget(void)
{
	unlink(ledger_path);
	unlink(part_path);
}

/*
 * Opens the resume log again.  The state that the log gives must be one that
 * the log had after some completed record.
 */
static uint64_t
take_up(const struct story *s, struct resume_log *l, uint64_t part_bytes)
{
	struct resumelog_state state;
	struct hp_err e;
	uint64_t n;

	CHECK_EQ_I64(
	    resumelog_open(l, ledger_path, FROM, TO, part_bytes, &state, &e),
	    0);
	n = state.totals.frames;
	CHECK(n <= FRAMES);
	if (n > FRAMES)
		return 0;
	CHECK_EQ_U64(state.totals.bytes, s->after[n].bytes);
	CHECK_EQ_U64(state.totals.records, s->after[n].records);
	CHECK(state.totals.bytes <= part_bytes);
	CHECK(state.inside == s->inside[n]);
	CHECK(!l->ended || n == FRAMES);
	CHECK(!l->left || l->ended);
	CHECK(state.peer.run == (l->begun ? 4711 : 0));
	CHECK_EQ_I64(lseek(l->fd, 0, SEEK_END), (int64_t)l->at);
	return n;
}

/* Returns how many frames can be verified, or -1. */
static int
verified(struct resume_log *l)
{
	int part = open(part_path, O_RDONLY), n = 0, rc;
	struct framebuf room;
	struct hp_err e;

	CHECK_EQ_I64(framebuf_init(&room, &e), 0);
	while ((rc = resumelog_verify(l, part, &room, &e)) == 1)
		n++;
	CHECK(rc == 0 || e.kind == HP_INPUT);
	framebuf_fini(&room);
	close(part);
	return rc == -1 ? -1 : n;
}

static void
a_resume_log_is_read_as_written(void)
{
	struct story s;
	struct resume_log l;

	for (int end = 0; end < 2; end++) {
		tell(&s, end == 1);
		CHECK_EQ_U64(take_up(&s, &l, s.part_bytes), FRAMES);
		CHECK(l.ended == (end == 1) && l.left == (end == 1));
		CHECK_EQ_I64(verified(&l), FRAMES);
		CHECK_EQ_I64(verified(&l), 0);
		resumelog_close(&l);
		forget();
	}
}

/* The process was killed at some byte of the part or of the log. */
static void
a_log_may_be_cut_anywhere(void)
{
	struct story s;
	struct resume_log l;

	tell(&s, true);
	for (uint64_t n = s.ledger_bytes; n-- > 0;) {
		uint64_t left = test_random() % (s.part_bytes + 1);

		CHECK_EQ_I64(truncate(ledger_path, (off_t)n), 0);
		take_up(&s, &l, s.part_bytes);
		CHECK(verified(&l) >= 0);
		resumelog_close(&l);
		if (n > SPOOL_RECORD_SIZE && test_random() % 50 == 0) {
			take_up(&s, &l, left);
			CHECK(verified(&l) >= 0);
			n = l.at;
			resumelog_close(&l);
		}
	}
	forget();
}

/*
 * A changed byte in the log ends the valid entries there, or is detected at the
 * end.
 */
static void
a_log_may_be_damaged_anywhere(void)
{
	struct story s;
	struct resume_log l;

	for (int round = 0; round < 300; round++) {
		unsigned char junk[64];
		size_t len = 1 + test_random() % sizeof junk;
		uint64_t at, n;
		int fd, seen;

		tell(&s, test_random() % 2 == 0);
		at = test_random() % s.ledger_bytes;
		for (size_t k = 0; k < len; k++)
			junk[k] = (unsigned char)test_random();
		fd = open(ledger_path, O_WRONLY);
		CHECK_EQ_I64(io_pwrite(fd, junk, len, (off_t)at), 0);
		close(fd);
		n = take_up(&s, &l, s.part_bytes);
		seen = verified(&l);
		CHECK(seen == -1 || (uint64_t)seen == n);
		/* All entries before the changed byte are valid. */
		if (at >= SPOOL_RECORD_SIZE)
			CHECK(SPOOL_RECORD_SIZE + (n + 1) * FRAME_HEAD > at ||
			    n == FRAMES);
		resumelog_close(&l);
		forget();
	}
}

static void
a_changed_part_is_detected(void)
{
	struct story s;
	struct resume_log l;
	unsigned char byte;
	int fd;

	for (int round = 0; round < 100; round++) {
		off_t at;

		tell(&s, false);
		at = (off_t)(test_random() % s.part_bytes);
		fd = open(part_path, O_RDWR);
		CHECK_EQ_I64(io_pread(fd, &byte, 1, at), 1);
		byte ^= 1;
		CHECK_EQ_I64(io_pwrite(fd, &byte, 1, at), 0);
		close(fd);
		take_up(&s, &l, s.part_bytes);
		CHECK_EQ_I64(verified(&l), -1);
		resumelog_close(&l);
		forget();
	}
}

/*
 * If all frames are equal, an earlier frame must not be taken for a missing
 * one.
 */
static void
a_truncated_part_is_detected(void)
{
	struct story s;
	struct resume_log l;

	for (int round = 0; round < 100; round++) {
		tell_of(&s, false, true);
		CHECK_EQ_I64(
		    truncate(part_path, (off_t)(test_random() % s.part_bytes)),
		    0);
		take_up(&s, &l, s.part_bytes);
		CHECK_EQ_I64(verified(&l), -1);
		resumelog_close(&l);
		forget();
	}
}

static void
the_log_of_another_exchange_is_not_used(void)
{
	struct resumelog_state state;
	struct resume_log l;
	struct story s;
	struct hp_err e;

	tell(&s, true);
	CHECK_EQ_I64(resumelog_open(&l, ledger_path, FROM + 1, TO, s.part_bytes,
			 &state, &e),
	    0);
	CHECK_EQ_U64(state.totals.frames, 0);
	CHECK(!l.begun);
	resumelog_close(&l);
	forget();
}

enum {
	EXTENTS = 12,
	FILE_BYTES = 3000000,
	ROOM = EXTENTS * 700000 + PARTS_CHUNK
};

/* Makes a file of random bytes whose extents belong to node 0 or 1. */
static int
random_parts(struct exchange_part part[EXTENTS])
{
	unsigned char *bytes = malloc(FILE_BYTES);
	int fd = scratch(part_path);

	for (size_t i = 0; i < FILE_BYTES; i++)
		bytes[i] = (unsigned char)test_random();
	CHECK_EQ_I64(io_write(fd, bytes, FILE_BYTES), 0);
	free(bytes);
	for (int i = 0; i < EXTENTS; i++) {
		uint64_t n = test_random() % 4 == 0 ? 0
						    : test_random() % 700000;

		part[i] = (struct exchange_part){ .sublist = i % 3 == 0,
			.offset = test_random() % (FILE_BYTES - n),
			.bytes = n,
			.records = (n + 1) / 2 };
	}
	return fd;
}

/* Collects all remaining frames for node 0, with their payloads
 * concatenated. */
static void
rest_of(struct parts *p, unsigned char *payload, struct frame_totals *t)
{
	struct hp_err e;
	struct frame f;

	while (parts_next(p, 0, payload + t->bytes, &f, &e) == 1)
		frame_count(t, &f);
}

/* From any position on, the rest is the same as in an uninterrupted
 * exchange. */
static void
a_part_continues_from_any_offset(void)
{
	struct exchange_part part[EXTENTS];
	unsigned char *all = malloc(ROOM), *again = malloc(ROOM);
	struct frame_totals end = { 0 }, t = { 0 };
	struct parts whole, rest;
	bool inside = false, wanted = false;
	struct hp_err e;
	struct frame f;
	int fd = random_parts(part);

	CHECK_EQ_I64(parts_open(&whole, part_path, part, EXTENTS, 0, 2, &e), 0);
	CHECK_EQ_I64(parts_open(&rest, part_path, part, EXTENTS, 0, 2, &e), 0);
	rest_of(&rest, all, &end);
	do {
		struct frame_totals now = t;

		CHECK_EQ_I64(
		    parts_seek(&rest, 0, t.records, t.bytes, &inside, &e), 0);
		CHECK(inside == wanted);
		rest_of(&rest, again, &now);
		CHECK_EQ_U64(now.records, end.records);
		CHECK_BYTES(again + t.bytes, now.bytes - t.bytes, all + t.bytes,
		    end.bytes - t.bytes);
		if (parts_next(&whole, 0, again, &f, &e) != 1)
			break;
		frame_count(&t, &f);
		wanted = (f.flags & FRAME_MORE) != 0;
	} while (true);
	CHECK_EQ_U64(t.bytes, end.bytes);
	/* The position is beyond the data, or has records without bytes. */
	CHECK_EQ_I64(
	    parts_seek(&rest, 0, t.records, t.bytes + 1, &inside, &e), -1);
	CHECK_EQ_I64(
	    parts_seek(&rest, 0, t.records + 1, t.bytes, &inside, &e), -1);
	CHECK_EQ_I64(parts_seek(&rest, 0, 1, 0, &inside, &e), -1);
	parts_close(&whole);
	parts_close(&rest);
	close(fd);
	unlink(part_path);
	free(all);
	free(again);
}

int
main(void)
{
	test_scratch();
	RUN(a_resume_log_is_read_as_written);
	RUN(a_log_may_be_cut_anywhere);
	RUN(a_log_may_be_damaged_anywhere);
	RUN(a_changed_part_is_detected);
	RUN(a_truncated_part_is_detected);
	RUN(the_log_of_another_exchange_is_not_used);
	RUN(a_part_continues_from_any_offset);
	return test_done();
}
