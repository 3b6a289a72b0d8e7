#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

int
slurm_choose(struct run *run, struct hp_err *e)
{
	run->launch = run->o.launch;
	/* Nodes of -j and --speeds are on this machine and need no Slurm. */
	if (run->launch == NULL && run->o.nodes == 0 && run->o.speeds == NULL &&
	    allocation_job() != NULL)
		run->launch = "slurm";
	if (!slurm_is_used(run))
		return 0;
	if (allocation_read(&run->allocation, e) == 0)
		return 0;
	e->kind = HP_IO;
	return -1;
}

bool
slurm_is_used(const struct run *run)
{
	return run->launch != NULL && strcmp(run->launch, "slurm") == 0;
}

char *
slurm_lines(const struct run *run, struct hp_err *e)
{
	const struct allocation *a = &run->allocation;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		return NULL;
	}
	/*
	 * Slurm's names of nodes contain no characters that JSON must escape.
	 */
	for (size_t i = 0; i < a->n; i++)
		fprintf(f,
		    "{\"type\":\"node\",\"node\":\"%s\",\"host\":\"%s\","
		    "\"speed\":%" PRIu64 "}\n",
		    a->node[i].name, a->node[i].name,
		    a->node[i].processors > 0 ? a->node[i].processors : 1);
	if (fclose(f) == EOF) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		return NULL;
	}
	return text;
}

int
slurm_check(const struct run *run, struct hp_err *e)
{
	for (size_t i = 0; slurm_is_used(run) && i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];

		if (n->host != NULL &&
		    allocation_find(&run->allocation, n->host) == NULL)
			return hp_fail(e, HP_IO,
			    "%s: host %s is not in the allocation of job %s; "
			    "--launch ssh logs in to other hosts",
			    n->name, n->host, allocation_job());
	}
	return 0;
}

int
slurm_component(const struct run *run, const char *host)
{
	const struct allocated *a = host == NULL
	    ? NULL
	    : allocation_find(&run->allocation, host);

	return a == NULL ? ALLOCATION_WHOLE : a->component;
}

char *
slurm_scratch(const struct run *run)
{
	const char *dir = run->o.tmpdir;
	char *path;

	if (dir == NULL)
		dir = getenv("SLURM_TMPDIR");
	if (dir == NULL || *dir == '\0')
		dir = getenv("TMPDIR");
	if (dir == NULL || *dir == '\0')
		return NULL;
	if (dir[0] == '/')
		return strdup(dir);
	return asprintf(&path, "%s/%s", run->cwd, dir) == -1 ? NULL : path;
}
