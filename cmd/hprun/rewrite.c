#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rewrite.h"

int
rewrite_file(const char *cluster, const char *new, rewrite_lines *lines,
    void *context, struct hp_err *e)
{
	int fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *f = fd == -1 ? NULL : fdopen(fd, "w");
	struct stat st;
	int rc;

	if (f == NULL) {
		if (fd != -1)
			close(fd);
		return hp_fail_errno(e, HP_IO, "%s", cluster);
	}
	rc = lines(context, f, e);
	if (rc == 0 &&
	    (stat(cluster, &st) == -1 || fchmod(fd, st.st_mode & 07777) == -1))
		rc = hp_fail_errno(e, HP_IO, "%s", cluster);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", cluster);
	if (rc == 0 && rename(new, cluster) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", cluster);
	if (rc == -1)
		unlink(new);
	return rc;
}

int
rewrite_cluster(
    struct run *run, rewrite_lines *lines, void *context, struct hp_err *e)
{
	char *new;
	int rc;

	if (asprintf(&new, "%.*s/.hprun.%s.cluster",
		(int)(strrchr(run->cluster, '/') - run->cluster), run->cluster,
		run_tag(run)) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", run->cluster);
	rc = guard_register(run->guard, new, false, e);
	if (rc == 0 &&
	    (rc = rewrite_file(run->cluster, new, lines, context, e)) == 0)
		rc = guard_forget(run->guard, new, e);
	free(new);
	return rc;
}
