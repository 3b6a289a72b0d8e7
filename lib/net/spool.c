#include <sys/file.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "net/spool.h"

enum {
	/*
	 * Attempt numbers reserved for one process of a node. If the node is
	 * restarted, the new process uses higher numbers.
	 */
	ATTEMPTS = 1 << 20,
	/*
	 * Distance in bytes between the records in the file `sent`. The page
	 * size is a multiple of this distance, so each record lies in one page
	 * and is written as a whole.
	 */
	PLACE = 128
};

char *
spool_path(const struct spool *s, const char *what, uint32_t rank)
{
	char *path;

	return asprintf(&path, "%s/%s.%" PRIu32, s->path, what, rank) == -1
	    ? NULL
	    : path;
}

int
spool_put(const struct spool *s, const char *name, const struct spool_record *r,
    struct hp_err *e)
{
	unsigned char bytes[SPOOL_RECORD_SIZE];
	int fd, rc;

	spool_record_encode(r, bytes);
	fd = openat(
	    s->dir, "new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd == -1)
		return hp_fail_errno(e, HP_IO, "%s/new", s->path);
	rc = io_write(fd, bytes, sizeof bytes);
	if (close(fd) == -1 || rc == -1 ||
	    renameat(s->dir, "new", s->dir, name) == -1)
		return hp_fail_errno(e, HP_IO, "%s/%s", s->path, name);
	return 0;
}

bool
spool_get(const struct spool *s, const char *name, struct spool_record *r)
{
	unsigned char bytes[SPOOL_RECORD_SIZE];
	int fd = openat(s->dir, name, O_RDONLY | O_CLOEXEC);
	bool there;

	if (fd == -1)
		return false;
	there = io_read(fd, bytes, sizeof bytes) == sizeof bytes &&
	    spool_record_decode(bytes, r);
	close(fd);
	return there;
}

/* Opens the file `sent`. Creates it if `make` is set. */
static bool
open_sent(struct spool *s, bool make)
{
	if (s->sent == -1)
		s->sent = openat(s->dir, "sent",
		    O_RDWR | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
	return s->sent != -1;
}

int
spool_put_sent(struct spool *s, uint32_t rank, const struct spool_record *r,
    struct hp_err *e)
{
	unsigned char bytes[SPOOL_RECORD_SIZE];

	spool_record_encode(r, bytes);
	if (!open_sent(s, true) ||
	    io_pwrite(s->sent, bytes, sizeof bytes, (off_t)rank * PLACE) == -1)
		return hp_fail_errno(e, HP_IO, "%s/sent", s->path);
	return 0;
}

bool
spool_get_sent(struct spool *s, uint32_t rank, struct spool_record *r)
{
	unsigned char bytes[SPOOL_RECORD_SIZE];

	return open_sent(s, false) &&
	    io_pread(s->sent, bytes, sizeof bytes, (off_t)rank * PLACE) ==
	    sizeof bytes &&
	    spool_record_decode(bytes, r) && r->from == rank;
}

/*
 * Returns whether the directory is empty. A process that is killed right after
 * its start leaves the file `new`, which does not count.
 */
static bool
is_empty(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd == -1 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool empty = d != NULL;

	while (empty && (entry = readdir(d)) != NULL)
		empty = strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    strcmp(entry->d_name, "new") == 0;
	if (d != NULL)
		closedir(d);
	return empty;
}

static bool
is_same(
    const struct spool_record *was, const struct hello *mine, uint64_t input)
{
	return was->nodes == mine->nodes && was->from == mine->from &&
	    memcmp(was->cluster, mine->cluster, HELLO_CLUSTER) == 0 &&
	    was->input == input && was->run != 0;
}

/*
 * Continues the exchange whose state the directory contains. Does nothing if
 * the directory is empty.
 */
static int
resume(struct spool *s, struct hello *mine, uint64_t input, struct hp_err *e)
{
	struct spool_record was;

	if (!spool_get(s, "job", &was)) {
		if (!is_empty(s->dir))
			return hp_fail(e, HP_INPUT,
			    "%s: not empty, and no exchange was kept there",
			    s->path);
		return 0;
	}
	if (!is_same(&was, mine, input))
		return hp_fail(e, HP_INPUT,
		    "%s: belongs to an exchange with other nodes or input",
		    s->path);
	if (was.parted) {
		s->over = true;
		return 0;
	}
	if (was.attempt > UINT32_MAX - 2 * ATTEMPTS)
		return hp_fail(
		    e, HP_INPUT, "%s: was resumed too often", s->path);
	s->resumed = true;
	mine->run = was.run;
	mine->attempt = was.attempt + ATTEMPTS;
	return 0;
}

int
spool_open(struct spool *s, const char *path, struct hello *mine,
    uint64_t input, struct hp_err *e)
{
	struct spool_record job;

	*s = SPOOL_NONE;
	s->path = path;
	s->nodes = mine->nodes;
	if (mkdir(path, 0700) == -1 && errno != EEXIST)
		return hp_fail_errno(e, HP_IO, "%s", path);
	s->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	if (flock(s->dir, LOCK_EX | LOCK_NB) == -1) {
		if (errno == EWOULDBLOCK)
			return hp_fail(e, HP_IO,
			    "%s: another hpexchange is running there", path);
		return hp_fail_errno(e, HP_IO, "%s: lock", path);
	}
	if (resume(s, mine, input, e) == -1)
		return -1;
	if (s->over)
		return 0;
	mine->flags |= HELLO_RESTARTS;
	job = (struct spool_record){ .nodes = mine->nodes,
		.from = mine->from,
		.to = mine->from,
		.attempt = mine->attempt,
		.run = mine->run,
		.input = input };
	memcpy(job.cluster, mine->cluster, HELLO_CLUSTER);
	return spool_put(s, "job", &job, e);
}

void
spool_close(struct spool *s)
{
	if (s->sent != -1)
		close(s->sent);
	if (s->dir != -1)
		close(s->dir);
	*s = SPOOL_NONE;
}

int
spool_clear(struct spool *s, struct hp_err *e)
{
	static const char *const of_nodes[] = { "ledger", "part" };
	static const char *const others[] = { "sent", "new", "done", "job" };
	struct spool_record job;
	char name[32];
	int dir = s->dir;

	/*
	 * A process that is started after this one was killed must not begin
	 * the exchange again.  So the record of the job, which is removed last,
	 * says first that the exchange is over.
	 */
	if (spool_get(s, "job", &job) && !job.parted) {
		job.parted = true;
		if (spool_put(s, "job", &job, e) == -1)
			return -1;
	}
	for (size_t w = 0; w < sizeof of_nodes / sizeof *of_nodes; w++)
		for (uint32_t i = 0; i < s->nodes; i++) {
			snprintf(
			    name, sizeof name, "%s.%" PRIu32, of_nodes[w], i);
			unlinkat(dir, name, 0);
		}
	for (size_t w = 0; w < sizeof others / sizeof *others; w++)
		unlinkat(dir, others[w], 0);
	if (rmdir(s->path) == -1)
		return hp_fail_errno(e, HP_IO, "%s", s->path);
	return 0;
}
