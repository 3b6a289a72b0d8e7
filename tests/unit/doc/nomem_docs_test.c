/* Documents, messages, summaries and profiles report an error if memory is
 * short. */

#include <sys/mman.h>

#include <math.h>
#include <unistd.h>

#include "check/check.h"
#include "doc/batches.h"
#include "doc/candidates.h"
#include "doc/cluster.h"
#include "doc/learn.h"
#include "doc/measured.h"
#include "doc/message.h"
#include "doc/nodes.h"
#include "doc/parts.h"
#include "doc/plan.h"
#include "doc/sublists.h"
#include "doc/summary.h"
#include "doc/trace.h"
#include "doc/unreached.h"
#include "doc/without.h"
#include "nomem.h"
#include "profile/command.h"
#include "profile/profile.h"
#include "record/stream.h"
#include "record/words.h"

/* Documents whose members need memory that our code allocates. */
enum document {
	CLUSTER,
	PROFILE,
	PLAN,
	SUBLISTS,
	CANDIDATES,
	EXTENTS,
	PARTS,
	SUMMARIES,
	SUMS,
	MISSES,
	TRACE,
	BATCHES,
	DOCUMENTS
};

static const char *const text[] = {
	[CLUSTER] = "{\"type\":\"node\",\"node\":\"a\",\"host\":\"h\","
		    "\"dir\":\"/d\",\"workload\":\"w\",\"beyond\":\"stop\","
		    "\"points\":[{\"n\":10,\"seconds\":1},"
		    "{\"n\":20,\"seconds\":3}]}\n"
		    "{\"type\":\"node\",\"node\":\"b\",\"speed\":2}\n",
	[PROFILE] = "{\"type\":\"node\",\"node\":\"b\",\"params\":{\"w\":1},"
		    "\"points\":[{\"n\":10,\"seconds\":1,\"low\":1,"
		    "\"high\":2,\"runs\":3}]}\n"
		    "{\"type\":\"node\",\"node\":\"b\",\"params\":{\"w\":2},"
		    "\"points\":[{\"n\":10,\"seconds\":2,\"low\":1,"
		    "\"high\":2,\"runs\":3}]}\n",
	[PLAN] = "{\"type\":\"share\",\"rank\":0,\"node\":\"a\",\"n\":3,"
		 "\"offset\":0}\n"
		 "{\"type\":\"plan\",\"n\":3,\"nodes\":1,\"method\":\"dp\","
		 "\"cost\":\"n\",\"digest\":\"00\",\"beyond\":\"stop\","
		 "\"at\":{\"w\":1,\"x\":2}}\n",
	[SUBLISTS] = "{\"type\":\"sublist\",\"sublist\":0,\"rank\":0,"
		     "\"node\":\"a\",\"until\":{\"key\":\"61\",\"rank\":0,"
		     "\"index\":1},\"target\":5,"
		     "\"low\":{\"below\":1,\"key\":\"60\",\"rank\":0,"
		     "\"index\":1},\"high\":{\"below\":9},\"every\":2}\n"
		     "{\"type\":\"sublist\",\"sublist\":1,\"rank\":1}\n",
	[CANDIDATES] = "{\"type\":\"candidate\",\"key\":\"62\",\"rank\":0,"
		       "\"index\":2}\n"
		       "{\"type\":\"candidate\",\"key\":\"61\",\"rank\":0,"
		       "\"index\":1}\n",
	[EXTENTS] = "{\"type\":\"extent\",\"sublist\":0,\"rank\":0,"
		    "\"offset\":0,\"bytes\":4,\"records\":2}\n"
		    "{\"type\":\"extent\",\"sublist\":1,\"rank\":0,"
		    "\"offset\":4,\"bytes\":2,\"records\":1}\n",
	[PARTS] = "{\"type\":\"extent\",\"sublist\":0,\"rank\":0,\"offset\":0,"
		  "\"bytes\":4,\"records\":2,\"at\":0}\n",
	[SUMMARIES] = "{\"type\":\"summary\",\"records\":2,\"bytes\":4,"
		      "\"sorted\":true,\"checksum\":\"1\",\"duplicates\":0,"
		      "\"unordered\":0,\"first\":\"61\",\"first_rest\":\"61\","
		      "\"last\":\"6262\",\"last_rest\":\"61\"}\n",
	[SUMS] = "{\"type\":\"sum\",\"records\":2,\"bytes\":4,"
		 "\"checksum\":\"1\",\"sublist\":1}\n",
	[MISSES] = "{\"type\":\"unreached\",\"rank\":0,\"node\":\"a\","
		   "\"peer\":1,\"peer_node\":\"b\",\"why\":\"silent\","
		   "\"seconds\":1.5,\"back\":false}\n",
	[TRACE] = "{\"type\":\"step\",\"node\":\"a\",\"step\":\"sort\","
		  "\"run\":\"r\",\"start_s\":1,\"end_s\":3,\"records\":25}\n"
		  "{\"type\":\"step\",\"node\":\"b\",\"step\":\"sort\","
		  "\"run\":\"r\",\"start_s\":1,\"end_s\":4,\"records\":35}\n",
	[BATCHES] = "{\"type\":\"batch\",\"step\":\"sort\",\"batch\":3,"
		    "\"rank\":1,\"offset\":40,\"bytes\":20,\"records\":2}\n",
};

static char path[DOCUMENTS][32];
static FILE *out;
static char directory[] = "nomem.XXXXXX";
static char file[sizeof directory + 8];

static void
write_documents(void)
{
	for (int i = 0; i < DOCUMENTS; i++) {
		int fd = memfd_create("document", 0);
		size_t len = strlen(text[i]);

		if (write(fd, text[i], len) != (ssize_t)len)
			exit(1);
		snprintf(path[i], sizeof path[i], "/proc/self/fd/%d", fd);
	}
}

/* Returns how many bytes a scenario has written since it rewound the file. */
static size_t
written(void)
{
	return (size_t)ftell(out);
}

/*
 * Fails allocations of jansson as well.  Only scenarios that write may use it:
 * when jansson reads, it reports some failed allocations as errors of the text.
 */
static void
each_with_jansson(int (*scenario)(struct hp_err *))
{
	json_set_alloc_funcs(__wrap_malloc, __wrap_free);
	nomem_each(scenario);
	json_set_alloc_funcs(__real_malloc, __real_free);
}

static int
cluster(struct hp_err *e)
{
	struct cluster c = { 0 };
	int rc = doc_cluster_read(path[CLUSTER], &c, e);

	nomem.result += c.n;
	cluster_fini(&c);
	if (rc == 0)
		rc = doc_cluster_read(path[PROFILE], &c, e);
	nomem.result += c.n;
	cluster_fini(&c);
	if (rc == 0)
		rc = doc_cluster_parse(text[CLUSTER], &c, e);
	nomem.result += c.n;
	cluster_fini(&c);
	return rc;
}

static void
clusters(void)
{
	nomem_each(cluster);
}

static bool
any_node(const void *context, const char *name)
{
	(void)context, (void)name;
	return true;
}

static int
copy(struct hp_err *e)
{
	const struct run_place place[] = { { "/a", "1" }, { "/b", NULL } };
	const struct node_start start = { "b", 0.5 };
	const char *profile[] = { path[PROFILE] };

	rewind(out);
	if (doc_nodes_copy(path[CLUSTER], NULL, any_node, NULL, out, e) == -1 ||
	    doc_nodes_place(path[CLUSTER], place, 2, "here", out, e) == -1 ||
	    doc_measured_write(
		path[CLUSTER], profile, 1, &start, 1, true, out, e) == -1)
		return -1;
	if (doc_measured_write(
		path[CLUSTER], profile, 1, &start, 1, false, out, e) == -1)
		return -1;
	nomem.result += written();
	return 0;
}

static void
clusters_of_a_run(void)
{
	nomem_each(copy);
}

static int
learn(struct hp_err *e)
{
	char *traces[] = { path[TRACE] };
	int rc;

	rewind(out);
	rc = doc_learn(path[CLUSTER], traces, 1, "sort", true, out, e);
	nomem.result += written();
	return rc;
}

static void
learned_points(void)
{
	nomem_each(learn);
}

static int
batches(struct hp_err *e)
{
	struct batch_steps l = { 0 };
	int rc = doc_batches_read(path[BATCHES], &l, e);

	nomem.result += l.n;
	batch_steps_fini(&l);
	return rc;
}

static void
dealt_batches(void)
{
	nomem_each(batches);
}

static int
plan(struct hp_err *e)
{
	struct plan p;
	int rc = doc_plan_read(path[PLAN], &p, e);

	nomem.result += p.nodes + p.nat + (p.cost != NULL);
	if (rc == 0)
		rc = doc_plan_write(out, &p, e);
	if (rc == 0)
		rc = doc_share_write(out, 0, &p.share[0], e);
	plan_fini(&p);
	return rc;
}

static void
plans(void)
{
	nomem_each(plan);
}

static int
sublists(struct hp_err *e)
{
	const struct sublists_note note = {
		.nodes = 2, .method = "psrs", .probability = NAN
	};
	struct sublists l = { 0 };
	bool probes = false;
	int rc = doc_sublists_read(path[SUBLISTS], &l, NULL, e);

	nomem.result += l.n;
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		rc = doc_sublist_write(out, i, &l.v[i], &note, e);
	sublists_fini(&l);
	if (rc == 0)
		rc = doc_sublists_read(path[CANDIDATES], &l, &probes, e);
	nomem.result += l.n;
	sublists_fini(&l);
	return rc;
}

static int
candidates(struct hp_err *e)
{
	uint64_t records[] = { 9 };
	struct candidates c = { .nodes = 1, .records = records };
	struct tally t = { 0 };
	int rc = doc_candidates_read(path[CANDIDATES], &c, &t, e);

	nomem.result += c.list.n;
	for (size_t i = 0; rc == 0 && i < c.list.n; i++)
		rc = doc_candidate_write(out, &c.list.v[i], 9, e);
	pivots_fini(&c.list);
	tally_fini(&t);
	return rc;
}

static void
sublists_and_candidates(void)
{
	each_with_jansson(sublists);
	each_with_jansson(candidates);
}

static int
pieces(struct hp_err *e)
{
	struct extents x = { 0 };
	struct parts l = { 0 };
	struct part_sums sums = { 0 };
	int rc = doc_extents_read(path[EXTENTS], 0, 2, &x, e);

	if (rc == 0)
		rc = doc_pieces_read(path[EXTENTS], 0, &l, e);
	if (rc == 0)
		rc = doc_deal_read(path[EXTENTS], &l, e);
	if (rc == 0)
		rc = doc_sums_read(path[SUMS], 0, &sums, e);
	nomem.result += x.n + l.n + sums.n;
	extents_fini(&x);
	parts_fini(&l);
	part_sums_fini(&sums);
	return rc;
}

static int
match(struct hp_err *e)
{
	static const char *const name[] = { "a" }, *const where[] = { "/a" };
	struct parts l = { 0 };
	struct summary sum[1] = { 0 };
	int rc = doc_parts_read(path[PARTS], &l, e);

	nomem.result += l.n;
	if (rc == 0)
		rc = doc_summaries_match(path[SUMMARIES], 0, &l, sum, e);
	if (rc == 0)
		rc = doc_parts_write(out, &l, e);
	if (rc == 0)
		rc = doc_left_write(out, path[SUMMARIES], &l, name, where, e);
	summary_fini(&sum[0]);
	parts_fini(&l);
	return rc;
}

static void
parts_of_a_result(void)
{
	nomem_each(pieces);
	nomem_each(match);
}

static int
sum_up(struct hp_err *e)
{
	static const char *const line[] = { "", "b", "much longer", "b", "c" };
	struct summary all = { 0 };
	struct check c;
	struct order o;
	int rc = 0;

	order_init(&o);
	check_init(&c, &o);
	if (order_option(&o, 'k', "1.2", e) == -1 ||
	    order_option(&o, 'n', NULL, e) == -1 || order_ready(&o, e) == -1)
		rc = -1;
	for (size_t i = 0; rc != -1 && i < sizeof line / sizeof *line; i++)
		rc = check_record(
		    &c, (const unsigned char *)line[i], strlen(line[i]), e);
	for (int i = 0; rc != -1 && i < 2; i++)
		rc = summary_append(&all, &c.summary, e);
	if (rc != -1)
		rc = doc_summary_write(out, &all, e);
	nomem.result += all.records + c.summary.records;
	summary_fini(&all);
	check_fini(&c);
	order_fini(&o);
	return rc;
}

static void
summaries(void)
{
	each_with_jansson(sum_up);
}

/* Calls all writers of documents that allocate no memory of their own. */
static int
write_all(struct hp_err *e)
{
	static char cost[] = "n", method[] = "dp", name[] = "a", w[] = "w";
	struct setting at = { w, 1.5 };
	const struct plan plan = { .nodes = 1,
		.n = 3,
		.method = method,
		.cost = cost,
		.at = &at,
		.nat = 1 };
	const struct share share = { .node = name, .n = 3 };
	const struct extent extent = { 0, 1, 2, 3, 1 };
	struct part part = { 0, 1, 2, 3, 1, 0 };
	const struct parts parts = { &part, 1, 1 };
	const struct summary sum = { .records = 3, .bytes = 5 };
	const uint64_t sublist = 4;
	const struct trace_step step = {
		.node = name, .name = "sort", .run = "r", .end_s = 1
	};
	int rc = -1;

	rewind(out);
	if (doc_plan_write(out, &plan, e) == 0 &&
	    doc_compare_write(out, &plan, e) == 0 &&
	    doc_share_write(out, 0, &share, e) == 0 &&
	    doc_extent_write(out, &extent, e) == 0 &&
	    doc_count_write(out, 1, 2, 3, e) == 0 &&
	    doc_parts_write(out, &parts, e) == 0 &&
	    doc_sum_write(out, &sum, &sublist, e) == 0 &&
	    doc_step_write(out, &step, e) == 0)
		rc = 0;
	nomem.result += written();
	return rc;
}

static void
lines_written(void)
{
	each_with_jansson(write_all);
}

static void
forget_name(void *context, char *name)
{
	(void)context;
	nomem.result++;
	free(name);
}

static int
losses(struct hp_err *e)
{
	static const char *const name[] = { "a", "b" };
	struct misses l = { 0 };
	size_t broken;
	int rc = doc_misses_read(path[MISSES], 0, 2, &l, e);

	nomem.result += l.n;
	if (rc == 0)
		rc = doc_misses_replace(file, 0, name, &l, e);
	misses_fini(&l);
	unlink(file);
	if (rc == 0)
		rc = doc_without_append(file, name, 2, e);
	if (rc == 0)
		rc = doc_without_read(file, forget_name, NULL, &broken, e);
	unlink(file);
	return rc;
}

static void
lost_nodes(void)
{
	nomem_each(losses);
}

/* Reads a message and writes it again. */
static int
repeat(const char *said, struct hp_err *e)
{
	struct message m = { 0 };
	char *again = NULL;
	size_t len;
	int rc = message_read(said, strlen(said), &m, e);

	nomem.result += m.nnodes + m.nactions + m.nsizes;
	if (rc == 0 && (again = message_write(&m, &len, e)) == NULL)
		rc = -1;
	free(again);
	message_fini(&m);
	return rc;
}

static int
message(struct hp_err *e)
{
	if (repeat("{\"type\":\"open\",\"timeout_s\":1.5,\"nodes\":[{\"rank\":3"
		   ",\"dir\":\"/\\u00fc\",\"input\":\"i\"}]}",
		e) == -1 ||
	    repeat("{\"type\":\"start\",\"id\":1,\"rank\":0,\"actions\":[{"
		   "\"kind\":\"run\",\"words\":[\"x\",\"\\u00fc\"],"
		   "\"in_kind\":\"none\",\"out_kind\":\"none\"}]}",
		e) == -1)
		return -1;
	return repeat("{\"type\":\"ended\",\"id\":1,\"failed\":1,\"code\":0,"
		      "\"signal\":0,\"user_s\":0.5,\"system_s\":0.5,"
		      "\"sizes\":[1,2]}",
	    e);
}

static void
messages(void)
{
	nomem_each(message);
}

static int
work(void *context, uint64_t n, double *seconds, struct hp_err *e)
{
	(void)context, (void)e;
	*seconds = (double)n;
	return 1;
}

static int
profile(struct hp_err *e)
{
	static const uint64_t size[] = { 2, 4, 8 };
	const struct profile_opts o = { .run = work,
		.size = size,
		.nsizes = 3,
		.seconds = 1,
		.precision = 0.05 };
	struct profile p;
	int rc = profile_measure(&o, &p, e);

	nomem.result += p.n;
	profile_fini(&p);
	return rc;
}

static int
command(struct hp_err *e)
{
	char *argv[] = { "true", "{n}", NULL };
	struct command c = { .argv = argv };
	double seconds;
	int rc = command_open(&c, false, e);

	if (rc == 0)
		rc = command_run(&c, 5, &seconds, e) == 1 ? 0 : -1;
	command_close(&c);
	return rc;
}

static void
profiles(void)
{
	nomem_each(profile);
	nomem_each(command);
}

static int
options(struct hp_err *e)
{
	char **word = NULL;
	struct order o;
	int rc = -1;

	order_init(&o);
	if (order_option(&o, 'k', "2", e) == 0 &&
	    order_option(&o, 'k', "3n", e) == 0 && order_ready(&o, e) == 0 &&
	    (word = order_words(&o, NULL, e)) != NULL)
		rc = 0;
	free(word);
	order_fini(&o);
	return rc;
}

/* Reads a line longer than the first buffer, so that the buffer must grow. */
static int
long_line(struct hp_err *e)
{
	const struct format f = { .kind = FORMAT_LINE, .delim = '\n' };
	const unsigned char *record;
	struct reader r = { 0 };
	size_t len;
	int zeros = memfd_create("zeros", 0), rc = -1;

	if (ftruncate(zeros, 3000000) == 0 &&
	    reader_init(&r, zeros, "zeros", &f, e) == 0)
		rc = reader_next(&r, &record, &len, e) == 1 ? 0 : -1;
	if (rc == 0)
		CHECK_EQ_U64(len, 3000000);
	reader_close(&r);
	close(zeros);
	return rc;
}

static void
orders_and_records(void)
{
	nomem_each(options);
	nomem_each(long_line);
}

int
main(void)
{
	test_scratch();
	if ((out = fdopen(memfd_create("out", 0), "w")) == NULL ||
	    mkdtemp(directory) == NULL)
		return 1;
	snprintf(file, sizeof file, "%s/file", directory);
	write_documents();
	RUN(clusters);
	RUN(clusters_of_a_run);
	RUN(learned_points);
	RUN(dealt_batches);
	RUN(plans);
	RUN(sublists_and_candidates);
	RUN(parts_of_a_result);
	RUN(summaries);
	RUN(lines_written);
	RUN(lost_nodes);
	RUN(messages);
	RUN(profiles);
	RUN(orders_and_records);
	rmdir(directory);
	fclose(out);
	return test_done();
}
