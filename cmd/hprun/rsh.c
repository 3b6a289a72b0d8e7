#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "quote.h"
#include "rsh.h"
#include "slurm.h"

enum {
	CONNECT_MOST_S = 10
};

int
rsh_choose(struct run *run, struct hp_err *e)
{
	uint64_t s = run->o.timeout_s;

	if ((run->rsh = run->o.rsh) != NULL)
		return 0;
	if (asprintf(&run->rsh_default,
		CMD_SSH
		" -o ConnectTimeout=%" PRIu64
		" -o ServerAliveInterval=1 -o ServerAliveCountMax=%" PRIu64,
		s < CONNECT_MOST_S ? s : CONNECT_MOST_S, s) == -1)
		return hp_fail_errno(e, HP_NOMEM, "ssh");
	run->rsh = run->rsh_default;
	return 0;
}

bool
rsh_is_local(const struct run *run)
{
	return run->launch != NULL && strcmp(run->launch, "local") == 0;
}

bool
rsh_found(const char *program, size_t len)
{
	const char *path = getenv("PATH");
	char *file;
	bool is = false;

	while (path != NULL && !is) {
		size_t n = strcspn(path, ":");

		if (asprintf(&file, "%.*s/%.*s", n > 0 ? (int)n : 1,
			n > 0 ? path : ".", (int)len, program) == -1)
			return false;
		is = access(file, X_OK) == 0;
		free(file);
		path = path[n] == ':' ? path + n + 1 : NULL;
	}
	return is;
}

int
rsh_check(const struct run *run, struct hp_err *e)
{
	const char *program = run->rsh + strspn(run->rsh, " ");
	size_t len = strcspn(program, " ");
	char *file;
	bool is;

	if (len > 0 && program[0] != '/' && memchr(program, '/', len) != NULL)
		return hp_fail(e, HP_USAGE,
		    "--rsh: '%.*s' must be absolute, or found by PATH",
		    (int)len, program);
	if (!run->remote || run->o.dry)
		return 0;
	if (slurm_is_used(run) && !rsh_found("srun", strlen("srun")))
		return hp_fail(e, HP_IO,
		    "srun: not found; it starts the agents (--launch slurm)");
	if ((slurm_is_used(run) || rsh_is_local(run)) &&
	    !run->transport->logins)
		return 0;
	if (len > 0 && program[0] == '/') {
		if ((file = strndup(program, len)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "--rsh");
		is = access(file, X_OK) == 0;
		free(file);
	} else
		is = len > 0 && rsh_found(program, len);
	return is
	    ? 0
	    : hp_fail(e, HP_IO,
		  "%.*s: not found; hosts are reached by this command (--rsh)",
		  (int)len, program);
}

void
rsh_print(const struct run *run, const char *host)
{
	int component = slurm_component(run, host);

	if (!slurm_is_used(run)) {
		quote_split(stdout, run->rsh);
		putchar(' ');
		quote(stdout, host);
	} else {
		fputs("SLURM_OVERLAP=1 srun -Q -N1 -n1 --chdir=/ ", stdout);
		if (component != ALLOCATION_WHOLE)
			printf("--het-group=%d ", component);
		fputs("-w ", stdout);
		quote(stdout, host);
		fputs(" sh -c", stdout);
	}
}
