#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "doc/weights.h"

static int
add(struct weights *w, double weight, const char *name, struct hp_err *e)
{
	const double most = COUNT_MOST;
	struct prefix all = { 0 };

	if (w->n > 0)
		all = w->sum[w->n];
	all = prefix_add(all, weight);
	if (all.sum > most || (all.sum == most && all.rest > 0))
		return hp_fail(e, HP_INPUT,
		    "%.200s:%ju: the sum of the weights exceeds 2^53", name,
		    (uintmax_t)w->n + 1);
	if (ARRAY_ROOM(w->sum, w->n + 1, w->cap) == -1)
		return hp_fail(e, HP_NOMEM, "weights");
	w->sum[0] = (struct prefix){ 0 };
	w->sum[++w->n] = all;
	return 0;
}

static int
add_line(struct weights *w, char *line, const char *name, struct hp_err *e)
{
	char *text = line + strspn(line, " \t"), *end;
	double weight = strtod(text, &end);
	bool number = end != text && end[strspn(end, " \t\r\n")] == '\0';

	if (!number || !isfinite(weight) || weight < 0)
		return hp_fail(e, HP_INPUT,
		    "%.200s:%ju: '%.64s' must be a number of at least 0", name,
		    (uintmax_t)w->n + 1, (line[strcspn(line, "\n")] = 0, line));
	return add(w, weight, name, e);
}

int
doc_weights_read(const char *path, struct weights *w, struct hp_err *e)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard input" : path;
	FILE *f = standard ? stdin : fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	*w = (struct weights){ 0 };
	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "%.256s", path);
	while (rc == 0 && getline(&line, &size, f) != -1)
		rc = add_line(w, line, name, e);
	if (rc == 0 && ferror(f))
		rc = hp_fail_errno(e, HP_IO, "%.256s", name);
	if (!standard)
		fclose(f);
	free(line);
	if (rc == -1)
		weights_fini(w);
	return rc;
}

void
weights_fini(struct weights *w)
{
	free(w->sum);
	*w = (struct weights){ 0 };
}
