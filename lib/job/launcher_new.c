#include <sys/resource.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/guard.h"
#include "job/launcher_call.h"
#include "job/launcher_hear.h"
#include "job/launcher_new.h"

#define FILES_MORE 512 /* descriptors besides those of machines */
#define FILES_FEW 64   /* how many of them a run needs at least */

enum {
	/*
	 * maximum seconds for the agents to clean up after this process has
	 * ended
	 */
	AGENTS_S = 10,
	/* login, messages, direct connection, a file for data */
	FILES_OF_MACHINE = 4
};

struct by_host {
	const struct job_node *node;
	int rank;
};

/*
 * Compares by host, then by rank. Nodes of this machine, which have no host,
 * come first.
 */
static int
compare_hosts(const void *a, const void *b)
{
	const struct by_host *x = a, *y = b;
	const char *xh = x->node->host, *yh = y->node->host;
	int order;

	if (xh == NULL || yh == NULL)
		order = (xh != NULL) - (yh != NULL);
	else
		order = strcmp(xh, yh);
	return order != 0 ? order : x->rank - y->rank;
}

static void
add_machine(struct launcher *l, const char *host)
{
	struct machine *m = &l->machine[l->machines++];

	machine_init(m);
	m->host = host;
	m->method = launch_method(host == NULL ? "local"
		: l->c.launch != NULL	       ? l->c.launch
					       : "ssh");
}

/*
 * Groups the nodes by host. This machine comes first, even if it has no nodes.
 */
static int
find_machines(struct launcher *l, struct hp_err *e)
{
	struct by_host *sorted = calloc(l->c.nodes + 1, sizeof *sorted);
	struct machine *m;

	l->machine = calloc(l->c.nodes + 1, sizeof *l->machine);
	l->rank = calloc(l->c.nodes + 1, sizeof *l->rank);
	l->of_rank = calloc(l->c.nodes + 1, sizeof *l->of_rank);
	l->asked = calloc(l->c.nodes + 1, sizeof *l->asked);
	l->lost = calloc(l->c.nodes + 1, sizeof *l->lost);
	l->wrote = calloc(l->c.nodes + 1, sizeof *l->wrote);
	if (sorted == NULL || l->machine == NULL || l->rank == NULL ||
	    l->of_rank == NULL || l->asked == NULL || l->lost == NULL ||
	    l->wrote == NULL) {
		free(sorted);
		return hp_fail(e, HP_NOMEM, "out of memory");
	}
	for (size_t i = 0; i < l->c.nodes; i++)
		sorted[i] = (struct by_host){ &l->c.node[i], (int)i };
	qsort(sorted, l->c.nodes, sizeof *sorted, compare_hosts);
	add_machine(l, NULL);
	for (size_t i = 0; i < l->c.nodes; i++) {
		const char *host = sorted[i].node->host;

		m = &l->machine[l->machines - 1];
		if (host != NULL &&
		    (m->host == NULL || strcmp(m->host, host) != 0)) {
			add_machine(l, host);
			m++;
		}
		if (m->nodes++ == 0) {
			m->rank = &l->rank[i];
			m->name = sorted[i].node->name;
		}
		l->rank[i] = sorted[i].rank;
		l->of_rank[sorted[i].rank] = l->machines - 1;
	}
	free(sorted);
	for (size_t i = 0; i < l->machines; i++)
		if (l->machine[i].method == NULL)
			return hp_fail(e, HP_USAGE,
			    "there is no launch method '%s'", l->c.launch);
	return 0;
}

/*
 * Raises the limit of open files, because thousands of machines need more than
 * the default. If the limit is still too low for direct connections, the logins
 * must do.
 */
static void
raise_files(struct launcher *l)
{
	struct rlimit limit;
	rlim_t all = FILES_OF_MACHINE * (rlim_t)l->machines;
	rlim_t want = FILES_MORE + all;

	if (getrlimit(RLIMIT_NOFILE, &limit) == -1 || limit.rlim_cur >= want)
		return;
	l->files = limit.rlim_cur;
	limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) == -1)
		limit.rlim_cur = l->files;
	l->few_files = limit.rlim_cur < FILES_FEW + all;
}

static int
open_work(struct launcher *l, struct hp_err *e)
{
	struct stat st;
	char *journal;

	l->work = open(l->c.work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->work == -1 || fstat(l->work, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", l->c.work);
	l->work_device = st.st_dev;
	l->work_inode = st.st_ino;
	if (asprintf(&journal, "%s/journal", l->c.work) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	l->journal = journal_open(journal, e);
	free(journal);
	return l->journal == NULL ? -1 : 0;
}

static int
launcher_init(struct launcher *l, const struct job_config *c, struct hp_err *e)
{
	l->c = *c;
	l->work = l->loop.epoll = -1;
	l->first_id = 1;
	/*
	 * Ignore SIGPIPE, so that writes to a lost agent or reader fail with
	 * EPIPE.
	 */
	l->on_pipe = signal(SIGPIPE, SIG_IGN);
	if (find_machines(l, e) == -1 || open_work(l, e) == -1)
		return -1;
	streams_init(&l->streams, l->work, l->machines);
	if (loop_init(&l->loop, l->machine, l->machines, c->timeout_s,
		&launcher_calls, l, e) == -1)
		return -1;
	if (c->tick != NULL && l->loop.beat_s > 1)
		l->loop.beat_s = 1;
	raise_files(l);
	if (c->guard == NULL)
		return 0;
	/*
	 * When this process has ended, agents notice the end of their
	 * connections and clean up. The guard must give the agents time to
	 * clean up.
	 */
	if (guard_wait(c->guard, AGENTS_S, e) == -1)
		return -1;
	return loop_watch_other(&l->loop, guard_fd(c->guard), false, e);
}

void
launcher_free(struct launcher *l)
{
	struct rlimit limit;

	for (size_t i = 0; i < l->machines; i++)
		machine_fini(&l->machine[i]);
	calls_fini(l);
	streams_fini(&l->streams);
	tls_party_fini(&l->tls);
	loop_fini(&l->loop);
	journal_close(l->journal);
	if (l->work != -1)
		close(l->work);
	if (l->files > 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = l->files;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	signal(SIGPIPE, l->on_pipe);
	free(l->machine);
	free(l->rank);
	free(l->of_rank);
	free(l->asked);
	free(l->lost);
	free(l->wrote);
	free(l->task);
	free(l->by_id);
	free(l);
}

struct launcher *
launcher_new(const struct job_config *c, struct hp_err *e)
{
	struct launcher *l = calloc(1, sizeof *l);

	if (l == NULL) {
		hp_fail(e, HP_NOMEM, "out of memory");
		return NULL;
	}
	if (launcher_init(l, c, e) == 0)
		return l;
	launcher_free(l);
	return NULL;
}
