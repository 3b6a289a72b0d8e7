#include <math.h>

#include "doc/lines.h"
#include "doc/links.h"
#include "doc/profile.h"

/*
 * Makes the JSON object of a measured point. A single run has no confidence
 * interval.
 */
static json_t *
point(const struct sample *m)
{
	json_t *o = json_pack("{s:I, s:o, s:o, s:o, s:I}", "n",
	    (json_int_t)m->n, "seconds", doc_number_new(m->seconds), "low",
	    doc_number_new(m->low), "high", doc_number_new(m->high), "runs",
	    (json_int_t)m->runs);

	if (isfinite(m->interval) &&
	    json_object_set_new(o, "interval_s", doc_number_new(m->interval)) ==
		-1) {
		json_decref(o);
		return NULL;
	}
	return o;
}

static json_t *
points(const struct profile *p)
{
	json_t *array = json_array();

	for (size_t i = 0; i < p->n; i++) {
		if (json_array_append_new(array, point(&p->sample[i])) == -1) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* Makes the line without the measurements. */
static json_t *
head(const struct profile_node *node, struct hp_err *e)
{
	const char *fault = doc_name_fault(node->name);
	json_t *o, *params = json_object();
	int rc = 0;

	for (size_t i = 0; i < node->nparams; i++)
		rc |= json_object_set_new(params, node->param[i].name,
		    doc_number_new(node->param[i].value));
	o = json_pack("{s:s, s:s, s:s}", "type", "node", "node", node->name,
	    "workload", node->workload);
	if (node->nparams > 0)
		rc |= json_object_set(o, "params", params);
	json_decref(params);
	if (fault == NULL && rc == 0 && o != NULL)
		return o;
	json_decref(o);
	if (fault != NULL)
		hp_fail(e, HP_USAGE, "name '%.255s': %s", node->name, fault);
	else
		hp_fail(e, HP_USAGE, "names and words must be UTF-8");
	return NULL;
}

int
doc_profile_check(const struct profile_node *node, struct hp_err *e)
{
	json_t *o = head(node, e);

	json_decref(o);
	return o == NULL ? -1 : 0;
}

int
doc_profile_write(FILE *f, const struct profile_node *node, struct hp_err *e)
{
	const struct profile *p = node->profile;
	json_t *o = head(node, e);
	int bad = 0;

	if (o == NULL)
		return -1;
	if (node->key != NULL)
		bad |= json_object_set_new(o, "key", json_string(node->key));
	if (p->failed > 0)
		bad |= json_object_set_new(o, "capacity",
		    json_integer((json_int_t)p->sample[p->n - 1].n));
	bad |= json_object_set_new(o, "points", points(p));
	return doc_put_unless(f, bad, o, e);
}

int
doc_link_check(const char *name, const char *host, struct hp_err *e)
{
	const char *fault = doc_name_fault(name);

	if (fault == NULL)
		fault = doc_name_fault(host);
	if (fault == NULL && host[0] == '-')
		fault = "must not begin with '-'";
	return fault == NULL ? 0
			     : hp_fail(e, HP_USAGE, "'%.255s' %s", host, fault);
}

int
doc_link_write(FILE *f, const char *name, const char *host,
    const struct link_rates *r, struct hp_err *e)
{
	const struct link link = { true, r->send, r->receive, r->latency_s };

	return doc_put(f,
	    json_pack("{s:s, s:s, s:s, s:o}", "type", "node", "node", name,
		"host", host, "link", doc_link_new(&link)),
	    e);
}
