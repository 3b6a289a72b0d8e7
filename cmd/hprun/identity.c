#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/without.h"
#include "file.h"
#include "files.h"
#include "identity.h"
#include "list.h"

/*
 * Writes the name of a file, and its size and time of change.  A pipe has none
 * of these.  The run continues with its own copy of what came from a pipe.
 */
static void
put_file(FILE *f, const char *path)
{
	struct stat st;

	fprintf(f, "%s\n", path);
	if (strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
	    S_ISREG(st.st_mode))
		fprintf(f, "%jd bytes, changed %jd.%09ld\n",
		    (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
		    st.st_mtim.tv_nsec);
}

/*
 * Writes the command and the options of a job.  A word of the command may
 * contain any byte, so its length comes first.
 */
static void
put_job(const struct run *run, FILE *f)
{
	fprintf(f, "job of %" PRIu64 "%s, cost %s\n", run->o.count,
	    run->o.files ? " files" : "", run->o.cost);
	if (run->weights != NULL)
		put_file(f, run->weights);
	for (char **w = run->o.command; *w != NULL; w++)
		fprintf(f, "%zu %s\n", strlen(*w), *w);
}

static int
put_random_source(const struct run *run, FILE *f, struct hp_err *e)
{
	char *path;

	if (run->o.random_source == NULL)
		return 0;
	if ((path = files_absolute(run, run->o.random_source, e)) == NULL)
		return -1;
	put_file(f, path);
	free(path);
	return 0;
}

static int
put_cluster(const struct run *run, FILE *f, struct hp_err *e)
{
	char buf[65536];
	ssize_t n;
	int fd;

	if (run->cluster == NULL) {
		fputs(run->node_lines, f);
		return 0;
	}
	if ((fd = io_open(run->cluster, e)) == -1)
		return -1;
	while ((n = io_read(fd, buf, sizeof buf)) > 0)
		fwrite(buf, 1, (size_t)n, f);
	if (n == -1)
		hp_fail_errno(e, HP_IO, "%s", run->cluster);
	io_close(fd);
	return (int)n;
}

/* Returns the text of the run's identity.  The caller frees it. */
static char *
text_of(const struct run *run, struct hp_err *e)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int rc;

	if (f == NULL) {
		hp_fail_errno(e, HP_NOMEM, "identity");
		return NULL;
	}
	fprintf(f, "%s", demand_name(run->o.algorithm));
	for (char **w = run->order_words; w != NULL && *w != NULL; w++)
		fprintf(f, " %s", *w);
	fprintf(f, " --header %" PRIu64 " --method %s\n%s\n%s\n", run->o.header,
	    run->o.method, run->o.in_place == NULL ? "" : run->o.in_place,
	    run->o.leave == NULL ? "" : run->o.leave);
	if (run->o.mode != MODE_SORT)
		put_job(run, f);
	rc = put_random_source(run, f, e);
	if (rc == 0)
		rc = put_cluster(run, f, e);
	for (char **o = run->operand; o != NULL && *o != NULL; o++)
		put_file(f, *o);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_NOMEM, "identity");
	if (rc == 0)
		return text;
	free(text);
	return NULL;
}

int
identity_write(struct run *run, struct hp_err *e)
{
	char *text = text_of(run, e);
	struct file_out f;
	int rc = -1;

	if (text != NULL && file_begin(&f, "tag", e) == 0) {
		fprintf(f.file, "%s\n", run->tag);
		rc = file_end(&f, file_sync(&f, e), e);
	}
	if (rc == 0 && (rc = file_begin(&f, "identity", e)) == 0) {
		fputs(text, f.file);
		rc = file_end(&f, file_sync(&f, e), e);
	}
	free(text);
	return rc;
}

/*
 * Returns the contents of a file.  The caller frees them.  Does not wait for a
 * writer if somebody has replaced the file by a pipe.
 */
static char *
contents(const char *name, struct hp_err *e)
{
	struct stat st;
	char *text = NULL;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd == -1 || fstat(fd, &st) == -1 ||
	    (text = malloc((size_t)st.st_size + 1)) == NULL ||
	    io_read(fd, text, (size_t)st.st_size) != st.st_size) {
		hp_fail_errno(e, HP_IO, "%s", name);
		free(text);
		text = NULL;
	} else
		text[st.st_size] = '\0';
	if (fd != -1)
		close(fd);
	return text;
}

static int
take_tag(struct run *run, struct hp_err *e)
{
	char *tag = contents("tag", e);

	if (tag == NULL)
		return -1;
	tag[strcspn(tag, "\n")] = '\0';
	if (*tag == '\0' || strspn(tag, "0123456789abcdef") != strlen(tag)) {
		free(tag);
		return hp_fail(e, HP_INPUT, "tag: does not identify a run");
	}
	free(run->tag);
	run->tag = tag;
	return 0;
}

static void
add_lost(void *list, char *name)
{
	list_add(list, name);
}

int
identity_check(struct run *run, struct hp_err *e)
{
	char *is = text_of(run, e), *was = contents("identity", e);
	int rc = -1;

	if (is != NULL && was != NULL) {
		if (strcmp(is, was) != 0)
			hp_fail(e, HP_IO,
			    "%s: belongs to a run with other options, nodes or "
			    "input",
			    run->o.keep);
		else
			rc = take_tag(run, e);
	}
	free(is);
	free(was);
	if (rc == 0)
		rc = doc_without_read(
		    "without.jsonl", add_lost, &run->lost, &run->broken, e);
	return rc;
}

/*
 * Returns whether the directory contains only files that hprun writes before
 * `identity`.
 */
bool
identity_unfinished(void)
{
	static const char *const before[] = { ".", "..", "tag", "journal" };
	DIR *d = opendir(".");
	struct dirent *f;
	bool only = d != NULL;

	while (only && (f = readdir(d)) != NULL) {
		only = strncmp(f->d_name, ".hp.", 4) == 0;
		for (size_t i = 0; i < sizeof before / sizeof *before; i++)
			only = only || strcmp(f->d_name, before[i]) == 0;
	}
	if (d != NULL)
		closedir(d);
	return only;
}

int
identity_lose(struct run *run, const bool *lost, struct hp_err *e)
{
	const char **name = reallocarray(NULL, run->nodes + 1, sizeof *name);
	size_t n = 0;
	int rc;

	if (name == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	for (size_t i = 0; lost != NULL && i < run->nodes; i++)
		if (lost[i])
			name[n++] = run->node[i].name;
	rc = doc_without_append("without.jsonl", name, n, e);
	free(name);
	return rc;
}
