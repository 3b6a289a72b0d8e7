/* lib/doc/flat.h: lines that are parsed in place, compared with jansson. */

#include <sys/mman.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doc/lines.h"
#include "doc/values.h"
#include "test.h"

/* One line as a document, read by one of the parsers. */
struct reading {
	struct doc_in d;
	struct hp_err e;
	int got, fd;
};

static void
read_line(struct reading *r, const char *line, bool in_place)
{
	char path[32];

	*r = (struct reading){ .fd = memfd_create("flat", MFD_CLOEXEC) };
	CHECK(write(r->fd, line, strlen(line)) == (ssize_t)strlen(line));
	snprintf(path, sizeof path, "/dev/fd/%d", r->fd);
	CHECK(doc_open(&r->d, path, &r->e) == 0);
	r->d.no_object = in_place;
	r->got = doc_next(&r->d, &r->e);
}

static void
done(struct reading *r)
{
	doc_close(&r->d);
	close(r->fd);
}

/* Checks that both parsers give the same value of the member, or the same
 * error. */
static void
same_member(const struct doc_in *a, const struct doc_in *b, const char *name)
{
	struct hp_err e[2] = { 0 };
	uint64_t count[2] = { 7, 7 };
	double number[2] = { 7, 7 };
	char *text[2] = { NULL, NULL };
	unsigned char *bytes[2] = { NULL, NULL };
	size_t len[2] = { 0, 0 };

	CHECK(doc_u64(a, name, DOC_REQUIRED, &count[0], &e[0]) ==
	    doc_u64(b, name, DOC_REQUIRED, &count[1], &e[1]));
	CHECK(count[0] == count[1] && strcmp(e[0].text, e[1].text) == 0);
	CHECK(doc_number(a, name, DOC_OPTIONAL, &number[0], &e[0]) ==
	    doc_number(b, name, DOC_OPTIONAL, &number[1], &e[1]));
	CHECK(memcmp(&number[0], &number[1], sizeof number[0]) == 0);
	CHECK(doc_string(a, name, DOC_REQUIRED, &text[0], &e[0]) ==
	    doc_string(b, name, DOC_REQUIRED, &text[1], &e[1]));
	CHECK((text[0] == NULL) == (text[1] == NULL));
	CHECK(text[0] == NULL || strcmp(text[0], text[1]) == 0);
	CHECK(doc_hex(a, name, DOC_REQUIRED, &bytes[0], &len[0], &e[0]) ==
	    doc_hex(b, name, DOC_REQUIRED, &bytes[1], &len[1], &e[1]));
	CHECK(strcmp(e[0].text, e[1].text) == 0 && len[0] == len[1]);
	CHECK(len[0] == 0 || memcmp(bytes[0], bytes[1], len[0]) == 0);
	CHECK(doc_has(a, name) == doc_has(b, name));
	for (int i = 0; i < 2; i++) {
		free(text[i]);
		free(bytes[i]);
	}
}

static const char *const names[] = { "type", "key", "a", "b", "o", "" };

static void
same_object(const struct doc_in *a, const struct doc_in *b)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		same_member(a, b, names[i]);
}

/* Lines of JSON, and whether each is parsed in place. */
static const struct {
	const char *line;
	bool in_place;
} lines[] = {
	{ "{\"type\":\"count\",\"a\":0,\"b\":12}\n", true },
	{ "{\"type\":\"count\",\"key\":\"00ff\",\"a\":999999999999999}", true },
	{ "{\"a\":1,\"type\":\"x\",\"key\":\"\",\"b\":\"text\"}\n", true },
	{ "{\"type\":\"x\",\"o\":{\"key\":\"61\",\"a\":3},\"b\":4}\n", true },
	{ "{\"type\":\"x\",\"o\":{\"o\":5,\"b\":\"a\"},\"key\":\"6\"}\n",
	    true },
	/* These lines are left to jansson, which accepts them. */
	{ "{\"type\":\"count\",\"a\":9007199254740992}\n", false },
	{ "{\"type\":\"count\",\"a\":9007199254740993}\n", false },
	{ "{\"type\":\"count\", \"a\":1}\n", false },
	{ "{\"type\":\"count\",\"a\":1}\r\n", false },
	{ "{\"type\":\"count\",\"a\":1.0,\"b\":-1}\n", false },
	{ "{\"type\":\"count\",\"a\":1e3,\"b\":null}\n", false },
	{ "{\"type\":\"count\",\"a\":\"\\u0041\",\"b\":\"\xc3\xa9\"}\n",
	    false },
	{ "{\"type\":\"x\",\"o\":{\"o\":{\"a\":1}},\"a\":[1],\"b\":true}\n",
	    false },
	{ "{\"type\":\"x\",\"o\":{}}\n", false },
	{ "{\"type\":\"a type of more than as many bytes as are kept\"}\n",
	    false },
	/* These lines are left to jansson, which rejects them. */
	{ "{\"type\":\"count\",\"a\":01}\n", false },
	{ "{\"type\":\"count\",\"a\":1,\"a\":2}\n", false },
	{ "{\"type\":\"x\",\"o\":{\"a\":1,\"a\":2}}\n", false },
	{ "{\"type\":\"count\",\"a\":1}}\n", false },
	{ "{\"type\":\"count\",\"a\":1,}\n", false },
	{ "{\"type\":\"count\",\"a\":}\n", false },
	{ "{\"type\":\"count\",\"a\n", false },
	{ "{\"type\":\"count\"\n", false },
	{ "{\"type\":7}\n", false },
	{ "{\"a\":1}\n", false },
	{ "{}\n", false },
	{ "[]\n", false },
	{ "\"type\"\n", false },
};

static void
both_readers_say_the_same(void)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct reading a, b;
		struct doc_in in[2];
		struct hp_err e[2] = { 0 };

		read_line(&a, lines[i].line, true);
		read_line(&b, lines[i].line, false);
		CHECK(a.got == b.got);
		CHECK(a.got != 1 || strcmp(a.d.type, b.d.type) == 0);
		if (a.got == -1)
			CHECK(strcmp(strchr(a.e.text, ':'),
				  strchr(b.e.text, ':')) == 0);
		CHECK((a.got == 1 && a.d.object == NULL) == lines[i].in_place);
		if (a.got == 1) {
			/* Both messages must name the same document. */
			a.d.name = b.d.name = "document";
			same_object(&a.d, &b.d);
			CHECK(doc_inner(&a.d, "o", &in[0], &e[0]) ==
			    doc_inner(&b.d, "o", &in[1], &e[1]));
			CHECK(strcmp(e[0].text, e[1].text) == 0);
			if (e[0].kind == HP_NONE && doc_has(&a.d, "o"))
				same_object(&in[0], &in[1]);
		}
		done(&a);
		done(&b);
	}
}

static void
a_line_may_have_more_members_than_are_kept(void)
{
	char line[4096] = "{\"type\":\"x\"";
	struct reading r;
	uint64_t n;

	for (int i = 0; i < 2 * FLAT_MEMBERS; i++)
		sprintf(line + strlen(line), ",\"m%d\":%d", i, i);
	strcat(line, "}\n");
	read_line(&r, line, true);
	CHECK(r.got == 1 && r.d.object != NULL);
	CHECK(doc_u64(&r.d, "m47", DOC_REQUIRED, &n, &r.e) == 1 && n == 47);
	done(&r);
}

int
main(void)
{
	RUN(both_readers_say_the_same);
	RUN(a_line_may_have_more_members_than_are_kept);
	return test_done();
}
