/*
 * Documents of hprun and notes on misspelt members: what is read and written,
 * and what is rejected.
 */

#include <sys/mman.h>

#include <unistd.h>

#include "doc/candidates.h"
#include "doc/cluster.h"
#include "doc/learn.h"
#include "doc/measured.h"
#include "doc/nodes.h"
#include "doc/parts.h"
#include "doc/plan.h"
#include "doc/sublists.h"
#include "doc/without.h"
#include "doc_file.h"
#include "test.h"

static char *written;
static size_t written_len;

static FILE *
out_open(void)
{
	FILE *f = open_memstream(&written, &written_len);

	if (f == NULL)
		exit(1);
	return f;
}

/* Checks everything that was written to the file. */
static void
out_is(FILE *f, const char *want)
{
	fclose(f);
	CHECK_EQ_STR(written, want);
	free(written);
}

static void
has_text(const struct hp_err *e, enum hp_kind kind, const char *text)
{
	if (e->kind != kind || strstr(e->text, text) == NULL)
		test_bad(__FILE__, __LINE__, "kind %d, '%s': expected '%s'",
		    (int)e->kind, e->text, text);
}

static char note[2000];

static void
keep_note(const char *text)
{
	size_t len = strlen(note);

	snprintf(note + len, sizeof note - len, "%s\n", text);
}

/* Checks the notes on a cluster. */
static void
cluster_notes(const char *lines, const char *want)
{
	struct hp_err e = { .note = keep_note };
	struct cluster c;

	note[0] = '\0';
	CHECK(doc_cluster_parse(lines, &c, &e) == 0);
	CHECK_EQ_STR(note, want);
	cluster_fini(&c);
}

/* Checks which member a misspelt name is taken for; NULL: none. */
static void
meant(const char *name, const char *member)
{
	char line[300], want[300] = "";

	snprintf(line, sizeof line,
	    "{\"type\":\"node\",\"node\":\"a\",\"%s\":3}\n", name);
	if (member != NULL)
		snprintf(want, sizeof want,
		    "nodes: line 1: the member '%s' is ignored; did you mean "
		    "'%s'?\n",
		    name, member);
	cluster_notes(line, want);
}

static void
a_misspelt_member_is_reported(void)
{
	/*
	 * Misspelt names with one letter replaced, left out, doubled, swapped,
	 * or in another case.
	 */
	meant("spead", "speed");
	meant("sped", "speed");
	meant("speeed", "speed");
	meant("spede", "speed");
	meant("Speed", "speed");
	meant("spesd", "speed");
	/*
	 * One error is allowed in short member names, two in long ones, none in
	 * the shortest.
	 */
	meant("soead", NULL);
	meant("hots", "host");
	meant("htso", NULL);
	meant("dri", "dir");
	meant("capaciyt", "capacity");
	meant("cpaaciyt", "capacity");
	meant("cpaaicyt", NULL);
	meant("latency", "latency_s");
	meant("latenc", NULL);
	/* A member that the line already has is not suggested, nor is one that
	 * differs too much. */
	meant("nod", NULL);
	meant("color", NULL);
	meant("x", NULL);
	meant("seconds_per_itemm", "seconds_per_item");
	meant("seconds_per_item_and_some_more_than_32", NULL);
}

static void
each_misspelt_member_is_reported_once(void)
{
	cluster_notes("{\"type\":\"node\",\"node\":\"a\",\"sped\":1}\n"
		      "{\"type\":\"node\",\"node\":\"b\",\"sped\":1,"
		      "\"hst\":1}\n"
		      "{\"type\":\"node\",\"node\":\"c\",\"hst\":1}\n",
	    "nodes: line 1: the member 'sped' is ignored; did you mean "
	    "'speed'?\n"
	    "nodes: line 2: the member 'hst' is ignored; did you mean "
	    "'host'?\n");
}

/* Names of one or two letters resemble none, as in an unknown member "b". */
static void
short_members_of_plans_are_not_meant(void)
{
	struct hp_err e = { .note = keep_note };
	struct plan p;

	note[0] = '\0';
	CHECK(doc_plan_read(
		  file_of("{\"type\":\"share\",\"rank\":0,\"node\":\"a\","
			  "\"n\":3,\"offset\":0,\"secnds\":1}\n"
			  "{\"type\":\"plan\",\"n\":3,\"nodes\":1,\"et\":1,"
			  "\"a\":1,\"methd\":1}\n"),
		  &p, &e) == 0);
	CHECK(strstr(note,
		  "line 1: the member 'secnds' is ignored; did you "
		  "mean 'seconds'?\n") != NULL);
	CHECK(strstr(note,
		  "line 2: the member 'methd' is ignored; did you "
		  "mean 'method'?\n") != NULL);
	CHECK(strstr(note, "'et'") == NULL && strstr(note, "'a'") == NULL);
	plan_fini(&p);
}

/*
 * Reads a line of this type without each one of its members in turn.  The
 * message must name the missing member.  With all members the line is accepted.
 */
static void
without_each(const char *type, const char *const *member, size_t n,
    int (*read)(const char *path, struct hp_err *))
{
	for (size_t missing = 0; missing <= n; missing++) {
		char line[400];
		struct hp_err e = { 0 };
		int rc;

		snprintf(line, sizeof line, "{\"type\":\"%s\"", type);
		for (size_t i = 0; i < n; i++)
			if (i != missing)
				snprintf(line + strlen(line),
				    sizeof line - strlen(line), ",%s",
				    member[i]);
		strcat(line, "}\n");
		rc = read(file_of(line), &e);
		CHECK_EQ_I64(rc, missing == n ? 0 : -1);
		if (rc != -1)
			continue;
		CHECK(e.kind == HP_INPUT);
		/* The member's name without its quotes. */
		snprintf(line, sizeof line, "'%.*s'",
		    (int)strcspn(member[missing] + 1, "\""),
		    member[missing] + 1);
		has_text(&e, HP_INPUT, line);
	}
}

static int
read_candidate(const char *path, struct hp_err *e)
{
	uint64_t records[] = { 9, 9 };
	struct candidates c = { .nodes = 2, .records = records };
	struct tally t = { 0 };
	int rc = doc_candidates_read(path, &c, &t, e);

	pivots_fini(&c.list);
	tally_fini(&t);
	return rc;
}

static int
read_sublist(const char *path, struct hp_err *e)
{
	struct sublists l = { 0 };
	int rc = doc_sublists_read(path, &l, NULL, e);

	sublists_fini(&l);
	return rc;
}

static void
lines_without_their_members_are_refused(void)
{
	static const char *const candidate[] = { "\"key\":\"61\"", "\"rank\":1",
		"\"index\":8" };
	static const char *const count[] = { "\"sublist\":0", "\"rank\":1",
		"\"records\":8" };
	static const char *const until[] = {
		"\"sublist\":0,\"until\":{\"key\":\"61\",\"rank\":0,"
		"\"index\":1}"
	};

	without_each("candidate", candidate, 3, read_candidate);
	without_each("count", count, 3, read_candidate);
	without_each("sublist", until, 1, read_sublist);
}

/* A sublist whose end is searched between two places. */
static void
bracket(const char *members, const char *error)
{
	char line[400];
	struct hp_err e = { 0 };
	int rc;

	snprintf(line, sizeof line,
	    "{\"type\":\"sublist\",\"sublist\":0,\"target\":5%s}\n", members);
	rc = read_sublist(file_of(line), &e);
	CHECK_EQ_I64(rc, error == NULL ? 0 : -1);
	if (error != NULL)
		has_text(&e, HP_INPUT, error);
}

#define LOW(n) ",\"low\":{\"below\":" #n "}"
#define HIGH(n) ",\"high\":{\"below\":" #n "}"
#define EVERY(n) ",\"every\":" #n

static void
brackets_hold_their_target(void)
{
	bracket(LOW(4) HIGH(6) EVERY(1), NULL);
	bracket(HIGH(6) EVERY(1), "the sublist has no 'low'");
	bracket(LOW(4) EVERY(1), "the sublist has no 'high'");
	bracket(LOW(4) HIGH(6), "'every'");
	bracket(LOW(5) HIGH(6) EVERY(1), "the target does not lie between");
	bracket(LOW(4) HIGH(5) EVERY(1), "the target does not lie between");
	bracket(LOW(4) HIGH(6) EVERY(0), "the target does not lie between");
	bracket(",\"low\":{}" HIGH(6) EVERY(1), "'below'");
	bracket(",\"low\":1" HIGH(6) EVERY(1), "'low'");
	bracket(
	    ",\"low\":{\"below\":4,\"key\":\"61\"}" HIGH(6) EVERY(1), "'rank'");
}

static void
runs_that_appear_twice_count_once(void)
{
	static const char *const cluster =
	    "{\"type\":\"node\",\"node\":\"a\"}\n";
	static const char *const trace =
	    "{\"type\":\"step\",\"node\":\"a\",\"step\":\"sort\","
	    "\"start_s\":1,\"end_s\":3,\"records\":25}\n"
	    "{\"type\":\"step\",\"node\":\"a\",\"step\":\"sort\","
	    "\"start_s\":5,\"end_s\":8,\"records\":25}\n";
	char path[32], *traces[] = { path, path };
	int fd = memfd_create("trace", 0);
	struct hp_err e = { 0 };
	FILE *f = out_open();
	char *once;

	REQUIRE(write(fd, trace, strlen(trace)) == (ssize_t)strlen(trace));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	CHECK(
	    doc_learn(file_of(cluster), traces, 1, "sort", false, f, &e) == 0);
	fclose(f);
	once = written;
	f = out_open();
	CHECK(
	    doc_learn(file_of(cluster), traces, 2, "sort", false, f, &e) == 0);
	out_is(f, once);
	CHECK(strstr(once, "\"runs\":2") != NULL);
	/*
	 * Learning again from a trace that the cluster has already learned from
	 * changes nothing.
	 */
	f = out_open();
	CHECK(doc_learn(file_of(once), traces, 1, "sort", false, f, &e) == 0);
	out_is(f, once);
	free(once);
	close(fd);
}

static bool
is_named(const void *context, const char *name)
{
	return strcmp(context, name) == 0;
}

static void
lines_of_nodes_that_take_part_are_copied(void)
{
	static const char *const lines =
	    "{\"type\":\"node\",\"node\":\"a\",\"x\":[1,{}]}\n"
	    "\n"
	    "{\"type\":\"else\",\"node\":\"b\"}\n"
	    "{\"type\":\"node\",\"node\":\"b\",\"w\":1}\n"
	    "{\"type\":\"node\",\"node\":\"c\"}\n"
	    "{\"type\":\"node\",\"node\":\"b\",\"w\":2}\n";
	static const char *const want =
	    "{\"type\":\"node\",\"node\":\"b\",\"w\":1}\n"
	    "{\"type\":\"node\",\"node\":\"b\",\"w\":2}\n";
	struct hp_err e = { 0 };
	FILE *f = out_open();

	CHECK(doc_nodes_copy(file_of(lines), NULL, is_named, "b", f, &e) == 0);
	out_is(f, want);
	f = out_open();
	CHECK(doc_nodes_copy(NULL, lines, is_named, "b", f, &e) == 0);
	out_is(f, want);
	f = out_open();
	CHECK(doc_nodes_copy(NULL, "", is_named, "b", f, &e) == -1);
	has_text(&e, HP_INPUT, "there must be at least one node");
	CHECK(doc_nodes_copy("/nowhere", NULL, is_named, "b", f, &e) == -1);
	CHECK(doc_nodes_copy(
		  NULL, "{\"type\":\"node\"}\n", is_named, "b", f, &e) == -1);
	has_text(&e, HP_INPUT, "nodes: line 1: ");
	out_is(f, "");
	f = fopen("/dev/full", "w");
	setvbuf(f, NULL, _IONBF, 0);
	CHECK(doc_nodes_copy(NULL, lines, is_named, "b", f, &e) == -1);
	CHECK(e.kind == HP_IO);
	fclose(f);
}

static void
nodes_get_places(void)
{
	static const char *const lines =
	    "{\"type\":\"node\",\"node\":\"a\",\"host\":\"x\"}\n"
	    "{\"type\":\"node\",\"node\":\"b\",\"dir\":\"/old\"}\n"
	    "{\"type\":\"node\",\"node\":\"a\"}\n";
	const struct run_place two[] = { { "/a", "17" }, { "/b", "" } };
	const struct run_place bad[] = { { "/a", NULL }, { "/b", "65536" } };
	struct hp_err e = { 0 };
	FILE *f = out_open();

	CHECK(doc_nodes_place(file_of(lines), two, 2, "here", f, &e) == 0);
	out_is(f,
	    "{\"type\":\"node\",\"node\":\"a\",\"host\":\"x\",\"dir\":\"/a\","
	    "\"port\":17}\n"
	    "{\"type\":\"node\",\"node\":\"b\",\"dir\":\"/b\","
	    "\"host\":\"here\"}\n"
	    "{\"type\":\"node\",\"node\":\"a\",\"dir\":\"/a\",\"port\":17,"
	    "\"host\":\"here\"}\n");
	for (int i = 0; i < 2; i++) {
		f = out_open();
		CHECK(doc_nodes_place(file_of("{\"type\":\"node\","
					      "\"node\":\"b\"}\n"),
			  two + 1, 1, i == 0 ? NULL : "", f, &e) == 0);
		out_is(
		    f, "{\"type\":\"node\",\"node\":\"b\",\"dir\":\"/b\"}\n");
	}
	f = out_open();
	CHECK(doc_nodes_place(file_of(lines), two, 1, NULL, f, &e) == -1);
	has_text(&e, HP_INPUT, "line 2: more nodes than places");
	CHECK(doc_nodes_place(file_of(lines), bad, 2, NULL, f, &e) == -1);
	has_text(&e, HP_USAGE, "port");
	CHECK(doc_nodes_place(file_of("{}\n"), two, 2, NULL, f, &e) == -1);
	CHECK(doc_nodes_place("/nowhere", two, 2, NULL, f, &e) == -1);
	fclose(f);
	free(written);
}

#define POINT(n, s, lo, hi, r)                                           \
	"{\"n\":" #n ",\"seconds\":" #s ",\"low\":" #lo ",\"high\":" #hi \
	",\"runs\":" #r "}"

/* Writes the cluster with one profile's measurements. */
static void
measured(const char *lines, const char *profile, double start, bool nearer,
    const char *want)
{
	const struct node_start starts[] = { { "other", 7 }, { "a", start } };
	char path[32];
	const char *paths[] = { path };
	int fd = memfd_create("profile", 0);
	struct hp_err e = { 0 };
	FILE *f = out_open();

	REQUIRE(
	    write(fd, profile, strlen(profile)) == (ssize_t)strlen(profile));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (doc_measured_write(
		file_of(lines), paths, 1, starts, 2, nearer, f, &e) == -1)
		test_bad(__FILE__, __LINE__, "%s", e.text);
	out_is(f, want);
	close(fd);
}

static void
measured_points_replace_or_join_those_of_nodes(void)
{
	static const char *const lines =
	    "{\"type\":\"node\",\"node\":\"a\",\"speed\":2,\"points\":["
	    "{\"n\":2,\"seconds\":0.25},{\"n\":6,\"seconds\":0.5},"
	    "{\"n\":7,\"seconds\":0.5}]}\n"
	    "{\"type\":\"node\",\"node\":\"b\"}\n";
	/* Sizes in random order; one of them occurs three times. */
	static const char *const profile =
	    "{\"type\":\"node\",\"node\":\"a\",\"speed\":3,\"points\":[" POINT(
		20, 4.0, 3.0, 5.0, 2) "," POINT(10, 1.5, 1.0, 2.0,
		1) "]}\n"
		   "{\"type\":\"node\",\"node\":\"a\",\"points\":[" POINT(10,
		       1.0, 0.75, 1.25,
		       1) "," POINT(10, 2.0, 1.5, 2.5, 1) "]}\n";

	measured(lines, profile, 0, false,
	    "{\"type\":\"node\",\"node\":\"a\",\"speed\":3,\"points\":[" POINT(
		10, 1.5, 0.75, 2.5, 3) "," POINT(20, 4.0, 3.0, 5.0,
		2) "]}\n"
		   "{\"type\":\"node\",\"node\":\"b\"}\n");
	/* An old point is kept only if the new size has more than 1.5 times as
	 * many items. */
	measured(lines, profile, 0.5, true,
	    "{\"type\":\"node\",\"node\":\"a\",\"speed\":2,\"points\":["
	    "{\"n\":2,\"seconds\":0.25},{\"n\":6,\"seconds\":0.5}," POINT(
		10, 2.0, 1.25, 3.0, 3) "," POINT(20, 4.5, 3.5, 5.5,
		2) "]}\n"
		   "{\"type\":\"node\",\"node\":\"b\"}\n");
	/* A smaller size that took longer is left out of the curve. */
	measured("{\"type\":\"node\",\"node\":\"a\",\"points\":["
		 "{\"n\":2,\"seconds\":1.5}]}\n",
	    "{\"type\":\"node\",\"node\":\"a\",\"points\":[" POINT(
		10, 1.5, 1.0, 2.0, 1) "]}\n",
	    0, true,
	    "{\"type\":\"node\",\"node\":\"a\",\"points\":[" POINT(
		10, 1.5, 1.0, 2.0, 1) "]}\n");
	/* Of two measurements of one size, the median is their mean. */
	measured("{\"type\":\"node\",\"node\":\"a\"}\n",
	    "{\"type\":\"node\",\"node\":\"a\",\"points\":[" POINT(
		10, 1.0, 1.0, 1.0, 1) "," POINT(10, 2.0, 2.0, 2.0, 1) "]}\n",
	    0, true,
	    "{\"type\":\"node\",\"node\":\"a\",\"points\":[" POINT(
		10, 1.5, 1.0, 2.0, 2) "]}\n");
}

static void
a_plan_has_its_makespan_and_whether_it_extrapolates(void)
{
	static const char *const plan =
	    "{\"type\":\"share\",\"rank\":0,\"node\":\"a\",\"n\":3,"
	    "\"offset\":0%s}\n"
	    "{\"type\":\"share\",\"rank\":1,\"node\":\"b\",\"n\":4,"
	    "\"offset\":3%s}\n"
	    "{\"type\":\"plan\",\"n\":7,\"nodes\":2,\"makespan\":2.5}\n";
	static const char *const told[] = { "", ",\"extrapolated\":true" };
	struct hp_err e = { 0 };
	double makespan;
	uint64_t n;
	bool beyond;
	char text[400];

	for (int i = 0; i < 4; i++) {
		snprintf(text, sizeof text, plan, told[i & 1], told[i >> 1]);
		REQUIRE(doc_foreseen_read(
			    file_of(text), &makespan, &n, &beyond, &e) == 0);
		CHECK(makespan == 2.5 && n == 7 && beyond == (i > 0));
	}
	CHECK(doc_foreseen_read(file_of(""), &makespan, &n, &beyond, &e) == -1);
	CHECK(n == 0 && !beyond);
}

#define EXTENT(sublist, rank, offset, bytes, records)                        \
	"{\"type\":\"extent\",\"sublist\":" #sublist ",\"rank\":" #rank      \
	",\"offset\":" #offset ",\"bytes\":" #bytes ",\"records\":" #records \
	"}\n"

static void
parts_are_laid_out_in_order(void)
{
	struct parts l = { 0 }, again = { 0 };
	struct hp_err e = { 0 };
	FILE *f = out_open();

	REQUIRE(doc_pieces_read(
		    file_of(EXTENT(3, 0, 50, 5, 1) EXTENT(1, 0, 10, 6, 2)
			    EXTENT(2, 0, 16, 4, 1) EXTENT(9, 0, 55, 0, 0)),
		    0, &l, &e) == 0);
	CHECK_EQ_U64(l.n, 3); /* without the empty one */
	REQUIRE(doc_deal_read(file_of(EXTENT(0, 1, 0, 8, 4) EXTENT(
				  2, 1, 8, 1, 1) EXTENT(4, 0, 55, 0, 0)),
		    &l, &e) == 0);
	CHECK_EQ_U64(l.n, 6);
	parts_lay_out(&l, 100);
	CHECK(doc_parts_write(f, &l, &e) == 0);
	fclose(f);
	REQUIRE(doc_parts_read(file_of(written), &again, &e) == 0);
	free(written);
	{
		/* Adjacent parts on one node are joined. */
		static const struct part want[] = { { 0, 1, 0, 8, 4, 100 },
			{ 1, 0, 10, 10, 3, 108 }, { 2, 1, 8, 1, 1, 118 },
			{ 3, 0, 50, 5, 1, 119 } };

		REQUIRE(l.n == again.n && l.n >= 4);
		for (size_t i = 0; i < 4; i++) {
			CHECK(memcmp(&l.v[i], &want[i], sizeof want[i]) == 0);
			CHECK(
			    memcmp(&again.v[i], &want[i], sizeof want[i]) == 0);
		}
		/* An empty part that follows is joined to the previous one. */
		CHECK_EQ_U64(l.n, 4);
	}
	parts_fini(&l);
	parts_fini(&again);
}

static void
parts_without_their_members_are_refused(void)
{
	static const char *const members[] = { "sublist", "rank", "offset",
		"bytes", "records", "at" };
	struct parts l = { 0 };
	struct extents x = { 0 };
	struct hp_err e = { 0 };

	for (size_t missing = 0; missing < 6; missing++) {
		char line[200] = "{\"type\":\"extent\"";

		for (size_t i = 0; i < 6; i++)
			if (i != missing)
				snprintf(line + strlen(line),
				    sizeof line - strlen(line), ",\"%s\":1",
				    members[i]);
		strcat(line, "}\n");
		CHECK(doc_parts_read(file_of(line), &l, &e) == -1);
		has_text(&e, HP_INPUT, members[missing]);
		CHECK(doc_deal_read(file_of(line), &l, &e) ==
		    (missing == 5 ? 0 : -1));
		CHECK(doc_extents_read(file_of(line), 1, 2, &x, &e) ==
		    (missing == 5 ? 0 : -1));
	}
	CHECK(l.n == 1 && x.n == 1);
	CHECK(doc_parts_read("/nowhere", &l, &e) == -1 && e.kind == HP_IO);
	CHECK(doc_extents_read(file_of(EXTENT(0, 1, 0, 8, 4)), 0, 2, &x, &e) ==
	    -1);
	has_text(&e, HP_INPUT,
	    "the extent is of node 1 for sublist 0, but this is node 0 of 2");
	CHECK(doc_extents_read(file_of(EXTENT(2, 0, 0, 8, 4)), 0, 2, &x, &e) ==
	    -1);
	has_text(&e, HP_INPUT, "the extent is of node 0 for sublist 2");
	CHECK(doc_extents_read(file_of(EXTENT(1, 0, 0, 8, 9)), 0, 2, &x, &e) ==
	    -1);
	has_text(&e, HP_INPUT, "more records than bytes");
	CHECK(doc_extents_read(file_of(EXTENT(1, 0, 0, 8, 8)), 0, 2, &x, &e) ==
	    0);
	parts_fini(&l);
	extents_fini(&x);
}

static void
sums_and_counts_are_added(void)
{
	struct part_sums l = { 0 };
	struct hp_err e = { 0 };
	uint64_t records;

	REQUIRE(
	    doc_sums_read(file_of("{\"type\":\"sum\",\"records\":2,\"bytes\":4,"
				  "\"checksum\":\"1f\",\"sublist\":7}\n"
				  "{\"type\":\"dropped\",\"records\":3,"
				  "\"bytes\":5,\"checksum\":\"2\"}\n"),
		4, &l, &e) == 0);
	REQUIRE(l.n == 2);
	CHECK(l.v[0].from == 4 && l.v[0].to == 7 && l.v[0].records == 2 &&
	    l.v[0].bytes == 4 && l.v[0].checksum.low == 0x1f);
	CHECK(l.v[1].from == 4 && l.v[1].to == 4 && l.v[1].records == 3 &&
	    l.v[1].bytes == 5 && l.v[1].checksum.low == 2);
	CHECK(doc_sums_read(file_of("{\"type\":\"plan\"}\n"), 4, &l, &e) == -1);
	has_text(&e, HP_INPUT, "expected a sum, this is a 'plan'");
	CHECK(doc_sums_read(file_of("{\"type\":\"sum\",\"records\":2,"
				    "\"bytes\":4,\"checksum\":\"x\"}\n"),
		  4, &l, &e) == -1);
	has_text(&e, HP_INPUT, "'checksum' is not a number in hex");
	CHECK(doc_sums_read("/nowhere", 4, &l, &e) == -1);
	CHECK_EQ_U64(l.n, 2);
	part_sums_fini(&l);
	CHECK(doc_total_read(file_of("{\"type\":\"count\",\"records\":2}\n"
				     "{\"type\":\"count\",\"records\":40}\n"),
		  &records, &e) == 0);
	CHECK_EQ_U64(records, 42);
	CHECK(doc_total_read(file_of("{\"type\":\"sum\",\"records\":2}\n"),
		  &records, &e) == -1);
	has_text(&e, HP_INPUT, "expected a count");
	CHECK(doc_total_read(file_of("{\"type\":\"count\"}\n"), &records, &e) ==
	    -1);
	has_text(&e, HP_INPUT, "records");
	CHECK(doc_total_read("/nowhere", &records, &e) == -1);
}

#define SUMMARY(records, bytes)                                            \
	"{\"type\":\"summary\",\"records\":" #records ",\"bytes\":" #bytes \
	",\"sorted\":true,\"checksum\":\"1\",\"duplicates\":0,"            \
	"\"first\":\"61\",\"last\":\"62\"}\n"

/* Node 1 has two parts. The later one comes first in its file. */
static int
match(const char *summaries, struct parts *l, struct summary *sum,
    struct hp_err *e)
{
	static struct part part[3];

	part[0] = (struct part){ 0, 1, 50, 8, 0, 0 };
	part[1] = (struct part){ 1, 0, 0, 3, 0, 8 };
	part[2] = (struct part){ 2, 1, 10, 4, 0, 11 };
	*l = (struct parts){ part, 3, 3 };
	*e = (struct hp_err){ 0 };
	for (size_t i = 0; i < 3; i++)
		sum[i] = (struct summary){ 0 };
	return doc_summaries_match(file_of(summaries), 1, l, sum, e);
}

static void
summaries_are_those_of_the_parts(void)
{
	struct summary sum[3];
	struct parts l;
	struct hp_err e;

	CHECK(
	    match(SUMMARY(2,
		      4) "{\"type\":\"summary\",\"records\":0,"
			 "\"bytes\":0,\"sorted\":true,"
			 "\"checksum\":\"0\",\"duplicates\":0}\n" SUMMARY(3, 8),
		&l, sum, &e) == 0);
	CHECK(
	    l.v[0].records == 3 && l.v[1].records == 0 && l.v[2].records == 2);
	CHECK(sum[0].bytes == 8 && sum[1].bytes == 0 && sum[2].bytes == 4);
	summary_fini(&sum[0]);
	summary_fini(&sum[2]);
	CHECK(match(SUMMARY(2, 4), &l, sum, &e) == -1);
	has_text(&e, HP_INPUT, "a part is missing");
	summary_fini(&sum[2]);
	CHECK(match(SUMMARY(2, 8) SUMMARY(3, 4), &l, sum, &e) == -1);
	has_text(
	    &e, HP_INPUT, "line 1: the summary is not that of a written part");
	CHECK(match(SUMMARY(2, 4) SUMMARY(3, 8) SUMMARY(3, 8), &l, sum, &e) ==
	    -1);
	has_text(
	    &e, HP_INPUT, "line 3: the summary is not that of a written part");
	summary_fini(&sum[0]);
	summary_fini(&sum[2]);
	CHECK(match("{\"type\":\"plan\"}\n", &l, sum, &e) == -1);
}

static void
the_summary_lists_the_parts_that_are_left(void)
{
	static const char *const name[] = { "a", "b" };
	static const char *const path[] = { "/a", "/b" };
	struct part part[] = { { 0, 1, 50, 8, 4, 0 }, { 1, 0, 0, 3, 1, 8 } };
	const struct parts l = { part, 2, 2 };
	struct hp_err e = { 0 };
	FILE *f = out_open();

	CHECK(doc_left_write(f, file_of("{\"type\":\"summary\",\"x\":1}\n"), &l,
		  name, path, &e) == 0);
	out_is(f,
	    "{\"type\":\"summary\",\"x\":1,\"parts\":["
	    "{\"node\":\"b\",\"path\":\"/b\",\"offset\":50,\"records\":4,"
	    "\"bytes\":8},"
	    "{\"node\":\"a\",\"path\":\"/a\",\"offset\":0,\"records\":1,"
	    "\"bytes\":3}]}\n");
	f = out_open();
	CHECK(doc_left_write(f, file_of(""), &l, name, path, &e) == -1);
	has_text(&e, HP_INPUT, "is empty");
	CHECK(doc_left_write(f, "/nowhere", &l, name, path, &e) == -1);
	CHECK(doc_left_write(f, file_of("x"), &l, name, path, &e) == -1);
	out_is(f, "");
}

static char lost[100];

static void
keep_lost(void *context, char *name)
{
	CHECK(context == lost);
	strcat(strcat(lost, name), " ");
	free(name);
}

static void
lost_nodes_are_read_and_broken_lines_counted(void)
{
	static const char *const bad[] = { "{\"type\":\"with\",\"nodes\":[]}",
		"{\"type\":\"without\"}", "{\"type\":\"without\",\"nodes\":{}}",
		"{\"type\":\"without\",\"nodes\":[1]}", "x" };
	struct hp_err e = { 0 };
	size_t broken = 9;

	CHECK(doc_without_read("/nowhere", keep_lost, lost, &broken, &e) == 0);
	CHECK(broken == 0);
	CHECK(doc_without_read(
		  file_of("{\"type\":\"without\",\"nodes\":[\"a\",\"b\"]}\n"
			  "{\"type\":\"without\",\"nodes\":[]}\n"
			  "{\"type\":\"without\",\"nodes\":[\"c\"]}\n"
			  "{\"type\":\"without\",\"nodes\":[]}\n"),
		  keep_lost, lost, &broken, &e) == 0);
	CHECK_EQ_STR(lost, "a b c ");
	CHECK_EQ_U64(broken, 2);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(doc_without_read(
			  file_of(bad[i]), keep_lost, lost, &broken, &e) == -1);
		CHECK(e.kind == HP_INPUT);
	}
	CHECK(doc_without_append("/nowhere/x", NULL, 0, &e) == -1);
	CHECK(doc_without_append("/dev/full", NULL, 0, &e) == -1 &&
	    e.kind == HP_IO);
}

int
main(void)
{
	RUN(a_misspelt_member_is_reported);
	RUN(each_misspelt_member_is_reported_once);
	RUN(short_members_of_plans_are_not_meant);
	RUN(lines_without_their_members_are_refused);
	RUN(brackets_hold_their_target);
	RUN(runs_that_appear_twice_count_once);
	RUN(lines_of_nodes_that_take_part_are_copied);
	RUN(nodes_get_places);
	RUN(measured_points_replace_or_join_those_of_nodes);
	RUN(a_plan_has_its_makespan_and_whether_it_extrapolates);
	RUN(parts_are_laid_out_in_order);
	RUN(parts_without_their_members_are_refused);
	RUN(sums_and_counts_are_added);
	RUN(summaries_are_those_of_the_parts);
	RUN(the_summary_lists_the_parts_that_are_left);
	RUN(lost_nodes_are_read_and_broken_lines_counted);
	return test_done();
}
