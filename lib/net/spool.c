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
	CALLS = 1 << 20, /* of one process: the next one's are greater */
	/* Of `sent`: a place lies in one page, and so is written as a whole. */
	PLACE = 128
};

const char *
spool_name(const char *what, uint32_t rank, char name[SPOOL_NAME_MAX])
{
	snprintf(name, SPOOL_NAME_MAX, "%s.%" PRIu32, what, rank);
	return name;
}

char *
spool_path(const struct spool *k, const char *what, uint32_t rank)
{
	char *path;

	return asprintf(&path, "%s/%s.%" PRIu32, k->path, what, rank) == -1
	    ? NULL
	    : path;
}

int
spool_put(const struct spool *k, const char *name, const struct hello *h,
    struct hp_err *e)
{
	unsigned char bytes[HELLO_SIZE];
	int fd, rc;

	hello_encode(h, bytes);
	fd = openat(
	    k->dir, "new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd == -1)
		return hp_fail_errno(e, HP_IO, "%s/new", k->path);
	rc = io_write(fd, bytes, sizeof bytes);
	if (close(fd) == -1 || rc == -1 ||
	    renameat(k->dir, "new", k->dir, name) == -1)
		return hp_fail_errno(e, HP_IO, "%s/%s", k->path, name);
	return 0;
}

bool
spool_get(const struct spool *k, const char *name, struct hello *h)
{
	unsigned char bytes[HELLO_SIZE];
	int fd = openat(k->dir, name, O_RDONLY | O_CLOEXEC);
	bool there;

	if (fd == -1)
		return false;
	there = io_read(fd, bytes, sizeof bytes) == sizeof bytes &&
	    hello_decode(bytes, sizeof bytes, h) == 1 &&
	    h->version == HELLO_VERSION;
	close(fd);
	return there;
}

/* Makes the file only when it is written to. */
static bool
open_sent(struct spool *k, bool make)
{
	if (k->sent == -1)
		k->sent = openat(k->dir, "sent",
		    O_RDWR | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
	return k->sent != -1;
}

int
spool_put_sent(
    struct spool *k, uint32_t rank, const struct hello *h, struct hp_err *e)
{
	unsigned char bytes[HELLO_SIZE];

	hello_encode(h, bytes);
	if (!open_sent(k, true) ||
	    io_pwrite(k->sent, bytes, sizeof bytes, (off_t)rank * PLACE) == -1)
		return hp_fail_errno(e, HP_IO, "%s/sent", k->path);
	return 0;
}

bool
spool_get_sent(struct spool *k, uint32_t rank, struct hello *h)
{
	unsigned char bytes[HELLO_SIZE];

	return open_sent(k, false) &&
	    io_pread(k->sent, bytes, sizeof bytes, (off_t)rank * PLACE) ==
	    sizeof bytes &&
	    hello_decode(bytes, sizeof bytes, h) == 1 &&
	    h->version == HELLO_VERSION && h->from == rank;
}

/* Whether it has nothing but what a process leaves that is killed at once. */
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

static int
take_up(struct spool *k, struct hello *mine, uint64_t input, struct hp_err *e)
{
	struct hello was;

	if (!spool_get(k, "job", &was)) {
		if (!is_empty(k->dir))
			return hp_fail(e, HP_INPUT,
			    "%s: not empty, and no exchange was kept there",
			    k->path);
		return 0;
	}
	if (hello_judge(&was, mine) != VERDICT_ADDRESS ||
	    was.from != mine->from || was.frames != input || was.run == 0)
		return hp_fail(e, HP_INPUT,
		    "%s: is of an exchange with other nodes or input", k->path);
	if (was.attempt > UINT32_MAX - 2 * CALLS)
		return hp_fail(
		    e, HP_INPUT, "%s: was taken up too often", k->path);
	k->resumed = true;
	mine->run = was.run;
	mine->attempt = was.attempt + CALLS;
	return 0;
}

int
spool_open(struct spool *k, const char *path, struct hello *mine,
    uint64_t input, struct hp_err *e)
{
	struct hello job;

	*k = SPOOL_NONE;
	k->path = path;
	k->nodes = mine->nodes;
	if (mkdir(path, 0700) == -1 && errno != EEXIST)
		return hp_fail_errno(e, HP_IO, "%s", path);
	k->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (k->dir == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	if (flock(k->dir, LOCK_EX | LOCK_NB) == -1) {
		if (errno == EWOULDBLOCK)
			return hp_fail(e, HP_IO,
			    "%s: another hpexchange is at work there", path);
		return hp_fail_errno(e, HP_IO, "%s: lock", path);
	}
	if (take_up(k, mine, input, e) == -1)
		return -1;
	mine->flags |= HELLO_RESTARTS;
	job = *mine;
	job.to = job.from;
	job.frames = input;
	return spool_put(k, "job", &job, e);
}

void
spool_close(struct spool *k)
{
	if (k->sent != -1)
		close(k->sent);
	if (k->dir != -1)
		close(k->dir);
	*k = SPOOL_NONE;
}

int
spool_clear(struct spool *k, struct hp_err *e)
{
	static const char *const of_nodes[] = { "ledger", "part" };
	static const char *const others[] = { "sent", "new", "done", "job" };
	char name[SPOOL_NAME_MAX];
	int dir = k->dir;

	/* What tells how far it was goes last. */
	for (size_t w = 0; w < sizeof of_nodes / sizeof *of_nodes; w++)
		for (uint32_t i = 0; i < k->nodes; i++)
			unlinkat(dir, spool_name(of_nodes[w], i, name), 0);
	for (size_t w = 0; w < sizeof others / sizeof *others; w++)
		unlinkat(dir, others[w], 0);
	if (rmdir(k->path) == -1)
		return hp_fail_errno(e, HP_IO, "%s", k->path);
	return 0;
}
