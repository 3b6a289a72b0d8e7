/* hp-cluster(5): any cluster that can be read can be solved, or is rejected. */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/cluster.h"
#include "share/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
solve(struct cluster *c)
{
	struct cost cost = { 0 };
	struct answer a;
	struct hp_err e = { 0 };
	uint64_t sum = 0;
	size_t rank;

	assert(c->n > 0);
	for (size_t i = 0; i < c->n; i++)
		assert(
		    cluster_named(c, c->node[i].name, &rank) == 0 && rank == i);
	assert(cost_parse(COST_DEFAULT, &cost, &e) == 0);
	if (cluster_cut(c, "width", 1500, &e) == -1)
		assert(e.kind == HP_USAGE);
	if (cluster_flat(c, &e) == -1)
		assert(e.kind == HP_INPUT);
	cluster_set_cost(c, &cost);
	if (share_solve(
		&(struct problem){ c, 1000003, 0 }, METHOD_AUTO, &a, &e) == 0) {
		for (size_t i = 0; i < c->n; i++)
			sum += a.n[i];
		assert(sum == 1000003);
		assert(isfinite(a.proof.makespan));
		answer_fini(&a);
	} else
		assert(e.kind == HP_USAGE || e.kind == HP_INPUT ||
		    e.kind == HP_NOSHARE);
	cost_fini(&cost);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct cluster c;
	struct hp_err e = { 0 };
	char path[32];

	if (fd == -1 || io_write(fd, bytes, len) == -1)
		abort();
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	if (doc_cluster_read(path, &c, &e) == 0) {
		solve(&c);
		cluster_fini(&c);
	} else
		assert(e.kind == HP_INPUT && e.text[0] != '\0');
	close(fd);
	return 0;
}
