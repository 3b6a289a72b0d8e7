#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "cmd.h"
#include "record/header.h"
#include "record/scan.h"
#include "store.h"
#include "words.h"

enum {
	CHUNK = 1 << 20
};

/* State of copying input files, each of which begins with a header. */
struct input {
	struct format format;
	struct header header;
	bool open_line; /* the last line copied lacks its delimiter */
};

/* Fails, and names the file behind standard output. */
static int
fail_put(struct hp_err *e)
{
	int errnum = errno;
	char name[PATH_MAX];
	ssize_t n = readlink("/proc/self/fd/1", name, sizeof name - 1);

	errno = errnum;
	if (n <= 0 || name[0] != '/')
		return hp_fail_errno(e, HP_IO, "standard output");
	name[n] = '\0';
	return hp_fail_errno(e, HP_IO, "%s", name);
}

static int
put(const void *buf, size_t n, struct hp_err *e)
{
	return io_write(STDOUT_FILENO, buf, n) == -1 ? fail_put(e) : 0;
}

/* Copies the rest of a file, after its header, to standard output. */
static int
copy_rest(struct input *in, int fd, const char *path, struct hp_err *e)
{
	unsigned char *buf = malloc(CHUNK);
	int rc = 0;
	ssize_t n;

	if (buf == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", path);
	while (rc == 0 && (n = read(fd, buf, CHUNK)) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			rc = hp_fail_errno(e, HP_IO, "%s",
			    strcmp(path, "-") == 0 ? "standard input" : path);
		else {
			in->open_line = scan_is_cut(&in->format, buf, buf + n);
			rc = put(buf, (size_t)n, e);
		}
	}
	free(buf);
	return rc;
}

/*
 * Copies one more file without its header.  The header of the first non-empty
 * file goes to the descriptor `to`.
 */
static int
store_file(struct input *in, const char *path, int to, struct hp_err *e)
{
	struct header *h = &in->header;
	int fd, rc = 0;

	if (in->open_line && put(&in->format.delim, 1, e) == -1)
		return -1;
	in->open_line = false;
	if (h->first.bytes == 0) {
		if (header_take(h, path, to, "header", e) == -1)
			return -1;
		fd = h->fd;
	} else {
		if ((fd = io_open(path, e)) == -1)
			return -1;
		rc = header_skip(h, fd, path, e);
	}
	if (rc == 0)
		rc = copy_rest(in, fd, path, e);
	io_close(fd);
	return rc;
}

/*
 * Parses the words FORMAT HEADER FILE...  The format `zline` is lines that end
 * in NUL.
 */
static int
input_init(struct input *in, char *words[], struct hp_err *e)
{
	const char *name = words[0];
	bool zero;

	*in = (struct input){ .header = { .format = &in->format, .fd = -1 } };
	if (name == NULL || words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "store FORMAT HEADER FILE...");
	zero = strcmp(name, "zline") == 0;
	if (format_parse(zero ? "line" : name, &in->format, e) == -1 ||
	    int_parse(words[1], 0, COUNT_MOST, &in->header.n, "header", e) ==
		-1)
		return -1;
	if (zero)
		in->format.delim = '\0';
	return 0;
}

int
store_do(char *words[], struct hp_err *e)
{
	struct input in;
	int to = -1, rc = 0;

	if (input_init(&in, words, e) == -1)
		return -1;
	if (in.header.n > 0 &&
	    (to = open("header", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		 0600)) == -1)
		return hp_fail_errno(e, HP_IO, "header");
	for (words += 2; rc == 0 && *words != NULL; words++)
		rc = store_file(&in, *words, to, e);
	if (to != -1 && close(to) == -1 && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "header");
	cmd_header_warn(&in.header);
	return rc;
}

int
cat_do(char *words[], struct hp_err *e)
{
	struct input in = { .header.fd = -1 };
	int rc = 0;

	for (; rc == 0 && *words != NULL; words++) {
		int fd = io_open(*words, e);

		if (fd == -1)
			return -1;
		rc = copy_rest(&in, fd, *words, e);
		io_close(fd);
	}
	return rc;
}

/* Copies the header of a file to a descriptor. */
static int
copy_header(struct input *in, char *words[], int to, struct hp_err *e)
{
	if (input_init(in, words, e) == -1 ||
	    header_take(&in->header, words[2], to, "header", e) == -1)
		return -1;
	io_close(in->header.fd);
	return 0;
}

int
header_do(char *words[], struct hp_err *e)
{
	struct input in;

	return copy_header(&in, words, STDOUT_FILENO, e);
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
	bool one = run->o.nfiles == 1 || scan_delim(&run->o.order.format) == 0;

	if (!run->from_store)
		return 0;
	stage_init(&s);
	/* A pipe cannot be read twice, so this stage is never repeated. */
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
	 * A dry run does not know the size of the header.  So the node writes
	 * the extent of the records after the header to the file `body`.
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
	if (run_header_size(run, e) == -1)
		return -1;
	/*
	 * The copied header ends in a delimiter, even if the end of the node's
	 * file lacks it.  So the header may be longer than the file.
	 */
	first->bytes = run->facts[0].input_bytes;
	first->offset = run->header_bytes < first->bytes ? run->header_bytes
							 : first->bytes;
	first->bytes -= first->offset;
	return 0;
}

int
body_do(char *words[], struct hp_err *e)
{
	struct input in;
	struct stat st;
	uint64_t size, header;

	if (copy_header(&in, words, -1, e) == -1)
		return -1;
	if (stat(words[2], &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[2]);
	size = (uint64_t)st.st_size;
	header = in.header.first.bytes < size ? in.header.first.bytes : size;
	printf("%" PRIu64 ":%" PRIu64 "\n", header, size - header);
	return 0;
}
