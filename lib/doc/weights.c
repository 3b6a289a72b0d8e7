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
add(struct weights *w, long double *all, double weight, struct hp_err *e)
{
	if (ARRAY_ROOM(w->sum, w->n + 1, w->cap) == -1)
		return hp_fail(e, HP_NOMEM, "weights");
	/*
	 * A long double has more bits than a double, so the sum of the sizes of
	 * files stays exact.
	 */
	*all += weight;
	w->sum[0] = 0;
	w->sum[++w->n] = (double)*all;
	return 0;
}

static int
add_line(struct weights *w, long double *all, char *line, const char *name,
    struct hp_err *e)
{
	char *text = line + strspn(line, " \t"), *end;
	double weight = strtod(text, &end);
	bool number = end != text && end[strspn(end, " \t\r\n")] == '\0';

	if (!number || !isfinite(weight) || weight < 0)
		return hp_fail(e, HP_INPUT,
		    "%.200s:%ju: '%.64s' must be a number of at least 0", name,
		    (uintmax_t)w->n + 1, (line[strcspn(line, "\n")] = 0, line));
	if (*all + weight > COUNT_MOST)
		return hp_fail(e, HP_INPUT,
		    "%.200s:%ju: the sum of the weights exceeds 2^53", name,
		    (uintmax_t)w->n + 1);
	return add(w, all, weight, e);
}

int
doc_weights_read(const char *path, struct weights *w, struct hp_err *e)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard input" : path;
	FILE *f = standard ? stdin : fopen(path, "re");
	long double all = 0;
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	*w = (struct weights){ 0 };
	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "%.256s", path);
	while (rc == 0 && getline(&line, &size, f) != -1)
		rc = add_line(w, &all, line, name, e);
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
