#include <stdlib.h>

#include "doc/stages.h"
#include "doc/values.h"

static bool
is_seconds(const json_t *v)
{
	return json_is_number(v) && json_number_value(v) >= 0;
}

static int
read_nodes(const struct doc_in *d, size_t nodes, struct plan_stage *s,
    struct hp_err *e)
{
	json_t *array = json_object_get(d->object, "by_rank"), *v;
	size_t i;

	if (!json_is_array(array) || json_array_size(array) != nodes)
		return doc_fail(d, e,
		    "'by_rank' must be an array with the seconds of %zu nodes",
		    nodes);
	s->node = calloc(nodes + 1, sizeof *s->node);
	if (s->node == NULL)
		return hp_fail(e, HP_NOMEM, "%.256s", d->name);
	json_array_foreach(array, i, v)
	{
		if (!is_seconds(v))
			return doc_fail(
			    d, e, "'by_rank' must be numbers, none negative");
		s->node[i] = json_number_value(v);
	}
	return 0;
}

int
doc_stage_read(const struct doc_in *d, struct plan *p, struct hp_err *e)
{
	struct plan_stage *s = plan_stage_add(p, e);

	if (s == NULL ||
	    doc_string(d, "stage", DOC_REQUIRED, &s->name, e) == -1 ||
	    doc_number(d, "seconds", DOC_REQUIRED, &s->seconds, e) == -1 ||
	    doc_number(d, "launcher", DOC_OPTIONAL, &s->launcher, e) == -1)
		return -1;
	if (s->seconds < 0 || s->launcher < 0)
		return doc_fail(d, e, "seconds must not be negative");
	return read_nodes(d, p->nodes, s, e);
}

int
doc_stage_write(
    FILE *f, const struct plan_stage *s, size_t nodes, struct hp_err *e)
{
	json_t *array = json_array();
	bool bad = array == NULL;

	for (size_t i = 0; i < nodes && !bad; i++)
		bad = json_array_append_new(
			  array, doc_number_new(s->node[i])) == -1;
	if (bad) {
		json_decref(array);
		return hp_fail(e, HP_NOMEM, "document");
	}
	return doc_put(f,
	    json_pack("{s:s, s:s, s:o, s:o, s:o}", "type", "stage", "stage",
		s->name, "seconds", doc_number_new(s->seconds), "launcher",
		doc_number_new(s->launcher), "by_rank", array),
	    e);
}
