#include "base/team.h"
#include "input/blocks.h"
#include "numbers/phase.h"

int
numbers_error(const struct numbers *s, struct hp_err *e)
{
	return team_error(s->err, s->writers, e);
}

int
numbers_team(struct numbers *s, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *e)
{
	s->more = false;
	return team_run(s->threads, work, ctx, e) == 0 ? 0
						       : numbers_error(s, e);
}

int
numbers_no_memory(struct numbers *s, unsigned i)
{
	return hp_fail(&s->err[i], HP_NOMEM, "sort: out of memory");
}

int
numbers_blocks(struct numbers *s, unsigned i,
    int (*take)(void *, unsigned, const struct block *), void *ctx)
{
	struct block b = { 0 };
	int got, rc = 0;

	do {
		got = input_block(s->in, &s->arena, &b, &s->err[i]);
		if (got == INPUT_BLOCK)
			rc = take(ctx, i, &b);
	} while (got == INPUT_BLOCK && rc == 0);
	block_fini(s->in, &b);
	if (got == -1 || rc == -1)
		return -1;
	if (got != INPUT_END)
		s->more = true;
	return 0;
}
