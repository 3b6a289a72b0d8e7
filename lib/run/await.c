#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/await.h"
#include "run/fill.h"

/*
 * Seconds to wait after a full disk before data is again written to the spool,
 * a temporary file.
 */
#define RETRY_S 1.0

/*
 * The inputs to poll. The caller waits for data of feed[0]. It also reads the
 * other inputs meanwhile, so that their writers are not blocked.
 */
struct waiting {
	struct pollfd *poll;
	struct feed **feed;
	size_t n;
	double deadline_s; /* end of the grace period, by clock_now_s */
	/*
	 * The caller has waited for the whole grace period. From now on, data
	 * of inputs other than feed[0] may go to the spool, a temporary file.
	 */
	bool spool;
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
gather(struct waiting *w, struct feed *until)
{
	struct feeds *fs = until->all;

	w->n = 0;
	add(w, until);
	for (size_t i = 0; i < fs->n; i++) {
		struct feed *f = fs->feed[i];

		if (f != until && f->fd != -1 && (w->spool || has_reader(f)))
			add(w, f);
	}
}

/*
 * Reads from each input that has data, except feed[0], which the caller of
 * feeds_await reads.
 */
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
		else
			rc = feed_spool(f, e);
	}
	/* The disk may have space later. */
	if (rc == FEED_SPOOL_FULL) {
		w->spool = false;
		w->deadline_s = clock_now_s() + RETRY_S;
	}
	return rc == -1 ? -1 : 0;
}

static int
milliseconds_left(const struct waiting *w)
{
	double left_s = w->deadline_s - clock_now_s();

	return left_s > 0 ? (int)(left_s * 1000) + 1 : 0;
}

/*
 * Waits until the feed `until` has data. A writer that is merely slow should
 * not force the other inputs through the disk, hence the grace period. If a
 * process writes its outputs in turn, each wait is useless. So each wait in
 * which data was spooled halves the next grace period, and all of them together
 * last at most twice the first.
 */
static int
await(struct waiting *w, struct feed *until, struct hp_err *e)
{
	struct feeds *fs = until->all;
	uint64_t spooled = fs->spooled;
	int ready;

	w->deadline_s = clock_now_s() + fs->grace_s;
	for (;;) {
		if (feeds_open_ahead(fs, e) == -1)
			return -1;
		gather(w, until);
		ready = poll(
		    w->poll, w->n, w->spool ? -1 : milliseconds_left(w));
		if (ready == -1 && errno != EINTR)
			return hp_fail_errno(e, HP_IO, "%s", until->path);
		if (ready == 0)
			w->spool = true;
		if (ready > 0 && take(w, e) == -1)
			return -1;
		if (ready > 0 && w->poll[0].revents != 0)
			break;
	}
	if (fs->spooled > spooled)
		fs->grace_s /= 2;
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
