#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "store.h"
#include "words.h"

enum {
	CHUNK = 1 << 20
};

/* Splits input into a header, its first records, and a body. */
struct splitter {
	int header, body; /* descriptors; -1: the bytes are dropped */
	bool lines;
	char delim;
	uint64_t left;	 /* header lines, or bytes of records, still to come */
	bool open_line;	 /* the last line lacks its delimiter */
	uint64_t passed; /* header bytes so far */
};

static int
put(int fd, const char *buf, size_t n, struct hp_err *e)
{
	if (fd == -1 || n == 0)
		return 0;
	return io_write(fd, buf, n) == -1
	    ? hp_fail_errno(e, HP_IO, "stored input")
	    : 0;
}

/* Returns how many of the bytes belong to the header. */
static size_t
of_header(struct splitter *s, const char *buf, size_t n)
{
	size_t used = 0;

	if (!s->lines) {
		used = s->left < n ? (size_t)s->left : n;
		s->left -= used;
		return used;
	}
	while (s->left > 0 && used < n) {
		const char *end = memchr(buf + used, s->delim, n - used);

		if (end == NULL)
			return n;
		used = (size_t)(end - buf) + 1;
		s->left--;
	}
	return used;
}

static int
split(struct splitter *s, const char *buf, size_t n, struct hp_err *e)
{
	size_t head = of_header(s, buf, n);

	s->passed += head;
	if (n > 0)
		s->open_line = s->lines && buf[n - 1] != s->delim;
	if (put(s->header, buf, head, e) == -1)
		return -1;
	return put(s->body, buf + head, n - head, e);
}

/* Adds the delimiter that the last line of a file or header lacks. */
static int
end_line(struct splitter *s, struct hp_err *e)
{
	if (!s->open_line)
		return 0;
	return split(s, &s->delim, 1, e);
}

static int
copy_file(struct splitter *s, const char *path, struct hp_err *e)
{
	int fd = io_open(path, e), rc = 0;
	char *buf = malloc(CHUNK);
	ssize_t n;

	if (buf == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "%s", path);
	if (fd == -1 || buf == NULL) {
		free(buf);
		return -1;
	}
	while (rc == 0 && (n = read(fd, buf, CHUNK)) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			rc = hp_fail_errno(e, HP_IO, "%s",
			    strcmp(path, "-") == 0 ? "standard input" : path);
		else
			rc = split(s, buf, (size_t)n, e);
		if (rc == 0 && s->body == -1 && s->left == 0)
			break;
	}
	free(buf);
	io_close(fd);
	return rc;
}

/* words: FORMAT HEADER FILE...; the format `zline` is lines that end in NUL. */
static int
splitter_init(struct splitter *s, char *words[], struct hp_err *e)
{
	struct format format;
	const char *name = words[0];
	uint64_t header;

	*s = (struct splitter){ .header = -1, .body = -1, .delim = '\n' };
	if (name == NULL || words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "store FORMAT HEADER FILE...");
	if (strcmp(name, "zline") == 0) {
		s->delim = '\0';
		name++;
	}
	if (format_parse(name, &format, e) == -1 ||
	    int_parse(words[1], 0, COUNT_MOST, &header, "header", e) == -1)
		return -1;
	s->lines = format.kind == FORMAT_LINE;
	s->left = s->lines ? header : header * format.size;
	return 0;
}

int
store_do(char *words[], struct hp_err *e)
{
	struct splitter s;
	int rc = 0;

	if (splitter_init(&s, words, e) == -1)
		return -1;
	s.body = STDOUT_FILENO;
	if (s.left > 0 &&
	    (s.header = open("header", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		 0600)) == -1)
		return hp_fail_errno(e, HP_IO, "header");
	for (words += 2; rc == 0 && *words != NULL; words++)
		if ((rc = copy_file(&s, *words, e)) == 0 &&
		    (words[1] != NULL || s.left > 0))
			rc = end_line(&s, e);
	if (s.header != -1 && close(s.header) == -1 && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "header");
	return rc;
}

int
cat_do(char *words[], struct hp_err *e)
{
	struct splitter s = { .header = -1, .body = STDOUT_FILENO };
	int rc = 0;

	for (; rc == 0 && *words != NULL; words++)
		rc = copy_file(&s, *words, e);
	return rc;
}

int
header_do(char *words[], struct hp_err *e)
{
	struct splitter s;

	if (splitter_init(&s, words, e) == -1)
		return -1;
	s.header = STDOUT_FILENO;
	return copy_file(&s, words[2], e);
}

static const char *
format_word(const struct run *run, struct stage *s)
{
	return run->o.order.zero ? "zline"
				 : stage_text(s, "%s", run->format_name);
}

int
store_input(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct step *step;
	struct words w;
	bool one = run->o.nfiles == 1 ||
	    run->o.order.format.kind != FORMAT_LINE;

	if (!run->from_store)
		return 0;
	stage_init(&s);
	/* A pipe cannot be read twice, so this stage is not retried. */
	s.once = true;
	step = stage_step(&s, STEP_LAUNCHER, "store");
	if (run->o.header == 0 && one)
		w = cat_words(run, &s);
	else {
		w = do_words(&s, "store");
		words_add(&w, format_word(run, &s));
		words_addf(&w, "%" PRIu64, run->o.header);
	}
	for (char **file = run->operand; *file != NULL; file++)
		words_add(&w, named_file(run, &s, *file));
	stage_run(&s, step, port_standard(), port_file("input"), &w);
	if (run_stage(run, &s, e) == -1)
		return -1;
	return run->o.dry || run->o.header == 0 ? 0 : run_header_size(run, e);
}

/*
 * Sets the offset behind the header on the first node, and adds a missing
 * delimiter to the header's copy.
 */
static int
complete_header(struct run *run, struct hp_err *e)
{
	int fd = open("header", O_RDWR | O_APPEND | O_CLOEXEC), rc = 0;
	char last, delim = run->o.order.zero ? '\0' : '\n';
	struct stat st;

	if (fd == -1 || fstat(fd, &st) == -1)
		rc = hp_fail_errno(e, HP_IO, "header");
	else {
		run->node[0].offset = (uint64_t)st.st_size;
		if (run->o.order.format.kind == FORMAT_LINE && st.st_size > 0 &&
		    (io_pread(fd, &last, 1, st.st_size - 1) != 1 ||
			(last != delim && io_write(fd, &delim, 1) == -1)))
			rc = hp_fail_errno(e, HP_IO, "header");
	}
	if (fd != -1)
		close(fd);
	return rc;
}

int
store_header_in_place(struct run *run, struct hp_err *e)
{
	struct run_node *first = &run->node[0];
	struct stage s;
	struct step *step;
	struct words w;

	stage_init(&s);
	w = do_words(&s, "header");
	words_add(&w, format_word(run, &s));
	words_addf(&w, "%" PRIu64, run->o.header);
	words_add(&w, first->in);
	step = stage_step(&s, 0, "setup");
	stage_run(&s, step, port_none(), port_file("header"), &w);
	/*
	 * A dry run does not know the header's size: the node writes the extent
	 * of the body to a file.
	 */
	if (run->o.dry) {
		struct words body = words_of(&s);

		words_add_all(&body, w.v);
		body.v[2] = "body";
		stage_run(&s, step, port_none(), port_node("body"), &body);
	}
	if (run_stage(run, &s, e) == -1)
		return -1;
	if (run->o.dry)
		return 0;
	if (complete_header(run, e) == -1 || run_header_size(run, e) == -1)
		return -1;
	first->bytes = run->facts[0].input_bytes > first->offset
	    ? run->facts[0].input_bytes - first->offset
	    : 0;
	return 0;
}

int
body_do(char *words[], struct hp_err *e)
{
	struct splitter s;
	struct stat st;
	uint64_t header;

	if (splitter_init(&s, words, e) == -1)
		return -1;
	if (stat(words[2], &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[2]);
	if (copy_file(&s, words[2], e) == -1)
		return -1;
	header = s.passed < (uint64_t)st.st_size ? s.passed
						 : (uint64_t)st.st_size;
	printf(
	    "%" PRIu64 ":%" PRIu64 "\n", header, (uint64_t)st.st_size - header);
	return 0;
}
