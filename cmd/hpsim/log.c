#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/stages.h"
#include "doc/trace.h"
#include "log.h"

static const char *const names[LOG_STAGES] = { [LOG_START] = "start",
	[LOG_SEND] = "send",
	[LOG_SORT] = "sort",
	[LOG_PIVOTS] = "pivots",
	[LOG_EXCHANGE] = "exchange",
	[LOG_MERGE] = "merge",
	[LOG_GATHER] = "gather" };

void
log_add(struct log *l, struct log_step s)
{
	if (l->n == l->cap) {
		size_t cap = l->cap > 0 ? 2 * l->cap : 1024;
		struct log_step *v = reallocarray(l->v, cap, sizeof *v);

		if (v == NULL) {
			l->short_of_memory = true;
			return;
		}
		l->v = v;
		l->cap = cap;
	}
	l->v[l->n++] = s;
}

void
log_span(struct log *l, enum log_stage stage, const char *name)
{
	struct log_step all = { name, LOG_LAUNCHER, stage, INFINITY, 0 };

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].name, name) == 0) {
			all.start_s = fmin(all.start_s, l->v[i].start_s);
			all.end_s = fmax(all.end_s, l->v[i].end_s);
		}
	if (isfinite(all.start_s))
		log_add(l, all);
}

void
log_fini(struct log *l)
{
	free(l->v);
}

double
log_end(const struct log *l)
{
	double end = 0;

	for (size_t i = 0; i < l->n; i++)
		end = fmax(end, l->v[i].end_s);
	return end;
}

/*
 * Stores the time at which the last step of a stage ends.  Returns false if the
 * stage has no steps.
 */
static bool
stage_end(const struct log *l, enum log_stage stage, double *end)
{
	bool any = false;

	*end = 0;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].stage == stage) {
			any = true;
			*end = fmax(*end, l->v[i].end_s);
		}
	return any;
}

/*
 * Writes the line of a stage.  It has the seconds that each node and the
 * launcher spent in steps of this stage.
 */
static int
write_stage(FILE *f, const struct log *l, enum log_stage stage, double seconds,
    size_t nodes, struct hp_err *e)
{
	struct plan_stage s = { .seconds = seconds };
	int rc = -1;

	s.node = calloc(nodes, sizeof *s.node);
	s.name = strdup(names[stage]);
	if (s.node == NULL || s.name == NULL)
		hp_fail_errno(e, HP_NOMEM, "stages");
	else {
		for (size_t i = 0; i < l->n; i++) {
			const struct log_step *v = &l->v[i];

			if (v->stage != stage)
				continue;
			*(v->rank == LOG_LAUNCHER
				? &s.launcher
				: &s.node[v->rank]) += v->end_s - v->start_s;
		}
		rc = doc_stage_write(f, &s, nodes, e);
	}
	free(s.node);
	free(s.name);
	return rc;
}

int
log_write_stages(FILE *f, const struct log *l, size_t nodes, struct hp_err *e)
{
	bool done[LOG_STAGES] = { false };
	double before = 0;

	for (;;) {
		int next = -1;
		double end, least = INFINITY;

		for (int k = 0; k < LOG_STAGES; k++)
			if (!done[k] && stage_end(l, (enum log_stage)k, &end) &&
			    end < least) {
				next = k;
				least = end;
			}
		if (next == -1)
			return 0;
		done[next] = true;
		if (write_stage(f, l, (enum log_stage)next, least - before,
			nodes, e) == -1)
			return -1;
		before = least;
	}
}

static int
by_start(const void *a, const void *b)
{
	const struct log_step *s = a, *t = b;

	if (s->start_s != t->start_s)
		return s->start_s < t->start_s ? -1 : 1;
	if (s->rank != t->rank)
		return s->rank < t->rank ? -1 : 1;
	return (s->end_s > t->end_s) - (s->end_s < t->end_s);
}

static int
write_steps(FILE *f, const struct log *l, const struct work *w, const char *run,
    struct hp_err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct log_step *v = &l->v[i];
		bool launcher = v->rank == LOG_LAUNCHER;
		uint64_t n = launcher ? w->total : w->n[v->rank];

		if (doc_step_write(f,
			&(struct trace_step){ .node = launcher
				? "launcher"
				: w->cluster.node[v->rank].name,
			    .rank = launcher ? 0 : v->rank,
			    .launcher = launcher,
			    .name = v->name,
			    .start_s = v->start_s,
			    .end_s = v->end_s,
			    .records = n,
			    .bytes = (uint64_t)((double)n * w->item_bytes),
			    .run = run },
			e) == -1)
			return -1;
	}
	return 0;
}

int
log_append(const char *path, const struct log *l, const struct work *w,
    const char *run, struct hp_err *e)
{
	FILE *f = fopen(path, "ae");
	int rc;

	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "%s", path);
	qsort(l->v, l->n, sizeof *l->v, by_start);
	rc = write_steps(f, l, w, run, e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	return rc;
}
