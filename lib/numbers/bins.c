#include <stdlib.h>

#include "numbers/bins.h"
#include "numbers/phase.h"

void
numbers_bins_forget(struct numbers *s)
{
	for (size_t i = 0; i < s->nstrips; i++)
		free(s->strips[i]);
	free(s->strips);
	free(s->bin);
	s->strips = NULL;
	s->bin = NULL;
	s->nstrips = s->nbins = 0;
}

void
numbers_scatters_free(const struct numbers *s, struct scatter *to)
{
	for (unsigned i = 0; to != NULL && i < s->threads; i++)
		scatter_fini(&to[i]);
	free(to);
}

struct scatter *
numbers_scatters_new(
    struct numbers *s, const struct cells *cells, struct hp_err *e)
{
	struct scatter *to = calloc(s->threads, sizeof *to);

	if (to == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		return NULL;
	}
	for (unsigned i = 0; i < s->threads; i++)
		if (scatter_init(&to[i], &s->sheets[i], cells->buckets + 1,
			cells->equal, e) == -1) {
			numbers_scatters_free(s, to);
			return NULL;
		}
	return to;
}

int
numbers_scatters_close(struct numbers *s, struct scatter *to, struct hp_err *e)
{
	for (unsigned i = 0; i < s->threads; i++)
		if (scatter_close(&to[i], s->number.element) == -1) {
			numbers_no_memory(s, i);
			return numbers_error(s, e);
		}
	return 0;
}

int
numbers_bins(struct numbers *s, const struct scatter *from,
    const struct cells *cells, struct bin *out, struct hp_err *e)
{
	size_t n = cells->buckets + 1;
	struct strip *p = calloc(n * s->threads, sizeof *p), **grown;

	grown = reallocarray(s->strips, s->nstrips + 1, sizeof *grown);
	if (grown != NULL)
		s->strips = grown;
	if (p == NULL || grown == NULL) {
		free(p);
		return hp_fail_errno(e, HP_NOMEM, "%zu bins", n);
	}
	s->strips[s->nstrips++] = p;
	for (size_t i = 0; i < n; i++, p += s->threads) {
		out[i] = (struct bin){ .strip = p, .values = cells->equal[i] };
		if (cells->equal[i])
			out[i].key = cells->value[i - 1];
		for (unsigned w = 0; w < s->threads; w++) {
			p[w] = (struct strip){ from[w].first[i],
				from[w].count[i] };
			out[i].n += p[w].n;
		}
	}
	return 0;
}
