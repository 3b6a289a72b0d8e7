/* hp-plan(5): a plan that was read has correct sums, and is read the same after
 * it is written. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static int
read_plan(const void *bytes, size_t len, struct plan *p, struct hp_err *e)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC), rc;
	char path[32];

	if (fd == -1 || io_write(fd, bytes, len) == -1)
		abort();
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	rc = doc_plan_read(path, p, e);
	close(fd);
	return rc;
}

static void
round_trip(struct plan *p)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct plan again;
	struct hp_err e = { 0 };
	uint64_t sum = 0;

	assert(p->nodes > 0);
	for (size_t i = 0; i < p->nodes; i++) {
		assert(p->share[i].offset == sum);
		sum += p->share[i].n;
	}
	assert(sum == p->n && sum <= (uint64_t)1 << 53);
	if (p->method == NULL || p->cost == NULL) {
		fclose(f);
		free(text);
		return;
	}
	for (size_t i = 0; i < p->nodes; i++)
		assert(doc_share_write(f, i, &p->share[i], &e) == 0);
	assert(doc_plan_write(f, p, &e) == 0);
	fclose(f);
	assert(read_plan(text, len, &again, &e) == 0);
	assert(again.nodes == p->nodes && again.n == p->n);
	assert(again.makespan == p->makespan && again.bound == p->bound);
	assert(strcmp(again.method, p->method) == 0);
	plan_fini(&again);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct plan p;
	struct hp_err e = { 0 };

	if (read_plan(bytes, len, &p, &e) == 0) {
		round_trip(&p);
		plan_fini(&p);
	} else
		assert(e.kind == HP_INPUT && e.text[0] != '\0');
	return 0;
}
