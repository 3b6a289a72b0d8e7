/* Documents of steps: batches (doc/batches.h) and traces (doc/trace.h). */

#include <sys/mman.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doc/batches.h"
#include "doc/trace.h"
#include "doc_file.h"
#include "test.h"

#define BATCH                                                           \
	"{\"type\":\"batch\",\"step\":\"sort\",\"batch\":3,\"rank\":1," \
	"\"offset\":40,\"bytes\":20,\"records\":2}\n"
#define STEP                                                              \
	"{\"type\":\"step\",\"node\":\"a\",\"rank\":0,\"step\":\"sort\"," \
	"\"start_s\":1,\"end_s\":2,\"records\":5,\"bytes\":70}\n"

/* Sets text to the line without one of its members. */
static void
without(char *text, const char *line, const char *member)
{
	char name[20], *s, *end;

	snprintf(name, sizeof name, "\"%s\":", member);
	strcpy(text, line);
	REQUIRE((s = strstr(text, name)) != NULL);
	end = s + strcspn(s, ",}");
	if (*end == ',')
		memmove(s, end + 1, strlen(end));
	else
		memmove(s - 1, end, strlen(end) + 1);
}

static void
batches_are_read_as_they_were_written(void)
{
	struct batch_steps l = { 0 };
	struct hp_err e = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	REQUIRE(f != NULL);
	for (uint64_t i = 0; i < 40; i++) {
		const struct batch_step b = { .sends = i % 3 == 0,
			.batch = i,
			.of = { .rank = i % 5,
			    .offset = 100 * i,
			    .bytes = 100 - i,
			    .records = i + 7 } };

		CHECK(doc_batch_write(f, &b, &e) == 0);
	}
	fclose(f);
	REQUIRE(doc_batches_read(file_of(text), &l, &e) == 0);
	REQUIRE(l.n == 40);
	for (uint64_t i = 0; i < 40; i++) {
		CHECK(l.v[i].sends == (i % 3 == 0));
		CHECK_EQ_U64(l.v[i].batch, i);
		CHECK_EQ_U64(l.v[i].of.sublist, i);
		CHECK_EQ_U64(l.v[i].of.rank, i % 5);
		CHECK_EQ_U64(l.v[i].of.offset, 100 * i);
		CHECK_EQ_U64(l.v[i].of.bytes, 100 - i);
		CHECK_EQ_U64(l.v[i].of.records, i + 7);
	}
	batch_steps_fini(&l);
	free(text);
}

/* A good line behind a bad one does not help. */
static void
batches_without_their_members_are_refused(void)
{
	static const char *const member[] = { "type", "step", "batch", "rank",
		"offset", "bytes", "records" };
	unsigned before = test_descriptors();
	struct batch_steps l = { 0 };
	struct hp_err e = { 0 };
	char text[2 * sizeof BATCH];

	CHECK(doc_batches_read("/nowhere", &l, &e) == 0 && l.n == 0);
	CHECK(doc_batches_read("/dev/null/x", &l, &e) == -1 && e.kind == HP_IO);
	CHECK_EQ_U64(test_descriptors(), before);
	for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
		without(text, BATCH, member[i]);
		strcat(text, BATCH);
		e = (struct hp_err){ 0 };
		l.n = 0;
		CHECK(doc_batches_read(file_of(text), &l, &e) == -1);
		CHECK(e.kind == HP_INPUT && strstr(e.text, member[i]) != NULL);
		CHECK_EQ_U64(l.n, 0);
	}
	CHECK(doc_batches_read(file_of(STEP BATCH), &l, &e) == -1);
	CHECK(strstr(e.text, "expected a batch") != NULL);
	CHECK(doc_batches_read(file_of(BATCH), &l, &e) == 0 && l.n == 1);
	batch_steps_fini(&l);
	CHECK(l.v == NULL && l.n == 0 && l.cap == 0);
	/* file_of keeps its last file open. */
	CHECK_EQ_U64(test_descriptors(), before);
}

static void
the_last_step_of_a_trace(void)
{
	static const char *const member[] = { "type", "records", "bytes" };
	unsigned before = test_descriptors();
	struct hp_err e = { 0 };
	uint64_t records, bytes;
	char text[2 * sizeof STEP];

	REQUIRE(doc_trace_last(file_of(STEP STEP), &records, &bytes, &e) == 0);
	CHECK_EQ_U64(records, 5);
	CHECK_EQ_U64(bytes, 70);
	REQUIRE(doc_trace_last(file_of(""), &records, &bytes, &e) == 0);
	CHECK(records == 0 && bytes == 0);
	CHECK(doc_trace_last("/nowhere", &records, &bytes, &e) == -1);
	CHECK(e.kind == HP_IO);
	for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
		without(text, STEP, member[i]);
		strcat(text, STEP);
		e = (struct hp_err){ 0 };
		CHECK(
		    doc_trace_last(file_of(text), &records, &bytes, &e) == -1);
		CHECK(e.kind == HP_INPUT && strstr(e.text, member[i]) != NULL);
	}
	CHECK(doc_trace_last(file_of(BATCH STEP), &records, &bytes, &e) == -1);
	CHECK(strstr(e.text, "expected a step") != NULL);
	CHECK_EQ_U64(test_descriptors(), before);
}

/* Steps that were read: their names, and the ranks of those that have one. */
struct read {
	char text[200];
	unsigned left; /* steps until the function fails */
};

static int
note_step(void *context, const struct trace_step *s, struct hp_err *e)
{
	struct read *r = context;
	size_t at = strlen(r->text);

	if (r->left-- == 0)
		return hp_fail(e, HP_NO, "enough");
	snprintf(r->text + at, sizeof r->text - at, "%s %s %d %g %g %ju %ju\n",
	    s->node, s->name, s->launcher ? -1 : (int)s->rank, s->start_s,
	    s->end_s, (uintmax_t)s->records, (uintmax_t)s->bytes);
	return 0;
}

static void
each_step_of_a_trace(void)
{
	static const char *const member[] = { "type", "node", "step", "start_s",
		"end_s", "records", "bytes" };
	const struct trace_step here = { .node = "launcher",
		.name = "plan",
		.launcher = true,
		.start_s = 0.5,
		.end_s = 2.5,
		.records = 6,
		.bytes = 1 };
	unsigned before = test_descriptors();
	struct read r = { .left = 9 };
	struct hp_err e = { 0 };
	char text[2 * sizeof STEP];
	const char *path = file_of("");

	CHECK(doc_trace_each(path, note_step, &r, &e) == 0);
	CHECK_EQ_STR(r.text, "");
	CHECK(doc_step_append(path, &here, &e) == 0);
	CHECK(doc_step_append(path,
		  &(struct trace_step){ .node = "b",
		      .rank = 4,
		      .name = "sort",
		      .start_s = 1,
		      .end_s = 3,
		      .records = 7,
		      .bytes = 8 },
		  &e) == 0);
	CHECK(doc_trace_each(path, note_step, &r, &e) == 0);
	CHECK_EQ_STR(
	    r.text, "launcher plan -1 0.5 2.5 6 1\nb sort 4 1 3 7 8\n");
	r = (struct read){ .left = 1 };
	CHECK(doc_trace_each(path, note_step, &r, &e) == -1);
	CHECK_EQ_STR(e.text, "enough");
	for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
		without(text, STEP, member[i]);
		r = (struct read){ .left = 9 };
		e = (struct hp_err){ 0 };
		CHECK(doc_trace_each(file_of(text), note_step, &r, &e) == -1);
		CHECK(e.kind == HP_INPUT && strstr(e.text, member[i]) != NULL);
	}
	CHECK_EQ_U64(test_descriptors(), before);
}

static void
a_step_joins_those_of_the_file(void)
{
	const struct trace_step step = { .node = "b",
		.rank = 4,
		.name = "merge",
		.start_s = 0.5,
		.end_s = 2.5,
		.records = 6,
		.bytes = 1 };
	unsigned before = test_descriptors();
	struct trace_step own = step;
	struct hp_err e = { 0 };
	uint64_t records, bytes;
	char text[1000] = "";
	const char *path = file_of(STEP);
	FILE *f;

	own.launcher = true;
	own.run = "r1";
	CHECK(doc_step_append(path, &step, &e) == 0);
	CHECK(doc_step_append(path, &own, &e) == 0);
	CHECK(doc_trace_last(path, &records, &bytes, &e) == 0);
	CHECK(records == 6 && bytes == 1); /* the last one */
	REQUIRE((f = fopen(path, "re")) != NULL);
	CHECK(fread(text, 1, sizeof text - 1, f) > 0);
	fclose(f);
	CHECK(strcmp(text,
		  STEP "{\"type\":\"step\",\"node\":\"b\",\"rank\":4,"
		       "\"step\":\"merge\",\"start_s\":0.5,\"end_s\":2.5,"
		       "\"records\":6,\"bytes\":1}\n"
		       "{\"type\":\"step\",\"node\":\"b\",\"rank\":null,"
		       "\"step\":\"merge\",\"start_s\":0.5,\"end_s\":2.5,"
		       "\"records\":6,\"bytes\":1,\"run\":\"r1\"}\n") == 0);
	CHECK(doc_step_append("/dev/full", &step, &e) == -1);
	CHECK(e.kind == HP_IO);
	CHECK(doc_step_append("/", &step, &e) == -1 && e.kind == HP_IO);
	CHECK_EQ_U64(test_descriptors(), before);
}

#define NODE(name) "{\"type\":\"node\",\"node\":\"" name "\",\"speed\":2"
#define POINT(n, seconds) \
	",\"points\":[{\"n\":" n ",\"seconds\":" seconds "}]}\n"
#define LAUNCHER "{\"type\":\"launcher\",\"gbit_per_s\":10}\n"

/* The line of the launcher is no node's. */
static void
times_become_the_points_of_nodes(void)
{
	static const double seconds[] = { 1.5, 0.25, 3 };
	const char *cluster = file_of(
	    NODE("a") "}\n" LAUNCHER NODE("b") POINT("7", "9"));
	unsigned before = test_descriptors();
	struct hp_err e = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	REQUIRE(f != NULL);
	CHECK(doc_speeds_write(cluster, seconds, 2, 50, f, &e) == 0);
	fflush(f);
	CHECK(strcmp(text,
		  NODE("a") POINT("50", "1.5") LAUNCHER NODE("b")
		      POINT("50", "0.25")) == 0);
	CHECK(doc_speeds_write(cluster, seconds, 3, 50, f, &e) == -1);
	CHECK(e.kind == HP_INPUT &&
	    strstr(e.text, "has more or fewer nodes") != NULL);
	CHECK(doc_speeds_write("/nowhere", seconds, 2, 50, f, &e) == -1);
	CHECK(e.kind == HP_IO);
	CHECK_EQ_U64(test_descriptors(), before);
	fclose(f);
	free(text);
	REQUIRE((f = fopen("/dev/full", "we")) != NULL);
	setvbuf(f, NULL, _IONBF, 0);
	CHECK(doc_speeds_write(cluster, seconds, 2, 50, f, &e) == -1);
	CHECK(e.kind == HP_IO);
	fclose(f);
}

int
main(void)
{
	RUN(batches_are_read_as_they_were_written);
	RUN(batches_without_their_members_are_refused);
	RUN(the_last_step_of_a_trace);
	RUN(each_step_of_a_trace);
	RUN(a_step_joins_those_of_the_file);
	RUN(times_become_the_points_of_nodes);
	return test_done();
}
