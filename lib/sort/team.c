#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "sort/team.h"

struct member {
	pthread_t thread;
	int (*work)(void *, unsigned);
	void *ctx;
	unsigned i;
	int rc;
};

static void *
member_main(void *arg)
{
	struct member *m = arg;

	m->rc = m->work(m->ctx, m->i);
	return NULL;
}

int
team_run(unsigned n, int (*work)(void *, unsigned), void *ctx, struct hp_err *e)
{
	struct member *m;
	unsigned started;
	int err = 0, rc;

	if (n <= 1)
		return work(ctx, 0);
	if ((m = calloc(n, sizeof *m)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "threads");
	for (started = 1; started < n; started++) {
		m[started] = (struct member){
			.work = work, .ctx = ctx, .i = started
		};
		err = pthread_create(
		    &m[started].thread, NULL, member_main, &m[started]);
		if (err != 0)
			break;
	}
	rc = work(ctx, 0);
	for (unsigned i = 1; i < started; i++) {
		pthread_join(m[i].thread, NULL);
		if (m[i].rc == -1)
			rc = -1;
	}
	free(m);
	if (err != 0) {
		errno = err;
		return hp_fail_errno(e, HP_NOMEM, "threads");
	}
	return rc;
}
