#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doc/lines.h"
#include "doc/without.h"

int
doc_without_append(
    const char *path, const char *const *name, size_t n, struct hp_err *e)
{
	json_t *list = json_array();
	bool bad = list == NULL;
	FILE *f = fopen(path, "ae");
	int rc;

	if (f == NULL) {
		json_decref(list);
		return hp_fail_errno(e, HP_IO, "%s", path);
	}
	for (size_t i = 0; !bad && i < n; i++)
		bad = json_array_append_new(list, json_string(name[i])) == -1;
	rc = doc_put_unless(f, bad,
	    json_pack("{s:s, s:o}", "type", "without", "nodes", list), e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	return rc;
}

static int
read_line(const struct doc_in *d, void (*lost)(void *, char *), void *context,
    size_t *broken, struct hp_err *e)
{
	json_t *list = json_object_get(d->object, "nodes"), *value;
	size_t i;
	char *name;

	if (strcmp(d->type, "without") != 0)
		return doc_unexpected(d, "nodes that were lost", e);
	if (!json_is_array(list))
		return doc_fail(d, e, "'nodes' must be an array");
	if (json_array_size(list) == 0)
		(*broken)++;
	json_array_foreach(list, i, value)
	{
		if (!json_is_string(value))
			return doc_fail(d, e, "'nodes' must be strings");
		if ((name = strdup(json_string_value(value))) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "%s", d->name);
		lost(context, name);
	}
	return 0;
}

int
doc_without_read(const char *path, void (*lost)(void *, char *name),
    void *context, size_t *broken, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	*broken = 0;
	if (access(path, F_OK) == -1 && errno == ENOENT)
		return 0;
	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if (read_line(&d, lost, context, broken, e) == -1) {
			rc = -1;
			break;
		}
	doc_close(&d);
	return rc;
}
