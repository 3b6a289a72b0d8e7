#include <stdlib.h>

#include "fetched.h"

bool
fetches(const struct run *run, size_t rank)
{
	return run->stored && !run->o.dry && run->node[rank].host != NULL &&
	    !(run->o.shared && run->beside != NULL);
}

int
fetched_init(struct fetched *f, const struct run *run, const struct parts *l,
    struct hp_err *e)
{
	*f = (struct fetched){ calloc(l->n + 1, sizeof *f->tap), l };
	if (f->tap == NULL)
		return hp_fail_errno(e, HP_NOMEM, "parts");
	for (size_t i = 0; i < l->n; i++)
		checktap_init(&f->tap[i], &run->o.order);
	return 0;
}

void
fetched_fini(struct fetched *f)
{
	for (size_t i = 0; f->tap != NULL && i < f->parts->n; i++)
		checktap_fini(&f->tap[i]);
	free(f->tap);
	*f = (struct fetched){ 0 };
}

int
fetched_write(const struct fetched *f, size_t rank, struct hp_err *e)
{
	const struct checktap **own = calloc(f->parts->n + 1, sizeof *own);
	size_t n = 0;
	int rc;

	if (own == NULL)
		return hp_fail_errno(e, HP_NOMEM, "parts");
	for (size_t i = 0; i < f->parts->n; i++)
		if (f->parts->v[i].rank == rank)
			own[n++] = &f->tap[i];
	rc = checktaps_write(own, n, rank, e);
	free(own);
	return rc;
}
