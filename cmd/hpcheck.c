#include <stdio.h>

#include "check/check.h"
#include "cmd.h"
#include "doc/summary.h"
#include "ordering.h"
#include "record/stream.h"

struct opts {
	bool combine;
	struct order order;
	char **file; /* NULL at the end; never none */
};

enum {
	RECORDS = 1 << 0, /* the forms of the synopsis */
	COMBINE = 1 << 1
};

/* clang-format off */
#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 0, "combine", NULL, "sum up summaries, in the order given",
	    set_flag, TO(combine), .forms = COMBINE },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part parts[] = {
	{ ordering_options, TO(order), RECORDS },
	{ own },
	{ 0 },
};
static const struct cmd_form forms[] = {
	{ NULL, "[FILE...]" },
	{ "--combine", "[SUMMARY...]" },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, parts, "" };

static void
parse(struct opts *o, int argc, char *argv[])
{
	static char stdin_name[] = "-", *stdin_only[] = { stdin_name, NULL };
	int first;

	*o = (struct opts){ .file = stdin_only };
	order_init(&o->order);
	first = cmd_parse(&syntax, o, argc, argv);
	ordering_done(&o->order);
	if (first < argc)
		o->file = argv + first;
	else
		cmd_reads_terminal();
}

/* Remembers in *no where the first disorder is. */
static int
check_file(
    struct check *c, const char *path, struct hp_err *no, struct hp_err *e)
{
	const unsigned char *record;
	struct reader r;
	size_t len;
	int rc;

	if (reader_open(&r, path, &c->order->format, e) == -1)
		return -1;
	while ((rc = reader_next(&r, &record, &len, e)) == 1) {
		rc = check_record(c, record, len, e);
		if (rc == -1)
			break;
		if (rc == 1 && no->kind == HP_NONE)
			hp_fail(no, HP_NO, "%s: record %ju: not in order",
			    r.name, (uintmax_t)r.nrec);
	}
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
		rc = check_file(&c, *file, no, e);
	*sum = c.summary;
	c.summary = (struct summary){ 0 };
	check_fini(&c);
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
			? "begins before the part in front of it ends"
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
	rc = o.combine ? combine_files(&o, &sum, &no, &e)
		       : check_files(&o, &sum, &no, &e);
	if (rc == 0)
		rc = doc_summary_write(stdout, &sum, &e);
	if (rc == 0 && no.kind == HP_NO) {
		e = no;
		rc = -1;
	}
	summary_fini(&sum);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
