#include "doc/simulation.h"
#include "doc/lines.h"

int
doc_simulation_write(FILE *f, const struct simulation *s, struct hp_err *e)
{
	return doc_put(f,
	    json_pack("{s:s, s:I, s:I, s:s, s:o, s:I, s:o}", "type",
		"simulation", "n", (json_int_t)s->n, "nodes",
		(json_int_t)s->nodes, "algorithm", s->algorithm,
		"bytes_per_item", doc_number_new(s->item_bytes), "groups",
		(json_int_t)s->groups, "makespan", doc_number_new(s->makespan)),
	    e);
}
