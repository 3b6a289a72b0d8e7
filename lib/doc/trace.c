#include <stdlib.h>
#include <string.h>

#include "doc/lines.h"
#include "doc/trace.h"
#include "doc/values.h"

int
doc_step_write(FILE *f, const struct trace_step *s, struct hp_err *e)
{
	json_t *o = json_pack("{s:s, s:s, s:o, s:s, s:f, s:f, s:I, s:I}",
	    "type", "step", "node", s->node, "rank",
	    s->launcher ? json_null() : json_integer((json_int_t)s->rank),
	    "step", s->name, "start_s", s->start_s, "end_s", s->end_s,
	    "records", (json_int_t)s->records, "bytes", (json_int_t)s->bytes);
	bool bad = s->run != NULL &&
	    json_object_set_new(o, "run", json_string(s->run)) == -1;

	return doc_put_unless(f, bad, o, e);
}

int
doc_step_append(const char *path, const struct trace_step *s, struct hp_err *e)
{
	FILE *f = fopen(path, "ae");
	int rc;

	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "%s", path);
	/*
	 * Write the line in one call, so that lines of other writers cannot
	 * split it.
	 */
	rc = doc_step_write(f, s, e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	return rc;
}

int
doc_trace_last(
    const char *path, uint64_t *records, uint64_t *bytes, struct hp_err *e)
{
	struct doc_in d;
	uint64_t n, b;
	int rc;

	*records = *bytes = 0;
	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		if (strcmp(d.type, "step") != 0) {
			rc = doc_unexpected(&d, "a step", e);
			break;
		}
		if (doc_u64(&d, "records", DOC_REQUIRED, &n, e) == -1 ||
		    doc_u64(&d, "bytes", DOC_REQUIRED, &b, e) == -1) {
			rc = -1;
			break;
		}
		*records = n;
		*bytes = b;
	}
	doc_close(&d);
	return rc;
}

struct steps {
	int (*each)(void *context, const struct trace_step *, struct hp_err *);
	void *context;
};

static int
read_step(const struct doc_in *d, struct trace_step *s, char **node,
    char **name, struct hp_err *e)
{
	int ranked;

	if (strcmp(d->type, "step") != 0)
		return doc_unexpected(d, "a step", e);
	if (doc_string(d, "node", DOC_REQUIRED, node, e) == -1 ||
	    doc_string(d, "step", DOC_REQUIRED, name, e) == -1 ||
	    doc_number(d, "start_s", DOC_REQUIRED, &s->start_s, e) == -1 ||
	    doc_number(d, "end_s", DOC_REQUIRED, &s->end_s, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &s->records, e) == -1 ||
	    doc_u64(d, "bytes", DOC_REQUIRED, &s->bytes, e) == -1 ||
	    (ranked = doc_u64(d, "rank", DOC_OPTIONAL, &s->rank, e)) == -1)
		return -1;
	s->launcher = ranked == 0;
	s->node = *node;
	s->name = *name;
	return 0;
}

static int
take_step(struct doc_in *d, void *context, struct hp_err *e)
{
	const struct steps *steps = context;
	struct trace_step s = { 0 };
	char *node = NULL, *name = NULL;
	int rc = read_step(d, &s, &node, &name, e);

	if (rc == 0)
		rc = steps->each(steps->context, &s, e);
	free(node);
	free(name);
	return rc;
}

int
doc_trace_each(const char *path,
    int (*each)(void *context, const struct trace_step *, struct hp_err *),
    void *context, struct hp_err *e)
{
	struct steps steps = { each, context };

	return doc_each(path, take_step, &steps, e);
}
