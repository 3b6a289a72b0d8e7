/*
 * The action range, which divides an unsorted file among the nodes by key.
 */

#include <sys/stat.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actions.h"
#include "base/outfile.h"
#include "base/size.h"
#include "doc/extents.h"
#include "doc/summary.h"
#include "split/partition.h"

enum {
	CHUNK_LEAST = 4 << 20 /* least bytes for each thread */
};

static int
put_extents(const struct partition_part *part, size_t n, struct hp_err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct extent x = { i, i, part[i].offset, part[i].bytes,
			part[i].records };

		rc = doc_extent_write(stdout, &x, e);
	}
	if (rc == 0 && fflush(stdout) == EOF)
		rc = hp_fail_errno(e, HP_IO, "standard output");
	return rc;
}

static int
put_sums(const struct outfile *to, const struct partition_part *part, size_t n,
    struct hp_err *e)
{
	int copy = dup(to->fd), rc = 0;
	FILE *f = copy == -1 ? NULL : fdopen(copy, "w");

	if (f == NULL) {
		if (copy != -1)
			close(copy);
		return hp_fail_errno(e, HP_IO, "%s", to->name);
	}
	for (uint64_t i = 0; rc == 0 && i < n; i++) {
		struct summary s = { .records = part[i].records,
			.bytes = part[i].bytes,
			.checksum = part[i].checksum };

		rc = doc_sum_write(f, &s, &i, e);
	}
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", to->name);
	return rc;
}

/* A thread for each processor, unless the file is too small for so many. */
static unsigned
threads(const struct job *j, const char *path)
{
	unsigned n = cpu_count();
	struct stat st;

	if (j->o->threads > 0)
		return j->o->threads;
	if (stat(path, &st) == 0 && (uint64_t)st.st_size / CHUNK_LEAST < n)
		n = (unsigned)((uint64_t)st.st_size / CHUNK_LEAST);
	return n;
}

/*
 * Divides the file and prints the extents of the parts. The output files appear
 * after all extents are printed.
 */
static int
divide(const struct job *j, const uint64_t *share, struct partition_part *part,
    struct hp_err *e)
{
	struct outfile out = { .fd = -1 }, sums = { .fd = -1 };
	struct outfile *both[] = { &out, &sums };
	bool summed = j->o->sums != NULL;
	struct partition_job to = { .share = share,
		.n = j->plan.nodes,
		.approximate = j->o->approximate };
	const char *path;
	struct stat st;
	int rc = -1;

	/* The ranges are written at their offsets. */
	if (stat(j->o->output, &st) == 0 && !S_ISREG(st.st_mode))
		return hp_fail(
		    e, HP_USAGE, "%s: not a regular file", j->o->output);
	if (job_input(j, &path, e) == -1 ||
	    outfile_open(&out, j->o->output, e) == -1 ||
	    (summed && outfile_open(&sums, j->o->sums, e) == -1))
		goto out;
	to.threads = threads(j, path);
	to.to = out.fd;
	to.name = out.name;
	if (partition(path, &j->o->range, &j->o->order, &to, part, e) == 0 &&
	    (!summed || put_sums(&sums, part, to.n, e) == 0) &&
	    put_extents(part, to.n, e) == 0)
		rc = outfile_commit_all(both, summed ? 2 : 1, e);
out:
	outfile_abort(&out);
	outfile_abort(&sums);
	return rc;
}

int
action_range(struct job *j, struct hp_err *e)
{
	struct partition_part *part;
	uint64_t *share;
	int rc = -1;

	if (j->o->output == NULL)
		return job_missing("-o, the output file,", e);
	if (j->o->order.unique)
		return hp_fail(e, HP_USAGE, "-u cannot be used with range");
	if (job_plan(j, e) == -1)
		return -1;
	share = calloc(j->plan.nodes + 1, sizeof *share);
	part = calloc(j->plan.nodes + 1, sizeof *part);
	for (size_t i = 0; share != NULL && i < j->plan.nodes; i++)
		share[i] = j->plan.share[i].n;
	if (share == NULL || part == NULL)
		hp_fail(e, HP_NOMEM, "%zu nodes", j->plan.nodes);
	else
		rc = divide(j, share, part, e);
	free(share);
	free(part);
	return rc;
}
