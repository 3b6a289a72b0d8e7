#include <sys/stat.h>
#include <sys/statvfs.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "job/agent_io.h"
#include "job/agent_lock.h"
#include "job/agent_open.h"
#include "job/lacks.h"
#include "job/naming.h"
#include "job/sweep.h"

/* Numbers in messages have 53 bits. */
#define MASK53 (((uint64_t)1 << 53) - 1)

/*
 * The agent sends each problem of a node to the launcher and marks the last
 * one. It does not know yet whether a problem is the last. So `text` holds the
 * problem until the next one is found or the checks end.
 */
struct faults {
	struct agent *agent;
	uint64_t rank;
	char text[MESSAGE_FAULT_TEXT + 1];
	bool any;
};

static int
send_fault(struct faults *f, bool last, struct hp_err *e)
{
	struct message m = { .type = MESSAGE_FAULT,
		.rank = f->rank,
		.text = f->text,
		.last = last };

	return f->any ? agent_send(f->agent, &m, e) : 0;
}

__attribute__((format(printf, 3, 4))) static int
fault(struct faults *f, struct hp_err *e, const char *fmt, ...)
{
	va_list ap;

	if (send_fault(f, false, e) == -1)
		return -1;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof f->text, fmt, ap);
	va_end(ap);
	f->any = true;
	return 0;
}

static int
tell_lacks(struct faults *f, const struct lacks *l, struct hp_err *e)
{
	for (size_t i = 0; i < l->missing; i++)
		if (fault(f, e, "%s: not found", l->program[i]) == -1)
			return -1;
	if (l->version[0] != '\0' &&
	    fault(f, e, "hptools: %s, not " HP_VERSION, l->version) == -1)
		return -1;
	return 0;
}

static uint64_t
microseconds(const struct timespec *t)
{
	return t->tv_sec < 0
	    ? 0
	    : ((uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_nsec / 1000) &
		MASK53;
}

/*
 * Checks the node's input file (--in-place), the file that its result will
 * replace (--leave), and the directory of that file.  Adds what it finds to the
 * message.
 */
static int
look_at_files(struct faults *f, const struct message_node *n,
    struct message *opened, struct hp_err *e)
{
	struct stat st;
	char *dir;
	int rc = 0;

	if (n->input[0] != '\0') {
		if (access(n->input, R_OK) == 0 && stat(n->input, &st) == 0 &&
		    S_ISREG(st.st_mode)) {
			opened->input_bytes = (uint64_t)st.st_size & MASK53;
			opened->input_changed_us = microseconds(&st.st_mtim);
			opened->input_inode = (uint64_t)st.st_ino & MASK53;
		} else
			rc = fault(f, e, "%s: cannot be read", n->input);
	}
	if (rc == -1 || n->leave[0] == '\0')
		return rc;
	opened->named = naming_done(n->dir, n->leave);
	if (stat(n->leave, &st) == 0 && S_ISDIR(st.st_mode))
		return fault(f, e, "%s: Is a directory", n->leave);
	if (lstat(n->leave, &st) == 0 && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		return fault(f, e, "%s: not a regular file", n->leave);
	if ((dir = io_directory(n->leave)) == NULL)
		return hp_fail(e, HP_NOMEM, "agent");
	if (access(dir, W_OK) == -1 || stat(dir, &st) == -1 ||
	    !S_ISDIR(st.st_mode))
		rc = fault(f, e, "%s/: cannot be written",
		    strcmp(dir, "/") == 0 ? "" : dir);
	free(dir);
	return rc;
}

/*
 * Creates the file for the node's result. Other users may be able to write to
 * the directory of the file. So an existing link or a file of another user must
 * not be used. If `again` is set, a file that an earlier agent of this user
 * left is used again.
 */
static int
make_beside(struct agent *a, struct agent_node *n, bool again, struct faults *f,
    struct hp_err *e)
{
	struct guard *g = a->c->guard;
	struct stat st;
	int fd;

	if (g != NULL && !a->keep &&
	    guard_register(g, n->beside, false, e) == -1)
		return -1;
	if (again && lstat(n->beside, &st) == 0) {
		if (S_ISREG(st.st_mode) && st.st_uid == geteuid())
			return 0;
		unlink(n->beside);
	} else if (again && naming_begun(n->dir)) {
		return 0; /* it may have its final name */
	}
	fd = open(n->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1)
		return fault(f, e, "%s: %s", n->beside, strerror(errno));
	close(fd);
	return 0;
}

/*
 * Makes the node's directory and locks it. Registers the directory with the
 * guard first, so that the guard removes it even if this process is killed. If
 * the directory exists and `again` is not set, it belongs to somebody else.
 * Then the directory is not registered, and cannot be locked.
 */
static int
make_directory(struct agent *a, struct agent_node *n, bool again,
    struct faults *f, struct hp_err *e)
{
	struct guard *g = a->c->guard;
	struct hp_err why = { 0 };
	struct stat st;
	bool known = g != NULL && (again || lstat(n->dir, &st) == -1);

	if (known && guard_register(g, n->dir, a->keep, e) == -1)
		return -1;
	n->lock = lock_directory(a, n->dir, again, &why);
	if (n->lock == -1) {
		if (known && guard_forget(g, n->dir, e) == -1)
			return -1;
		return fault(f, e, "%s", why.text);
	}
	n->open = true;
	return n->beside[0] == '\0' ? 0 : make_beside(a, n, again, f, e);
}

static int
tell_opened(struct agent *a, const struct agent_node *n, struct message *m,
    struct hp_err *e)
{
	struct statvfs fs;
	struct stat st;

	if (stat(n->dir, &st) == 0)
		m->device = (uint64_t)st.st_dev & MASK53;
	if (statvfs(n->dir, &fs) == 0)
		m->room = ((uint64_t)fs.f_bavail * fs.f_frsize) & MASK53;
	return agent_send(a, m, e);
}

static int
open_node(struct agent *a, const struct message_node *from,
    const struct lacks *lacks, bool again, struct hp_err *e)
{
	struct faults f = { .agent = a, .rank = from->rank };
	struct agent_node *n = &a->node[a->nodes];
	struct message opened = { .type = MESSAGE_OPENED, .rank = from->rank };

	*n = (struct agent_node){ .rank = from->rank, .lock = -1 };
	n->dir = strdup(from->dir);
	n->beside = strdup(from->beside);
	a->nodes++;
	if (n->dir == NULL || n->beside == NULL)
		return hp_fail(e, HP_NOMEM, "agent");
	if (look_at_files(&f, from, &opened, e) == -1 ||
	    tell_lacks(&f, lacks, e) == -1 ||
	    make_directory(a, n, again, &f, e) == -1)
		return -1;
	return f.any ? send_fault(&f, true, e) : tell_opened(a, n, &opened, e);
}

int
agent_open(struct agent *a, const struct message *m, struct hp_err *e)
{
	struct lacks lacks;

	a->has_opened = true;
	a->keep = m->keep;
	a->progress = m->progress;
	a->timeout_s = m->timeout_s;
	for (size_t i = 0; i < m->nnodes; i++) {
		if (m->node[i].dir[0] != '/')
			return hp_fail(
			    e, HP_INPUT, "agent: a directory is not absolute");
		for (size_t k = 0; k < i; k++)
			if (m->node[k].rank == m->node[i].rank)
				return hp_fail(
				    e, HP_INPUT, "agent: a node appears twice");
	}
	if ((a->node = calloc(m->nnodes + 1, sizeof *a->node)) == NULL)
		return hp_fail(e, HP_NOMEM, "agent");
	lacks_find(&lacks, a->c->local, a->c->home);
	for (size_t i = 0; i < m->nnodes; i++)
		if (open_node(a, &m->node[i], &lacks, m->again, e) == -1 ||
		    agent_pulse(a, e) == -1)
			return -1;
	return 0;
}

const struct agent_node *
agent_node(const struct agent *a, uint64_t rank)
{
	for (size_t i = 0; i < a->nodes; i++)
		if (a->node[i].rank == rank && a->node[i].open)
			return &a->node[i];
	return NULL;
}

/* Ignores errors: the launcher may be gone. */
static void
pulse(void *context)
{
	(void)agent_pulse(context, &(struct hp_err){ 0 });
}

static void
close_node(struct agent *a, struct agent_node *n)
{
	struct hp_err why = { 0 };
	bool keep = a->keep && !a->drop;
	int rc;

	if (n->open) {
		/*
		 * A successful run has given the result its final name. If the
		 * temporary name still exists, its file is incomplete, or a
		 * resumed run will need it.
		 */
		if (n->beside[0] != '\0' && !keep)
			sweep_remove(n->beside, &why);
		rc = keep ? sweep_keep(n->dir, &why)
			  : sweep_remove_pulsing(n->dir, pulse, a, &why);
		if (rc == 0 && a->c->guard != NULL) {
			guard_forget(a->c->guard, n->dir, &why);
			guard_forget(a->c->guard, n->beside, &why);
		}
	}
	if (n->lock != -1)
		close(n->lock);
	free(n->dir);
	free(n->beside);
}

void
agent_close(struct agent *a)
{
	for (size_t i = 0; i < a->nodes; i++)
		close_node(a, &a->node[i]);
	free(a->node);
	a->node = NULL;
	a->nodes = 0;
}
