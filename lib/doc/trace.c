#include "doc/lines.h"
#include "doc/trace.h"

int
doc_step_append(const char *path, const struct trace_step *s, struct hp_err *e)
{
	FILE *f = fopen(path, "ae");
	int rc;

	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "%s", path);
	/* So short a line goes out in one write, not mixed with another's. */
	rc = doc_put(f,
	    json_pack("{s:s, s:s, s:I, s:s, s:f, s:f, s:I, s:I}", "type",
		"step", "node", s->node, "rank", (json_int_t)s->rank, "step",
		s->name, "start_s", s->start_s, "end_s", s->end_s, "records",
		(json_int_t)s->records, "bytes", (json_int_t)s->bytes),
	    e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	return rc;
}
