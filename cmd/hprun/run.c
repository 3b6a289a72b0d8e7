#include <sys/random.h>
#include <sys/stat.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/launcher_stage.h"
#include "print.h"
#include "progress.h"
#include "run.h"

enum {
	TAG_BYTES = 6
};

int
run_and_keep(struct run *run, struct stage *s, struct hp_err *e)
{
	if (run->o.dry)
		return print_stage(run, s, e);
	return launcher_stage(run->launcher, s, &run->outcome, e);
}

int
run_stage(struct run *run, struct stage *s, struct hp_err *e)
{
	int rc = run_and_keep(run, s, e);

	stage_fini(s);
	return rc;
}

int
run_do(struct run *run, struct stage *s, const char *step,
    const struct words *w,
    int (*function)(const char *const *word, struct hp_err *), struct hp_err *e)
{
	int rc;

	if (run->o.dry)
		return run_alone(run, s, step, port_none(), w, e);
	/* The words of the step itself follow `hprun --do NAME`. */
	rc = s->nomem ? hp_fail(e, HP_NOMEM, "out of memory")
		      : function(w->v + 3, e);
	stage_fini(s);
	return rc;
}

int
run_alone(struct run *run, struct stage *s, const char *name, struct port out,
    const struct words *w, struct hp_err *e)
{
	stage_run(s, stage_step(s, STEP_LAUNCHER, name), port_none(), out, w);
	return run_stage(run, s, e);
}

int
run_ask(struct run *run, struct stage *s, const char *name, struct port out,
    const struct words *w, bool *yes, struct hp_err *e)
{
	struct step *step = stage_step(s, STEP_LAUNCHER, name);
	int rc;

	stage_run(s, step, port_none(), out, w);
	if (step != NULL)
		step->asks = true;
	rc = run_and_keep(run, s, e);
	*yes = rc == 0 && step != NULL && step->answer == 0;
	stage_fini(s);
	return rc;
}

void
run_say(const struct run *run, const char *fmt, ...)
{
	char text[HP_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	progress_say(run, "hprun", text);
}

void
run_suggest_transport(struct run *run)
{
	const struct outcome *o = &run->outcome;

	/* A run that fails early has no transport yet. */
	if (!run->suggested && run->remote && run->transport != NULL &&
	    run->transport->ports && o->kind == OUTCOME_FAILED &&
	    o->code == EXIT_LOST && strcmp(o->step, "exchange") == 0) {
		run->suggested = true;
		run_say(run,
		    "nodes that cannot reach each other's ports may exchange "
		    "by --transport ssh");
	}
}

int
run_not_proven(struct run *run, struct hp_err *e)
{
	run->unproven = true;
	run->outcome = (struct outcome){ .kind = OUTCOME_FAILED,
		.rank = STEP_LAUNCHER,
		.step = "prove",
		.code = EXIT_TROUBLE };
	return hp_fail(e, HP_INPUT, "launcher: prove: failed");
}

const char *
run_tag(struct run *run)
{
	unsigned char bytes[TAG_BYTES] = { 0 };

	if (run->tag != NULL)
		return run->tag;
	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes ||
	    (run->tag = malloc(2 * TAG_BYTES + 1)) == NULL)
		return "0";
	for (size_t i = 0; i < TAG_BYTES; i++)
		sprintf(run->tag + 2 * i, "%02x", bytes[i]);
	return run->tag;
}

int
run_header_size(struct run *run, struct hp_err *e)
{
	struct stat st;

	if (stat("header", &st) == -1)
		return hp_fail_errno(e, HP_IO, "header");
	run->header_bytes = (uint64_t)st.st_size;
	return 0;
}
