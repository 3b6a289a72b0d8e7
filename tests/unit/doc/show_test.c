/*
 * Documents for people: readable keys, byte order marks, weights, and the
 * members of points that only learning reads.
 */

#include <sys/mman.h>

#include <unistd.h>

#include "doc/cluster.h"
#include "doc/nodes.h"
#include "doc/show.h"
#include "doc/weights.h"
#include "test.h"

static int
file_of(const char *text, char *path, size_t size)
{
	int fd = memfd_create("document", MFD_CLOEXEC);
	size_t len = strlen(text);

	CHECK(write(fd, text, len) == (ssize_t)len);
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

/* Checks what doc_show makes of a document, and of what it has made. */
static void
shows(const char *document, const char *want)
{
	const char *text = document;
	char *got[2] = { NULL };
	size_t len;

	for (int again = 0; again < 2; again++) {
		struct hp_err e = { 0 };
		struct order o;
		char path[32];
		int fd = file_of(text, path, sizeof path);
		FILE *f = open_memstream(&got[again], &len);

		order_init(&o);
		CHECK_EQ_I64(order_ready(&o, &e), 0);
		CHECK_EQ_I64(doc_show(f, path, &o, &e), 0);
		CHECK_EQ_STR(e.text, "");
		fclose(f);
		close(fd);
		order_fini(&o);
		CHECK_EQ_STR(got[again], want);
		text = got[0];
	}
	free(got[0]);
	free(got[1]);
}

static void
keys_are_readable(void)
{
	shows("{\"type\":\"candidate\",\"rank\":0,\"index\":1,\"key\":\"6162\"}"
	      "\n",
	    "{\"type\":\"candidate\",\"rank\":0,\"index\":1,\"key\":\"6162\","
	    "\"text\":\"ab\"}\n");
	shows("{\"type\":\"sublist\",\"until\":{\"key\":\"61\"},"
	      "\"low\":{\"key\":\"62\"},\"high\":{\"key\":\"63\"}}\n",
	    "{\"type\":\"sublist\",\"until\":{\"key\":\"61\",\"text\":\"a\"},"
	    "\"low\":{\"key\":\"62\",\"text\":\"b\"},"
	    "\"high\":{\"key\":\"63\",\"text\":\"c\"}}\n");
	/* The last sublist has no bound, and a bound may have no key. */
	shows("{\"type\":\"sublist\",\"low\":{\"rank\":1}}\n",
	    "{\"type\":\"sublist\",\"low\":{\"rank\":1}}\n");
	shows("{\"type\":\"summary\",\"first\":\"61\",\"last\":\"0a62\"}\n",
	    "{\"type\":\"summary\",\"first\":\"61\",\"last\":\"0a62\","
	    "\"first_text\":\"a\",\"last_text\":\"\\\\012b\"}\n");
}

static void
a_wrong_key_is_told(void)
{
	static const char *const wrong[] = {
		"{\"type\":\"candidate\",\"key\":\"6\"}\n",
		"{\"type\":\"sublist\",\"until\":{\"key\":\"xx\"}}\n",
		"{\"type\":\"sublist\",\"low\":{\"key\":1}}\n",
		"{\"type\":\"sublist\",\"high\":3}\n",
		"{\"type\":\"summary\",\"last\":\"6\"}\n",
		"{\"type\":\"node\"}\n",
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct hp_err e = { 0 };
		struct order o;
		char path[32], *got = NULL;
		size_t len;
		int fd = file_of(wrong[i], path, sizeof path);
		FILE *f = open_memstream(&got, &len);

		order_init(&o);
		CHECK_EQ_I64(order_ready(&o, &e), 0);
		CHECK_EQ_I64(doc_show(f, path, &o, &e), -1);
		CHECK_EQ_U64(e.kind, HP_INPUT);
		CHECK(strstr(e.text, "line 1") != NULL);
		fclose(f);
		free(got);
		close(fd);
		order_fini(&o);
	}
}

#define NODE "{\"type\":\"node\",\"node\":\"a\",\"speed\":2}\n"
#define MARK "\xef\xbb\xbf"

static void
a_byte_order_mark_is_at_the_start(void)
{
	struct hp_err e = { 0 };
	struct cluster c;

	CHECK_EQ_I64(doc_cluster_parse(MARK NODE, &c, &e), 0);
	CHECK_EQ_STR(e.text, "");
	cluster_fini(&c);
	CHECK_EQ_I64(
	    doc_cluster_parse(
		"{\"type\":\"node\",\"node\":\"b\",\"speed\":2}\n" MARK NODE,
		&c, &e),
	    -1);
	CHECK_EQ_U64(e.kind, HP_INPUT);
	CHECK(strstr(e.text, "line 2") != NULL);
	cluster_fini(&c);
}

/* Each member of a point must be sound, also where only learning reads it. */
static void
members_of_points_are_checked(void)
{
	static const char *const wrong[] = { "\"low\":0", "\"low\":-1",
		"\"high\":\"2\"", "\"high\":1e300", "\"interval_s\":-1",
		"\"interval_s\":true", "\"interval_s\":1e300", "\"runs\":0",
		"\"runs\":1.5", "\"runs\":\"3\"" };
	static const char *const right[] = { "\"low\":1", "\"high\":2.5",
		"\"interval_s\":0", "\"runs\":1", "\"low\":null",
		"\"interval_s\":null", "\"runs\":null" };
	char line[300];

	for (size_t i = 0; i < 2 * 10; i++) {
		bool good = i % 2 == 0;
		const char *member = good ? right[i / 2 % 7] : wrong[i / 2];
		struct hp_err e = { 0 };
		struct cluster c;

		snprintf(line, sizeof line,
		    "{\"type\":\"node\",\"node\":\"a\",\"points\":[{\"n\":10,"
		    "\"seconds\":1},{\"n\":20,\"seconds\":2,%s}]}\n",
		    member);
		if (doc_cluster_parse(line, &c, &e) != (good ? 0 : -1) ||
		    (!good && strstr(e.text, "point 1") == NULL))
			test_bad(__FILE__, __LINE__, "%s: %s", member, e.text);
		cluster_fini(&c);
	}
}

static void
weights_are_summed(void)
{
	static const double sum[] = { 0, 5, 6, 8.5, 8.5, 9007199254740992 };
	static const char *const wrong[] = { "1\n-1\n", "1\nx\n", "1\nnan\n",
		"1\ninf\n", "1\n1 2\n", "1\n\n3\n", "9007199254740992\n1\n" };
	struct hp_err e = { 0 };
	struct weights w;
	char path[32];
	int fd = file_of(
	    "5\n1 \n\t2.5\r\n0\n9007199254740983", path, sizeof path);

	CHECK_EQ_I64(doc_weights_read(path, &w, &e), 0);
	CHECK_EQ_STR(e.text, "");
	REQUIRE(w.n == 5);
	for (size_t i = 0; i <= w.n; i++)
		CHECK(w.sum[i].sum == sum[i]);
	CHECK(w.sum[4].rest == 0 && w.sum[5].rest == -0.5);
	weights_fini(&w);
	close(fd);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		fd = file_of(wrong[i], path, sizeof path);
		CHECK_EQ_I64(doc_weights_read(path, &w, &e), -1);
		CHECK_EQ_U64(e.kind, HP_INPUT);
		CHECK(strstr(e.text, ":2: ") != NULL);
		close(fd);
	}
	CHECK_EQ_I64(doc_weights_read("/no/such", &w, &e), -1);
	CHECK_EQ_U64(e.kind, HP_IO);
}

int
main(void)
{
	RUN(keys_are_readable);
	RUN(a_wrong_key_is_told);
	RUN(a_byte_order_mark_is_at_the_start);
	RUN(members_of_points_are_checked);
	RUN(weights_are_summed);
	return test_done();
}
