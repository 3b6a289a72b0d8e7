#include <stdio.h>
#include <stdlib.h>

#include "collect.h"
#include "doc/extents.h"
#include "doc/parts.h"
#include "file.h"
#include "words.h"

bool
collects(const struct run *run, size_t rank)
{
	return run->collected &&
	    (run->node[rank].host != NULL || batches_return(run));
}

/*
 * Adds the bytes that node `from` has sent to each node to the sizes of the
 * results of these nodes.
 */
static int
add_sent(struct collect *c, size_t from, struct hp_err *e)
{
	struct part_sums l = { 0 };
	char name[32];
	int rc;

	snprintf(name, sizeof name, "sums.%zu", from);
	rc = doc_sums_read(name, from, &l, e);
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.v[i].to >= c->nodes ||
		    __builtin_add_overflow(c->bytes[l.v[i].to], l.v[i].bytes,
			&c->bytes[l.v[i].to]))
			rc = hp_fail(e, HP_INPUT,
			    "%s: a checksum belongs to no node of this run",
			    name);
	part_sums_fini(&l);
	return rc;
}

int
collect_begin(struct run *run, struct collect *c, struct hp_err *e)
{
	uint64_t at = run->header_bytes;

	*c = (struct collect){ .nodes = run->nodes };
	c->tap = calloc(run->nodes, sizeof *c->tap);
	c->bytes = calloc(run->nodes, sizeof *c->bytes);
	c->at = calloc(run->nodes, sizeof *c->at);
	if (c->tap == NULL || c->bytes == NULL || c->at == NULL)
		return hp_fail_errno(e, HP_NOMEM, "parts");
	for (size_t i = 0; i < run->nodes; i++)
		if (divides_by_key(run))
			c->bytes[i] = run->node[i].bytes;
		else if (add_sent(c, i, e) == -1)
			return -1;
	for (size_t i = 0; i < run->nodes; i++) {
		checktap_init(&c->tap[i], &run->o.order);
		checktap_name(&c->tap[i], i);
		c->at[i] = at;
		at += c->bytes[i];
	}
	return 0;
}

void
collect_fini(struct collect *c)
{
	for (size_t i = 0; c->tap != NULL && i < c->nodes; i++)
		checktap_fini(&c->tap[i]);
	free(c->tap);
	free(c->bytes);
	free(c->at);
	*c = (struct collect){ 0 };
}

struct port
collect_port(const struct run *run, const struct collect *c, size_t rank)
{
	struct port p = port_part(run->beside, c->at[rank], c->bytes[rank]);

	p.tap = &c->tap[rank].tap;
	p.claimed = !divides_by_key(run);
	return p;
}

int
collect_end(struct run *run, const struct collect *c, struct hp_err *e)
{
	for (size_t i = 0; i < c->nodes; i++) {
		if (!collects(run, i))
			continue;
		/*
		 * If a node's part is shorter than planned, the result has a
		 * hole.
		 */
		if (c->tap[i].bytes != c->bytes[i]) {
			run_say(run,
			    "%s: the records in out are not those sent to the "
			    "node",
			    run->node[i].name);
			return run_not_proven(run, e);
		}
		if (file_piece(i, c->bytes[i], e) == -1)
			return -1;
	}
	return 0;
}
