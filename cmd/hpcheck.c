#include <stdio.h>

#include "base/size.h"
#include "check/check.h"
#include "cmd.h"
#include "doc/parts.h"
#include "doc/summary.h"
#include "ordering.h"
#include "record/stream.h"
#include "synopsis.h"

struct opts {
	bool combine, sum;
	uint64_t offset, bytes; /* --extent */
	/* records at the start of each file that are not checked */
	uint64_t header;
	const char *extents; /* NULL: none */
	uint64_t rank;	     /* node to check; UINT64_MAX: all */
	struct order order;
	char **file; /* ends with NULL; at least one */
};

enum {
	RECORDS = 1 << 0, /* the forms of the synopsis */
	EXTENTS = 1 << 1,
	COMBINE = 1 << 2
};

static int
set_extent(void *to, int letter, const char *arg, struct hp_err *e)
{
	struct opts *o = to;

	(void)letter;
	return extent_parse(arg, &o->offset, &o->bytes, e);
}

/* clang-format off */
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 0, "combine", NULL, "combine summaries, in the order given",
	    set_flag, TO(combine), .forms = COMBINE },
	{ 0, "extent", "OFFSET:BYTES", "check only this part of the file",
	    set_extent, 0, .forms = RECORDS },
	{ 0, "extents", "EXTENTS", "print a line for each of these extents",
	    set_text, TO(extents), .forms = EXTENTS },
	{ 0, "header", "N", "ignore the first N records of each file",
	    set_count, TO(header), .forms = RECORDS },
	{ 'N', "node", "RANK", "check only the extents of this node",
	    set_number, TO(rank), .forms = EXTENTS },
	{ 0, "sum", NULL, "print count and checksum; ignore order",
	    set_flag, TO(sum), .forms = RECORDS | EXTENTS },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = {
	{ ordering_options, TO(order), RECORDS | EXTENTS },
	{ own },
	{ 0 },
};
static const struct cmd_form forms[] = {
	{ NULL, "[FILE...]" },
	{ "--extents EXTENTS", "FILE" },
	{ "--combine", "[SUMMARY...]" },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, parts, "" };

static void
parse(struct opts *o, int argc, char *argv[])
{
	static char stdin_name[] = "-", *stdin_only[] = { stdin_name, NULL };
	int first;

	*o = (struct opts){
		.bytes = UINT64_MAX, .rank = UINT64_MAX, .file = stdin_only
	};
	order_init(&o->order);
	first = cmd_parse(&syntax, o, argc, argv);
	ordering_done(&o->order);
	if (o->extents != NULL && argc - first != 1)
		cmd_misuse(&syntax, "--extents takes one FILE");
	if (o->extents == NULL && o->rank != UINT64_MAX)
		cmd_misuse(&syntax, "-N needs --extents");
	if (o->bytes != UINT64_MAX && (o->extents != NULL || argc - first > 1))
		cmd_misuse(
		    &syntax, "--extent takes one FILE and excludes --extents");
	if (o->combine &&
	    (o->bytes != UINT64_MAX || o->extents != NULL || o->header > 0))
		cmd_misuse(&syntax,
		    "--combine excludes --extent, --extents and --header");
	if (o->header > 0 && (o->bytes != UINT64_MAX || o->extents != NULL))
		cmd_misuse(&syntax, "--header needs whole files");
	if (first < argc)
		o->file = argv + first;
	else
		cmd_reads_terminal();
}

/*
 * Adds the records that the reader returns to the check. If a record is out of
 * order, *no gets the message that names the first such record.
 */
static int
check_reader(const struct opts *o, struct check *c, struct reader *r,
    struct hp_err *no, struct hp_err *e)
{
	const uint64_t first = c->summary.records;
	const unsigned char *text;
	size_t n;
	int rc;

	while ((rc = reader_text(r, &text, &n, e)) == 1) {
		if (o->sum)
			check_count_text(c, text, n);
		else if ((rc = check_text(c, text, n, e)) == -1)
			break;
		r->nrec = c->summary.records - first;
		if (!o->sum && rc == 1 && no->kind == HP_NONE)
			hp_fail(no, HP_NO, "%s: record %ju: not in order",
			    r->name,
			    (uintmax_t)(r->header + 1 - first +
				c->summary.first_unordered));
	}
	return rc;
}

/* Checks the records of one file, or of a byte range of it. */
static int
check_range(const struct opts *o, struct check *c, const char *path,
    uint64_t offset, uint64_t bytes, struct hp_err *no, struct hp_err *e)
{
	struct reader r;
	int rc = 0;

	if (reader_open(&r, path, &c->order->format, e) == -1)
		return -1;
	if (bytes != UINT64_MAX)
		rc = reader_extent(&r, offset, bytes, e);
	if (rc == 0 && o->header > 0)
		rc = reader_header(&r, o->header, e);
	if (rc == 0)
		rc = check_reader(o, c, &r, no, e);
	reader_close(&r);
	return rc;
}

static int
check_files(const struct opts *o, struct summary *sum, struct hp_err *no,
    struct hp_err *e)
{
	struct check c;
	int rc = 0;

	check_init(&c, &o->order);
	for (char **file = o->file; *file != NULL && rc == 0; file++)
		rc = check_range(o, &c, *file, o->offset, o->bytes, no, e);
	*sum = c.summary;
	c.summary = (struct summary){ 0 };
	check_fini(&c);
	return rc;
}

/*
 * Checks each extent of the file that the extents document gives to node
 * o->rank, or all extents if no rank is given.  Prints one line for each
 * extent.
 */
static int
check_extents(const struct opts *o, struct hp_err *no, struct hp_err *e)
{
	struct parts l = { 0 };
	int rc = doc_deal_read(o->extents, &l, e);

	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		const struct part *p = &l.v[i];
		struct check c;

		if (o->rank != UINT64_MAX && p->rank != o->rank)
			continue;
		check_init(&c, &o->order);
		rc = check_range(o, &c, *o->file, p->offset, p->bytes, no, e);
		if (rc == 0 && c.summary.records != p->records)
			rc = hp_fail(e, HP_INPUT,
			    "%s: %ju records from byte %ju on, not the %ju of "
			    "%s",
			    *o->file, (uintmax_t)c.summary.records,
			    (uintmax_t)p->offset, (uintmax_t)p->records,
			    o->extents);
		if (rc == 0)
			rc = o->sum
			    ? doc_sum_write(stdout, &c.summary, &p->sublist, e)
			    : doc_summary_write(stdout, &c.summary, e);
		check_fini(&c);
	}
	parts_fini(&l);
	return rc;
}

static int
combine_file(
    struct summary *sum, const char *path, struct hp_err *no, struct hp_err *e)
{
	struct summary part = { 0 };
	uint64_t unordered;
	struct doc_in d;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_summary_read(&d, &part, e)) == 1) {
		unordered = sum->unordered + part.unordered;
		if ((rc = summary_append(sum, &part, e)) == -1)
			break;
		if (no->kind == HP_NO || sum->unordered == 0)
			continue;
		hp_fail(no, HP_NO, "%s: line %zu: %s", d.name, d.line,
		    sum->unordered > unordered
			? "begins before the previous part ends"
			: "not in order");
	}
	summary_fini(&part);
	doc_close(&d);
	return rc;
}

static int
combine_files(const struct opts *o, struct summary *sum, struct hp_err *no,
    struct hp_err *e)
{
	int rc = 0;

	for (char **file = o->file; *file != NULL && rc == 0; file++)
		rc = combine_file(sum, *file, no, e);
	return rc;
}

int
main(int argc, char *argv[])
{
	struct hp_err e = { 0 }, no = { 0 };
	struct summary sum = { 0 };
	struct opts o;
	int rc;

	parse(&o, argc, argv);
	rc = o.extents != NULL ? check_extents(&o, &no, &e)
	    : o.combine	       ? combine_files(&o, &sum, &no, &e)
			       : check_files(&o, &sum, &no, &e);
	if (rc == 0 && o.extents == NULL)
		rc = o.sum ? doc_sum_write(stdout, &sum, NULL, &e)
			   : doc_summary_write(stdout, &sum, &e);
	if (rc == 0 && no.kind == HP_NO) {
		e = no;
		rc = -1;
	}
	summary_fini(&sum);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
