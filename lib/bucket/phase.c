#include "base/team.h"
#include "bucket/phase.h"

static int
first_error(const struct buckets *b, struct hp_err *e)
{
	for (unsigned i = 0; i < b->writers && e->kind == HP_NONE; i++)
		*e = b->err[i];
	return -1;
}

int
buckets_team(struct buckets *b, unsigned threads, int (*work)(void *, unsigned),
    void *ctx, struct hp_err *e)
{
	return team_run(threads, work, ctx, e) == 0 ? 0 : first_error(b, e);
}

int
buckets_team_spare(struct buckets *b, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *e)
{
	return team_run_spare(b->threads, work, ctx, e) == 0
	    ? 0
	    : first_error(b, e);
}
