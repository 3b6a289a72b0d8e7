#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/io.h"
#include "job/put_standard.h"
#include "job/stream.h"

#define ON_THEIR_WAY ((size_t)16 << 20) /* bytes in transit to all machines */
#define CHUNK_LEAST ((size_t)4 << 10)

void
streams_init(struct streams *s, int work, size_t machines)
{
	struct stat st;

	*s = (struct streams){ .first = 1, .work = work };
	s->chunk = ON_THEIR_WAY / (machines + 1);
	if (s->chunk > WIRE_CHUNK)
		s->chunk = WIRE_CHUNK;
	if (s->chunk < CHUNK_LEAST)
		s->chunk = CHUNK_LEAST;
	s->regular = fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode);
}

void
streams_fini(struct streams *s)
{
	streams_clear(s);
	paces_fini(&s->paces);
	free(s->v);
	*s = (struct streams){ 0 };
}

/*
 * Adds a stream to a circular list. The list is given by its last element;
 * last->next is the first.
 */
static void
ring_add(struct stream **last, struct stream *s)
{
	s->next = *last == NULL ? s : (*last)->next;
	if (*last != NULL)
		(*last)->next = s;
	*last = s;
}

static void
ring_drop_first(struct stream **last)
{
	struct stream *first = (*last)->next;

	if (first == *last)
		*last = NULL;
	else
		(*last)->next = first->next;
	first->next = NULL;
}

struct stream *
streams_add(struct streams *all, const struct stream *s, struct hp_err *e)
{
	struct stream *own = malloc(sizeof *own);

	if (own == NULL || ARRAY_ROOM(all->v, all->n, all->cap) == -1 ||
	    (s->paced &&
		paces_add(&all->paces, s->machine, s->left, e) == -1)) {
		free(own);
		hp_fail(e, HP_NOMEM, "out of memory");
		return NULL;
	}
	*own = *s;
	own->fd = -1;
	own->number = all->first + (uint32_t)all->n;
	all->v[all->n++] = own;
	if (own->tap != NULL)
		own->tap->begin(own->tap->context);
	if (own->sends)
		ring_add(&own->machine->sending, own);
	return own;
}

struct stream *
streams_find(const struct streams *all, uint64_t number)
{
	if (number < all->first || number - all->first >= all->n)
		return NULL;
	return all->v[number - all->first];
}

static void
end(struct streams *all, struct stream *s)
{
	if (s->fd != -1)
		close(s->fd);
	s->fd = -1;
	all->waiting -= s->waits != NULL;
	free(s->waits);
	s->waits = NULL;
	s->ended = true;
}

int
stream_credit(
    struct streams *all, struct stream *s, uint64_t bytes, struct hp_err *e)
{
	if (!s->sends || !s->limited || bytes > s->open)
		return hp_fail(
		    e, HP_INPUT, "gave credit for more than was sent");
	s->open -= bytes;
	if (s->paced)
		paces_taken(&all->paces, s->machine, bytes);
	if (s->waiting && !s->ended && bytes > 0) {
		s->waiting = false;
		ring_add(&s->machine->sending, s);
	}
	return 0;
}

void
stream_stop(struct streams *all, struct stream *s)
{
	if (!s->sends)
		return;
	/* Other machines do not wait for bytes that are not sent. */
	if (s->paced && s->left + s->open > 0) {
		paces_stop(&all->paces, s->machine, s->left + s->open);
		s->paced = false;
	}
	if (!s->ended)
		end(all, s);
}

void
stream_drop(struct streams *all, struct stream *s)
{
	if (s->sends || s->ended)
		return;
	end(all, s);
	s->dead = true;
}

void
streams_kill(struct streams *all)
{
	for (size_t i = 0; i < all->n; i++) {
		all->v[i]->machine->sending = NULL;
		if (all->v[i]->ended)
			continue;
		end(all, all->v[i]);
		all->v[i]->dead = true;
	}
}

void
streams_clear(struct streams *all)
{
	streams_kill(all);
	for (size_t i = 0; i < all->n; i++)
		free(all->v[i]);
	all->first += (uint32_t)all->n;
	all->n = 0;
	paces_clear(&all->paces);
}

static int
open_file(struct streams *all, struct stream *s, struct hp_err *e)
{
	/*
	 * hprun reads files through symbolic links, because the user may have
	 * made them. It does not write through symbolic links.
	 */
	int flags = s->sends ? O_RDONLY : O_WRONLY | O_NOFOLLOW;

	if (s->fd != -1)
		return 0;
	/* A file of which this is only a part exists, unless it was removed. */
	if (!s->sends && !s->part)
		flags |= O_CREAT;
	if (s->truncate)
		flags |= O_TRUNC;
	if (s->append)
		flags |= O_APPEND;
	s->fd = openat(all->work, s->file, flags | O_CLOEXEC, 0600);
	if (s->fd == -1)
		return hp_fail_errno(e, HP_IO, "%s", s->file);
	return 0;
}

/* Queues the next chunk of the file, or the end of the stream. */
static int
send_chunk(
    struct streams *all, struct stream *s, struct wire *w, struct hp_err *e)
{
	uint64_t most = s->limited ? WIRE_WINDOW - s->open : UINT64_MAX;
	size_t ask = s->left < all->chunk ? (size_t)s->left : all->chunk;
	unsigned char *room;
	ssize_t n = 0;

	if (ask > most)
		ask = (size_t)most;
	if (open_file(all, s, e) == -1)
		return -1;
	if ((room = wire_room(w, ask, e)) == NULL)
		return -1;
	if (ask > 0)
		n = io_pread(s->fd, room, ask, (off_t)s->at);
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", s->file);
	if ((size_t)n < ask && s->left != UINT64_MAX)
		return hp_fail(e, HP_IO, "%s: ends too early", s->file);
	s->at += (uint64_t)n;
	s->open += (uint64_t)n;
	if (s->left != UINT64_MAX)
		s->left -= (uint64_t)n;
	if (s->tap != NULL &&
	    s->tap->pass(s->tap->context, room, (size_t)n, e) == -1)
		return -1;
	if (n > 0)
		wire_filled(w, s->number, (size_t)n);
	/*
	 * After a short read, the file has ended. Otherwise, the stream goes on
	 * while bytes are left to send.
	 */
	if ((size_t)n == ask && s->left > 0)
		return 0;
	if (s->tap != NULL && s->tap->end(s->tap->context, e) == -1)
		return -1;
	end(all, s);
	return wire_data(w, s->number, NULL, 0, e);
}

int
streams_send(struct streams *all, struct machine *m, struct stream **of,
    struct hp_err *e)
{
	struct stream *s;

	*of = NULL;
	if (m->sending == NULL || wire_queued(&m->wire) >= all->chunk)
		return 0;
	s = m->sending->next;
	if (s->paced && paces_hold(&all->paces, m))
		return 0;
	s->waiting = !s->ended && s->left > 0 && s->limited &&
	    s->open >= WIRE_WINDOW;
	if (s->ended || s->waiting) {
		ring_drop_first(&m->sending);
		return 0;
	}
	*of = s;
	if (send_chunk(all, s, &m->wire, e) == -1)
		return -1;
	if (s->ended)
		ring_drop_first(&m->sending);
	else
		m->sending = s;
	return 0;
}

static int
cannot_write(const struct stream *s, struct hp_err *e)
{
	return hp_fail_errno(
	    e, HP_IO, "%s", s->standard ? "standard output" : s->file);
}

static int
take_standard(struct streams *all, struct stream *s, const unsigned char *p,
    size_t n, struct hp_err *e)
{
	size_t written;

	if (put_standard(all->regular, p, n, &written) == -1)
		return cannot_write(s, e);
	if (written == n)
		return 0;
	s->waits = malloc(n - written);
	if (s->waits == NULL)
		return hp_fail(e, HP_NOMEM, "out of memory");
	s->nwaits = n - written;
	memcpy(s->waits, p + written, s->nwaits);
	all->waiting++;
	return 1;
}

static int
take_file(struct streams *all, struct stream *s, const unsigned char *p,
    size_t n, struct hp_err *e)
{
	if (open_file(all, s, e) == -1)
		return -1;
	if ((s->append ? io_write(s->fd, p, n)
		       : io_pwrite(s->fd, p, n, (off_t)s->at)) == -1)
		return cannot_write(s, e);
	s->at += n;
	return 0;
}

int
stream_take(struct streams *all, struct stream *s, const unsigned char *p,
    size_t n, struct hp_err *e)
{
	if (s->dead)
		return 0;
	if (s->claimed && !s->ended && n > s->left)
		return hp_fail(e, HP_IO,
		    "%s: more records are returned than were sent to the node",
		    s->file);
	if (s->sends || s->ended || (s->left != UINT64_MAX && n > s->left) ||
	    (s->most != 0 && n > s->most - s->came))
		return hp_fail(e, HP_INPUT, "sent data that was not asked for");
	s->came += n;
	if (n > 0) {
		if (s->left != UINT64_MAX)
			s->left -= n;
		if (s->tap != NULL &&
		    s->tap->pass(s->tap->context, p, n, e) == -1)
			return -1;
		return s->standard ? take_standard(all, s, p, n, e)
				   : take_file(all, s, p, n, e);
	}
	if (s->left > 0 && s->left != UINT64_MAX && !s->part)
		return hp_fail(e, HP_INPUT, "sent less than was asked for");
	/* An empty stream also makes a file. */
	if (!s->standard && open_file(all, s, e) == -1)
		return -1;
	if (s->tap != NULL && s->tap->end(s->tap->context, e) == -1)
		return -1;
	end(all, s);
	return 0;
}

int
stream_go_on(struct streams *all, struct stream *s, struct hp_err *e)
{
	size_t written;

	if (s->waits == NULL)
		return 0;
	if (put_standard(all->regular, s->waits, s->nwaits, &written) == -1)
		return cannot_write(s, e);
	s->nwaits -= written;
	memmove(s->waits, s->waits + written, s->nwaits);
	if (s->nwaits > 0)
		return 1;
	free(s->waits);
	s->waits = NULL;
	all->waiting--;
	return 0;
}
