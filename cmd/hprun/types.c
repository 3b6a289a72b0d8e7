#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc/types.h"
#include "file.h"
#include "files.h"
#include "profile/key.h"
#include "types.h"
#include "words.h"

static int
ask_keys(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		WORDS_ADD(&w, "hpprofile", "key");
		stage_run(&s, stage_step(&s, (int)i, "setup"), port_none(),
		    port_file(nth(&s, "key", i)), &w);
	}
	return run_stage(run, &s, e);
}

/* Reads the profile key of a node.  The caller frees it. */
static char *
read_key(const struct run *run, size_t rank, struct hp_err *e)
{
	char name[64], line[KEY_BYTES + 1] = "";
	FILE *f;

	snprintf(name, sizeof name, "key.%zu", rank);
	if ((f = fopen(name, "re")) != NULL) {
		if (fgets(line, sizeof line, f) == NULL)
			line[0] = '\0';
		fclose(f);
	}
	if (line[0] != '\0' && strchr(line, '\n') != NULL) {
		*strchr(line, '\n') = '\0';
		return strdup(line);
	}
	hp_fail(e, HP_INPUT, "%s: has no profile key", run->node[rank].name);
	return NULL;
}

int
types_apply(struct run *run, struct hp_err *e)
{
	struct file_out f;
	char **key, *types;
	int rc = 0;

	if (run->o.profile_key == NULL)
		return 0;
	if (ask_keys(run, e) == -1)
		return -1;
	types = files_absolute(run, run->o.profile_key, e);
	key = calloc(run->nodes, sizeof *key);
	if (types == NULL || key == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "nodes");
	for (size_t i = 0; rc == 0 && i < run->nodes; i++)
		if ((key[i] = read_key(run, i, e)) == NULL)
			rc = -1;
	if (rc == 0 && (rc = file_begin(&f, "nodes.jsonl", e)) == 0)
		rc = file_end(&f,
		    doc_types_apply(
			"nodes.jsonl", types, key, run->nodes, f.file, e),
		    e);
	for (size_t i = 0; key != NULL && i < run->nodes; i++)
		free(key[i]);
	free(key);
	free(types);
	return rc;
}
