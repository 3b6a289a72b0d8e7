#include "base/team.h"
#include "bucket/phase.h"

int
buckets_team(struct buckets *b, unsigned threads, int (*work)(void *, unsigned),
    void *ctx, struct hp_err *e)
{
	return team_run(threads, work, ctx, e) == 0
	    ? 0
	    : team_error(b->err, b->writers, e);
}

int
buckets_team_spare(struct buckets *b, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *e)
{
	return team_run_spare(b->threads, work, ctx, e) == 0
	    ? 0
	    : team_error(b->err, b->writers, e);
}
