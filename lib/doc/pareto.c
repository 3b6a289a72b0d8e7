#include "doc/lines.h"
#include "doc/pareto.h"

int
doc_pareto_write(FILE *f, const struct pareto_plan *p, uint64_t block,
    size_t nodes, struct hp_err *e)
{
	json_t *array = json_array();
	bool bad = array == NULL;

	for (size_t i = 0; i < nodes && !bad; i++)
		bad = json_array_append_new(
			  array, json_integer((json_int_t)p->n[i])) == -1;
	if (bad) {
		json_decref(array);
		return hp_fail(e, HP_NOMEM, "document");
	}
	return doc_put(f,
	    json_pack("{s:s, s:o, s:o, s:o, s:I, s:o}", "type", "pareto",
		"makespan", doc_number_new(p->makespan), "energy",
		doc_number_new(p->energy), "bound", doc_number_new(p->bound),
		"block", (json_int_t)block, "by_rank", array),
	    e);
}
