#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

struct progress_line {
	const struct progress *what;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stopped;
	bool stop;
};

static void
show(const struct progress *w, const char *end)
{
	uint64_t total = w->total, got = w->read;

	/* A terminal shows one line, which each update overwrites. */
	fprintf(
	    stderr, "%s%s: ", isatty(STDERR_FILENO) ? "\r" : "", getprogname());
	if (got > 0)
		fprintf(stderr, "%" PRIu64 " MB read", got / 1000000);
	if (total > 0)
		fprintf(stderr, " of %" PRIu64 " MB", total / 1000000);
	fprintf(stderr, "%s%" PRIu64 " MB written%s", got > 0 ? ", " : "",
	    w->written / 1000000, end);
	fflush(stderr);
}

static void *
run(void *arg)
{
	struct progress_line *p = arg;
	struct timespec t;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += 500000000;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&p->stopped, &p->lock, &t);
		if (!p->stop && isatty(STDERR_FILENO))
			show(p->what, "");
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct progress_line *
progress_start(const struct progress *what)
{
	struct progress_line *p;

	if (getenv("NO_COLOR") != NULL || (p = calloc(1, sizeof *p)) == NULL)
		return NULL;
	p->what = what;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->stopped, NULL);
	if (pthread_create(&p->thread, NULL, run, p) != 0) {
		free(p);
		return NULL;
	}
	return p;
}

void
progress_stop(struct progress_line *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->stopped);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	show(p->what, "\n");
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->stopped);
	free(p);
}
