#include <stdio.h>
#include <stdlib.h>

#include "base/io.h"
#include "base/outfile.h"
#include "base/sum.h"
#include "cmd.h"
#include "gen/gen.h"
#include "gen/gensort.h"
#include "opts.h"

enum {
	BUFFER = 1 << 20
};

/*
 * A generator of records.  Its function `next` writes one record to a buffer
 * and returns the record's length.
 */
struct source {
	size_t (*next)(struct source *, unsigned char *);
	size_t max;
	struct gensort gensort;
	struct gen gen;
};

static size_t
next_gensort(struct source *s, unsigned char *out)
{
	gensort_next(&s->gensort, out);
	return GENSORT_SIZE;
}

static size_t
next_gen(struct source *s, unsigned char *out)
{
	return gen_next(&s->gen, out);
}

static int
source_init(struct source *s, const struct opts *o, struct hp_err *e)
{
	if (o->gensort) {
		gensort_init(&s->gensort, o->start, o->ascii, o->skewed);
		s->max = GENSORT_SIZE;
		s->next = next_gensort;
		return 0;
	}
	s->next = next_gen;
	if (gen_init(&s->gen, &o->gen, e) == -1)
		return -1;
	s->max = s->gen.max;
	return 0;
}

/*
 * Writes the records in large blocks, and adds each to a checksum if the user
 * asked for one.
 */
static int
generate(struct source *s, const struct opts *o, struct outfile *out,
    struct sum *sum, struct hp_err *e)
{
	size_t cap = s->max > BUFFER ? s->max : BUFFER, len, n;
	unsigned char *buf = malloc(cap);
	uint64_t left = o->count;
	int rc = 0;

	if (buf == NULL)
		return hp_fail(e, HP_NOMEM, "a record of %zu bytes", s->max);
	while (left > 0 && rc == 0) {
		for (len = 0; left > 0 && cap - len >= s->max; left--) {
			n = s->next(s, buf + len);
			if (o->checksum)
				sum_record(sum, buf + len, n);
			len += n;
		}
		if (io_write(out->fd, buf, len) == -1)
			rc = hp_fail_errno(e, HP_IO, "%s", out->name);
	}
	free(buf);
	return rc;
}

int
main(int argc, char *argv[])
{
	struct outfile out = { .fd = -1 };
	struct source source;
	struct hp_err e = { 0 };
	struct sum sum = { 0 };
	struct opts o;
	char hex[SUM_HEX];
	int rc = -1;

	opts_parse(&o, argc, argv);
	if (source_init(&source, &o, &e) == -1 ||
	    outfile_open(&out, o.file, &e) == -1 ||
	    generate(&source, &o, &out, &sum, &e) == -1 ||
	    outfile_commit(&out, &e) == -1)
		goto done;
	rc = 0;
	if (o.checksum) {
		sum_format(&sum, hex);
		fprintf(stderr, "%s\n", hex);
		rc = cmd_told(&e);
	}
done:
	outfile_abort(&out);
	return cmd_finish(rc, &e);
}
