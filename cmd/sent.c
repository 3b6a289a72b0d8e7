#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/outfile.h"
#include "cmd.h"
#include "doc/summary.h"
#include "sent.h"
#include "synopsis.h"

static int
set_format(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return format_parse(arg, to, e);
}

/* clang-format off */
#define TO(member) offsetof(struct sent_sums, member)
const struct cmd_option sent_options[] = {
	{ 'F', "format", "FORMAT", "of the records, for --sums: line, ...",
	    set_format, TO(format) },
	{ 'z', "zero-terminated", NULL, "for --sums, lines end by NUL, not newline",
	    set_flag, TO(zero) },
	{ 0, "sums", "FILE", "write to FILE the checksums of sent records",
	    set_text, TO(path) },
	{ 0 },
};
/* clang-format on */

void
sent_check(struct sent_sums *s, bool file, const struct cmd_syntax *syntax)
{
	if (s->path != NULL && !file)
		cmd_misuse(syntax, "--sums needs -i and -x");
	if (s->path == NULL && (s->zero || s->format.kind != FORMAT_LINE))
		cmd_misuse(syntax, "-F and -z are for --sums");
	if (s->zero)
		s->format.delim = '\0';
}

/* Returns whether the path is the prefix, a point, and a rank. */
static bool
is_received(const char *path, const char *prefix)
{
	const char *rank = strrchr(path, '.');
	char *name;
	bool same;

	if (rank == NULL || rank[1] == '\0' ||
	    rank[1 + strspn(rank + 1, "0123456789")] != '\0' ||
	    asprintf(&name, "%s%s", prefix, rank) == -1)
		return false;
	same = outfile_same(path, name);
	free(name);
	return same;
}

void
sent_spares(const char *option, const char *path, const char *const *input,
    size_t n, const char *prefix)
{
	if (path == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		if (input[i] != NULL)
			cmd_spares_inputs(option, path, &input[i], 1);
	if (prefix != NULL ? is_received(path, prefix)
			   : outfile_same(path, "-"))
		errx(EXIT_TROUBLE, "%s: received records go to %s", option,
		    path);
}

struct exchange_part *
sent_parts(const struct extents *l, struct hp_err *e)
{
	struct exchange_part *p = reallocarray(NULL, l->n + 1, sizeof *p);

	if (p == NULL)
		hp_fail_errno(e, HP_NOMEM, "%zu extents", l->n);
	for (size_t i = 0; p != NULL && i < l->n; i++)
		p[i] = (struct exchange_part){ (uint32_t)l->v[i].sublist,
			l->v[i].offset, l->v[i].bytes, l->v[i].records };
	return p;
}

struct part_sum *
sent_begin(const struct format *f, size_t n, struct hp_err *e)
{
	struct part_sum *s = calloc(n + 1, sizeof *s);

	if (s == NULL)
		hp_fail_errno(e, HP_NOMEM, "%zu sums", n);
	for (size_t i = 0; s != NULL && i < n; i++)
		piecesum_begin(&s[i].sum, f);
	return s;
}

static int
write_lines(const struct exchange *x, FILE *f, struct hp_err *e)
{
	for (size_t i = 0; i < x->nparts; i++) {
		const struct piecesum *p = &x->sum[i].sum;
		struct summary s = { .records = p->records,
			.bytes = p->bytes,
			.checksum = p->sum };
		uint64_t sublist = x->part[i].sublist;

		if (doc_sum_write(f, &s, &sublist, e) == -1)
			return -1;
	}
	return 0;
}

int
sent_write(const char *path, const struct exchange *x, struct hp_err *e)
{
	struct outfile out;
	FILE *f = NULL;
	int fd, rc = -1;

	if (outfile_open(&out, path, e) == -1)
		return -1;
	if ((fd = dup(out.fd)) == -1 || (f = fdopen(fd, "w")) == NULL)
		hp_fail_errno(e, HP_IO, "%s", path);
	else
		rc = write_lines(x, f, e);
	if (f != NULL && fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	else if (f == NULL && fd != -1)
		close(fd);
	if (rc == -1) {
		outfile_abort(&out);
		return -1;
	}
	return outfile_commit(&out, e);
}

void
sent_free(struct part_sum *s, size_t n)
{
	for (size_t i = 0; s != NULL && i < n; i++)
		piecesum_fini(&s[i].sum);
	free(s);
}
