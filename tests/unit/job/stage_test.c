/*
 * A stage keeps all steps and actions that are added, however large it grows.
 */

#include "job/stage.h"
#include "test.h"

static void
a_step_has_its_actions_in_order(void)
{
	struct stage s;
	struct words w;
	struct step *step;

	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "hpsort");
	words_addf(&w, "-S%d", 5);
	step = stage_step(&s, 3, "sort");
	stage_put(&s, step, "input", 10, 20, "part");
	stage_run(&s, step, port_node("part"), port_none(), &w);
	stage_size(&s, step, "sorted");
	stage_rename(&s, step, "sorted", "result");
	stage_skip_if(&s, step, "result", "");
	stage_files(&s, step, ACT_REMOVE, &w);
	stage_get(
	    &s, step, "result", 0, ACTION_TO_END, port_file("out"), 1 << 20);
	CHECK_EQ_U64(s.n, 1);
	CHECK(s.step[0] == step);
	CHECK_EQ_I64(step->rank, 3);
	CHECK_EQ_STR(step->name, "sort");
	REQUIRE(step->nactions == 7);
	CHECK_EQ_U64(step->action[0].kind, ACT_PUT);
	CHECK_EQ_STR(step->action[0].launcher.file, "input");
	CHECK_EQ_U64(step->action[0].offset, 10);
	CHECK_EQ_U64(step->action[0].bytes, 20);
	CHECK_EQ_STR(step->action[0].node, "part");
	CHECK_EQ_STR(step->action[1].words[0], "hpsort");
	CHECK_EQ_STR(step->action[1].words[1], "-S5");
	CHECK(step->action[1].words[2] == NULL);
	CHECK_EQ_U64(step->action[1].in.kind, PORT_NODE);
	CHECK_EQ_U64(step->action[1].out.kind, PORT_NONE);
	CHECK_EQ_STR(step->action[2].node, "sorted");
	CHECK_EQ_STR(step->action[3].words[0], "sorted");
	CHECK_EQ_STR(step->action[3].words[1], "result");
	CHECK_EQ_STR(step->action[4].words[1], "");
	CHECK_EQ_U64(step->action[5].kind, ACT_REMOVE);
	CHECK_EQ_U64(step->action[6].at, 1 << 20);
	CHECK_EQ_U64(step->action[6].launcher.kind, PORT_FILE);
	CHECK(!s.nomem);
	stage_fini(&s);
}

static void
texts_are_copied(void)
{
	char name[] = "one";
	const char *text, *list[] = { name, NULL };
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	words_add_all(&w, list);
	words_add_all(&w, NULL);
	text = stage_text(&s, "%s.%d", name, 1);
	stage_put(&s, stage_step(&s, 0, name), name, 0, 1, name);
	memcpy(name, "two", sizeof name);
	CHECK_EQ_STR(text, "one.1");
	CHECK_EQ_STR(w.v[0], "one");
	CHECK_EQ_STR(s.step[0]->name, "one");
	CHECK_EQ_STR(s.step[0]->action[0].node, "one");
	CHECK_EQ_STR(s.step[0]->action[0].launcher.file, "one");
	stage_fini(&s);
}

static void
a_large_stage_is_whole(void)
{
	struct stage s;
	struct words w;
	struct step *step;
	char *megabyte = malloc((1 << 20) + 1);
	char text[32];

	REQUIRE(megabyte != NULL);
	memset(megabyte, 'x', 1 << 20);
	megabyte[1 << 20] = '\0';
	stage_init(&s);
	w = words_of(&s);
	for (int i = 0; i < 10000; i++)
		words_addf(&w, "word %d", i);
	CHECK_EQ_U64(w.n, 10000);
	for (int r = 0; r < 3000; r++) {
		step = stage_step(&s, r, "step");
		for (int i = 0; i < 9; i++)
			stage_size(
			    &s, step, stage_text(&s, "file.%d.%d", r, i));
	}
	CHECK_EQ_U64(strlen(stage_text(&s, "%s", megabyte)), 1 << 20);
	CHECK(w.v[10000] == NULL);
	for (int i = 0; i < 10000; i += 999) {
		snprintf(text, sizeof text, "word %d", i);
		CHECK_EQ_STR(w.v[i], text);
	}
	CHECK_EQ_U64(s.n, 3000);
	for (int r = 0; r < 3000; r += 299) {
		CHECK_EQ_I64(s.step[r]->rank, r);
		CHECK_EQ_U64(s.step[r]->nactions, 9);
		snprintf(text, sizeof text, "file.%d.8", r);
		CHECK_EQ_STR(s.step[r]->action[8].node, text);
	}
	CHECK(!s.nomem);
	stage_fini(&s);
	free(megabyte);
}

/* Functions that add to a stage do not fail; the stage records that memory ran
 * out. */
static void
without_memory_nothing_fails(void)
{
	struct stage s;
	struct words w;
	struct step *step;

	stage_init(&s);
	s.nomem = true;
	w = words_of(&s);
	words_add(&w, "hpsort");
	step = stage_step(&s, 1, "sort");
	step->asks = true;
	stage_run(&s, step, port_none(), port_none(), &w)->size = 1;
	CHECK_EQ_STR(stage_text(&s, "x"), "");
	CHECK(s.nomem);
	CHECK_EQ_U64(s.n, 0);
	stage_fini(&s);
}

int
main(void)
{
	RUN(a_step_has_its_actions_in_order);
	RUN(texts_are_copied);
	RUN(a_large_stage_is_whole);
	RUN(without_memory_nothing_fails);
	return test_done();
}
