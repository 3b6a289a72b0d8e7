#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/await.h"
#include "run/source.h"

/* What is waited for, the first of them, and those from which something may be
 * taken meanwhile. */
struct waiting {
	struct pollfd *poll;
	struct feed **feed;
	size_t n;
};

static bool
has_reader(const struct feed *f)
{
	return f->reader != NULL && source_wants(f->reader);
}

static void
add(struct waiting *w, struct feed *f)
{
	w->poll[w->n] = (struct pollfd){ .fd = f->fd, .events = POLLIN };
	w->feed[w->n++] = f;
}

static void
gather(struct waiting *w, struct feed *until, bool keep)
{
	struct feeds *fs = until->all;

	w->n = 0;
	add(w, until);
	for (size_t i = 0; i < fs->n; i++) {
		struct feed *f = fs->feed[i];

		if (f != until && f->fd != -1 && (keep || has_reader(f)))
			add(w, f);
	}
}

/* From those that have something; the first is the caller's. */
static int
take(struct waiting *w, struct hp_err *e)
{
	int rc = 0;

	for (size_t k = 1; rc == 0 && k < w->n; k++) {
		struct feed *f = w->feed[k];

		if (w->poll[k].revents == 0 || f->fd == -1)
			continue;
		if (has_reader(f))
			rc = source_fill(f->reader, e);
		else if (!f->all->no_room)
			rc = feed_keep(f, e);
	}
	return rc == -1 ? -1 : 0;
}

/*
 * Who talks slowly must not make the others go by way of the disk: so there is
 * patience first.  But each time it was in vain, as it is with somebody who
 * feeds one after the other, there is less of it: in all twice the first.
 */
static int
await(struct waiting *w, struct feed *until, struct hp_err *e)
{
	struct feeds *fs = until->all;
	double deadline = clock_now_s() + fs->patience_s, left_s;
	uint64_t kept = fs->kept;
	bool keep = false;
	int ready;

	for (;;) {
		if (feeds_open_ahead(fs, e) == -1)
			return -1;
		gather(w, until, keep && !fs->no_room);
		left_s = deadline - clock_now_s();
		left_s = left_s > 0 ? left_s : 0;
		ready = poll(
		    w->poll, w->n, keep ? -1 : (int)(left_s * 1000) + 1);
		if (ready == -1 && errno != EINTR)
			return hp_fail_errno(e, HP_IO, "%s", until->path);
		if (ready == 0)
			keep = true;
		if (ready > 0 && take(w, e) == -1)
			return -1;
		if (ready > 0 && w->poll[0].revents != 0)
			break;
	}
	if (fs->kept > kept)
		fs->patience_s /= 2;
	return 0;
}

int
feeds_await(struct feed *until, struct hp_err *e)
{
	size_t most = until->all->n;
	struct waiting w = { .poll = calloc(most, sizeof *w.poll),
		.feed = calloc(most, sizeof *w.feed) };
	int rc = -1;

	if (w.poll == NULL || w.feed == NULL)
		hp_fail_errno(e, HP_NOMEM, "inputs");
	else
		rc = await(&w, until, e);
	free(w.poll);
	free(w.feed);
	return rc;
}
