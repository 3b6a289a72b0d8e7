#include <math.h>
#include <string.h>

#include "job/journal.h"
#include "spans.h"

struct search {
	const struct run *run;
	const char *name;
	struct span *span;
};

static int
note_entry(void *context, const struct journal_entry *j, struct hp_err *e)
{
	struct search *s = context;

	(void)e;
	if (strcmp(j->name, s->name) == 0 && j->rank >= 0 &&
	    (size_t)j->rank < s->run->nodes)
		s->span[j->rank] = (struct span){ j->start_s, j->end_s };
	return 0;
}

int
spans_find(const struct run *run, const char *name, struct span *span,
    struct hp_err *e)
{
	struct search s = { run, name, span };

	for (size_t i = 0; i < run->nodes; i++)
		span[i] = (struct span){ 0 };
	return journal_each("journal", note_entry, &s, e);
}

struct span
spans_all(const struct run *run, const struct span *span)
{
	struct span all = { .start_s = INFINITY };

	for (size_t i = 0; i < run->nodes; i++) {
		if (span[i].end_s == 0)
			continue;
		all.start_s = fmin(all.start_s, span[i].start_s);
		all.end_s = fmax(all.end_s, span[i].end_s);
	}
	return all.end_s == 0 ? (struct span){ 0 } : all;
}

double
span_length(const struct span *s)
{
	return s->end_s - s->start_s;
}
