#include "doc/lines.h"
#include "doc/profile.h"

static json_t *
points(const struct profile *p)
{
	json_t *array = json_array();

	for (size_t i = 0; i < p->n; i++) {
		const struct sample *m = &p->sample[i];

		if (json_array_append_new(array,
			json_pack("{s:I, s:o, s:o, s:o, s:I}", "n",
			    (json_int_t)m->n, "seconds",
			    doc_number_new(m->seconds), "low",
			    doc_number_new(m->low), "high",
			    doc_number_new(m->high), "runs",
			    (json_int_t)m->runs)) == -1) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *
params(const struct profile_node *node)
{
	json_t *o = json_object();

	for (size_t i = 0; i < node->nparams; i++)
		json_object_set_new(o, node->param[i].name,
		    doc_number_new(node->param[i].value));
	return o;
}

int
doc_profile_write(FILE *f, const struct profile_node *node, struct hp_err *e)
{
	const struct profile *p = node->profile;
	json_t *o = json_pack("{s:s, s:s, s:s}", "type", "node", "node",
	    node->name, "workload", node->workload);

	if (o == NULL)
		return hp_fail(e, HP_INPUT, "names must be UTF-8");
	if (node->nparams > 0)
		json_object_set_new(o, "params", params(node));
	if (p->failed > 0)
		json_object_set_new(o, "capacity",
		    json_integer((json_int_t)p->sample[p->n - 1].n));
	json_object_set_new(o, "points", points(p));
	return doc_put(f, o, e);
}
