#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "net/resumelog.h"

/*
 * Reads n bytes from offset `at` of the log. Returns false if the log is too
 * short.
 */
static bool
get(const struct resume_log *l, void *buf, size_t n)
{
	return io_pread(l->fd, buf, n, (off_t)l->at) == (ssize_t)n;
}

static int
put(struct resume_log *l, const void *buf, size_t n, struct hp_err *e)
{
	if (io_pwrite(l->fd, buf, n, (off_t)l->at) == -1)
		return hp_fail_errno(e, HP_IO, "%s", l->name);
	l->at += n;
	return 0;
}

static bool
read_peer(
    struct resume_log *l, uint32_t from, uint32_t to, struct spool_record *r)
{
	unsigned char bytes[SPOOL_RECORD_SIZE];

	if (!get(l, bytes, sizeof bytes) || !spool_record_decode(bytes, r) ||
	    r->from != from || r->to != to || r->run == 0)
		return false;
	l->at += sizeof bytes;
	return true;
}

/*
 * Reads the head of the next frame. Returns false at the end of the log and at
 * the end frame. Also returns false if the head does not follow the previous
 * head.
 */
static bool
read_head(struct resume_log *l, uint32_t from, uint32_t to, uint64_t part_bytes,
    struct resumelog_state *s)
{
	unsigned char bytes[FRAME_HEAD + FRAME_END_PAYLOAD];
	const unsigned char *end = bytes + FRAME_HEAD;
	struct hp_err ignored;
	struct frame f;

	if (!get(l, bytes, FRAME_HEAD) ||
	    frame_decode(bytes, &f, l->name, &ignored) == -1 ||
	    f.number != s->totals.frames)
		return false;
	if (f.type == FRAME_END) {
		if (s->inside || !get(l, bytes, sizeof bytes) ||
		    frame_verify(bytes, end, l->name, &ignored) == -1 ||
		    frame_end_check(end, &s->totals, l->name, &ignored) == -1)
			return false;
		l->at += sizeof bytes;
		l->ended = true;
		return false;
	}
	if (f.source != from || f.sublist != to ||
	    f.length > part_bytes - s->totals.bytes)
		return false;
	l->at += FRAME_HEAD;
	frame_count(&s->totals, &f);
	s->inside = (f.flags & FRAME_MORE) != 0;
	return true;
}

static bool
read_bye(struct resume_log *l)
{
	unsigned char bytes[NOTE_HEAD];
	struct note note;

	if (!get(l, bytes, sizeof bytes) ||
	    note_decode(bytes, sizeof bytes, &note) <= 0 ||
	    note.type != NOTE_BYE)
		return false;
	l->at += sizeof bytes;
	return true;
}

int
resumelog_open(struct resume_log *l, const char *path, uint32_t from,
    uint32_t to, uint64_t part_bytes, struct resumelog_state *s,
    struct hp_err *e)
{
	*l = RESUMELOG_NONE;
	*s = (struct resumelog_state){ .inside = false };
	if ((l->name = strdup(path)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", path);
	l->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (l->fd == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	l->begun = read_peer(l, from, to, &s->peer);
	if (!l->begun)
		s->peer.run = 0;
	l->seen_at = l->at;
	while (l->begun && read_head(l, from, to, part_bytes, s))
		l->old_at = l->at;
	l->left = l->ended && read_bye(l);
	if (ftruncate(l->fd, (off_t)l->at) == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	return 0;
}

void
resumelog_close(struct resume_log *l)
{
	if (l->fd != -1)
		close(l->fd);
	free(l->name);
	*l = RESUMELOG_NONE;
}

int
resumelog_begin(
    struct resume_log *l, const struct spool_record *r, struct hp_err *e)
{
	unsigned char bytes[SPOOL_RECORD_SIZE];

	if (l->begun)
		return 0;
	l->begun = true;
	spool_record_encode(r, bytes);
	return put(l, bytes, sizeof bytes, e);
}

int
resumelog_add(struct resume_log *l, const unsigned char head[FRAME_HEAD],
    struct hp_err *e)
{
	return put(l, head, FRAME_HEAD, e);
}

int
resumelog_end(
    struct resume_log *l, const struct frame_totals *t, struct hp_err *e)
{
	unsigned char bytes[FRAME_HEAD + FRAME_END_PAYLOAD];

	if (l->ended)
		return 0;
	l->ended = true;
	frame_end(t, bytes);
	return put(l, bytes, sizeof bytes, e);
}

int
resumelog_bye(struct resume_log *l, uint64_t frames, struct hp_err *e)
{
	unsigned char bytes[NOTE_MAX];

	if (l->left)
		return 0;
	l->left = true;
	return put(l, bytes, note_encode(NOTE_BYE, frames, "", bytes), e);
}

int
resumelog_verify(
    struct resume_log *l, int part, struct framebuf *room, struct hp_err *e)
{
	unsigned char *payload = framebuf_payload(room);
	struct frame *f = &room->frame;
	ssize_t n;

	if (l->seen_at >= l->old_at)
		return 0;
	n = io_pread(l->fd, room->bytes, FRAME_HEAD, (off_t)l->seen_at);
	if (n != FRAME_HEAD)
		return n == -1 ? hp_fail_errno(e, HP_IO, "%s", l->name)
			       : hp_fail(e, HP_INPUT, "%s: cut short", l->name);
	if (frame_decode(room->bytes, f, l->name, e) == -1)
		return -1;
	n = io_pread(part, payload, f->length, (off_t)l->part_at);
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "part of %s", l->name);
	/*
	 * Clear the bytes of the payload that are missing in the file. Old
	 * bytes in the buffer could match the checksum by chance.
	 */
	memset(payload + n, 0, f->length - (size_t)n);
	if (frame_verify(room->bytes, payload, l->name, e) == -1)
		return -1;
	l->seen_at += FRAME_HEAD;
	l->part_at += f->length;
	return 1;
}
