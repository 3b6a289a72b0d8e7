#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "slurm.h"

/*
 * Returns the text with each `name` replaced by `value`.  The caller frees it.
 */
static char *
expand(const char *text, const char *name, const char *value)
{
	char *out;
	size_t size;
	const char *at;
	FILE *f = open_memstream(&out, &size);

	if (f == NULL)
		return NULL;
	while ((at = strstr(text, name)) != NULL) {
		fwrite(text, 1, (size_t)(at - text), f);
		fputs(value, f);
		text = at + strlen(name);
	}
	fputs(text, f);
	return fclose(f) == EOF ? NULL : out;
}

static char *
joined(const char *directory, const char *name)
{
	char *path;
	size_t len = strlen(directory);

	while (len > 0 && directory[len - 1] == '/')
		len--;
	return asprintf(&path, "%.*s/%s", (int)len, directory, name) == -1
	    ? NULL
	    : path;
}

/*
 * Returns an absolute path for a path that is relative to the directory where
 * hprun was started.
 */
static char *
absolute(const struct run *run, const char *path)
{
	return path[0] == '/' ? strdup(path) : joined(run->cwd, path);
}

static int
no_memory(struct hp_err *e)
{
	return hp_fail_errno(e, HP_NOMEM, "places");
}

/* Replaces {rank} and {node} in the pattern, and makes the path absolute. */
static int
place(const struct run *run, size_t rank, const char *pattern, char **out,
    struct hp_err *e)
{
	const struct run_node *n = &run->node[rank];
	char number[32], *by_rank, *path, *base;

	snprintf(number, sizeof number, "%zu", rank);
	if ((by_rank = expand(pattern, "{rank}", number)) == NULL)
		return no_memory(e);
	path = expand(by_rank, "{node}", n->name);
	free(by_rank);
	if (path == NULL)
		return no_memory(e);
	if (path[0] == '/') {
		*out = path;
		return 0;
	}
	if (n->dir_base == NULL && n->host != NULL) {
		hp_fail(e, HP_USAGE,
		    "'%s' is not absolute, and node %s has no dir", path,
		    n->name);
		free(path);
		return -1;
	}
	base = n->dir_base == NULL ? strdup(run->cwd)
				   : absolute(run, n->dir_base);
	*out = base == NULL ? NULL : joined(base, path);
	free(base);
	free(path);
	return *out == NULL ? no_memory(e) : 0;
}

struct placed {
	const char *path;
	size_t machine;
};

static int
by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int c = (x->machine > y->machine) - (x->machine < y->machine);

	return c != 0 ? c : strcmp(x->path, y->path);
}

/* Fails if two nodes of one machine have the same path. */
static int
all_differ(
    const struct run *run, const char *option, bool leave, struct hp_err *e)
{
	struct placed *p = reallocarray(NULL, run->nodes, sizeof *p);
	int rc = 0;

	if (p == NULL)
		return no_memory(e);
	for (size_t i = 0; i < run->nodes; i++)
		p[i] = (struct placed){ leave ? run->node[i].leave
					      : run->node[i].in,
			run->node[i].machine };
	qsort(p, run->nodes, sizeof *p, by_place);
	for (size_t i = 1; rc == 0 && i < run->nodes; i++)
		if (by_place(&p[i - 1], &p[i]) == 0)
			rc = hp_fail(e, HP_USAGE,
			    "%s: several nodes have '%s': write {node} or "
			    "{rank} in "
			    "the path to distinguish them",
			    option, p[i].path);
	free(p);
	return rc;
}

/*
 * Returns the directory for temporary files on a host whose node has no `dir`.
 * The caller frees it.
 */
static char *
host_directory(const struct run *run)
{
	char *path = slurm_is_used(run) ? slurm_scratch(run) : NULL;

	return path != NULL ? path : strdup("/var/tmp");
}

/*
 * Returns the work directory of a node.  It is in the node's `dir` if the
 * cluster gives one.  Otherwise, a host uses the scratch directory of Slurm's
 * job, or /var/tmp, and a node of this machine uses hprun's work directory.
 */
static char *
work_directory(const struct run *run, size_t rank)
{
	const struct run_node *n = &run->node[rank];
	char name[64], *base, *path;

	if (n->dir_base == NULL && n->host == NULL) {
		snprintf(name, sizeof name, "node.%zu", rank);
		return joined(run->work, name);
	}
	snprintf(name, sizeof name, "hprun.%s.%zu", run->tag, rank);
	base = n->dir_base == NULL ? host_directory(run)
				   : absolute(run, n->dir_base);
	if (base == NULL)
		return NULL;
	path = joined(base, name);
	free(base);
	return path;
}

/*
 * Returns a temporary name in the directory of --leave.  The result then gets
 * its final name by a rename, without copying.
 */
static char *
beside(const struct run *run, size_t rank)
{
	const char *leave = run->node[rank].leave;
	char *path;

	return asprintf(&path, "%.*s/.hprun.%s.%zu",
		   (int)(strrchr(leave, '/') - leave), leave, run->tag,
		   rank) == -1
	    ? NULL
	    : path;
}

int
places_find(struct run *run, struct hp_err *e)
{
	for (size_t i = 0; i < run->nodes; i++) {
		struct run_node *n = &run->node[i];

		if ((n->dir = work_directory(run, i)) == NULL)
			return no_memory(e);
		if (run->o.in_place != NULL &&
		    place(run, i, run->o.in_place, &n->in, e) == -1)
			return -1;
		if (run->o.leave == NULL)
			continue;
		if (place(run, i, run->o.leave, &n->leave, e) == -1)
			return -1;
		if ((n->beside = beside(run, i)) == NULL)
			return no_memory(e);
	}
	if (run->o.in_place != NULL &&
	    all_differ(run, "--in-place", false, e) == -1)
		return -1;
	if (run->o.leave != NULL && all_differ(run, "--leave", true, e) == -1)
		return -1;
	return 0;
}
