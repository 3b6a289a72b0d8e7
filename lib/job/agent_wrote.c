#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "job/agent_io.h"
#include "job/agent_wrote.h"

enum {
	DEPTH_MOST = 16,   /* levels of descendants */
	CHILDREN_MOST = 64 /* children counted per process */
};

#define EVERY_S 1.0

static uint64_t
of_process(pid_t pid)
{
	uint64_t bytes = 0;
	char line[128];
	FILE *f;

	snprintf(line, sizeof line, "/proc/%d/io", (int)pid);
	if ((f = fopen(line, "re")) == NULL)
		return 0;
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "wchar: %" SCNu64, &bytes) == 1)
			break;
	fclose(f);
	return bytes;
}

static uint64_t
of_tree(pid_t pid, int depth)
{
	int child[CHILDREN_MOST], n = 0;
	uint64_t bytes = of_process(pid);
	char path[64];
	FILE *f;

	snprintf(
	    path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	if (depth == DEPTH_MOST || (f = fopen(path, "re")) == NULL)
		return bytes;
	while (n < CHILDREN_MOST && fscanf(f, "%d", &child[n]) == 1)
		n++;
	fclose(f);
	for (int i = 0; i < n; i++)
		bytes += of_tree(child[i], depth + 1);
	return bytes;
}

uint64_t
wrote_by(pid_t pid)
{
	return pid > 0 ? of_tree(pid, 0) : 0;
}

int
wrote_tell(struct agent *a, struct hp_err *e)
{
	double now_s = clock_now_s();

	if (!a->progress || a->full || now_s - a->counted_s < EVERY_S)
		return 0;
	a->counted_s = now_s;
	for (struct agent_step *s = a->step; s != NULL; s = s->next) {
		struct message m = { .type = MESSAGE_WROTE,
			.id = s->m.id,
			.bytes = s->wrote + wrote_by(s->child.pid) };

		if (!s->done && agent_send(a, &m, e) == -1)
			return -1;
	}
	return 0;
}
