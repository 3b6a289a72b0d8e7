#include <stdio.h>

#include "check/check.h"
#include "cmd.h"
#include "doc/summary.h"
#include "record/stream.h"

static const char usage[] =
    "hpcheck [-bdfghiMnRrsuVz] [-F FORMAT] [-k POS1[,POS2]]... [-t C]\n"
    "               [--random-source FILE] [--sort WORD] [FILE...]\n"
    "       hpcheck --combine [SUMMARY...]";

enum {
	OPT_COMBINE = CMD_OWN
};

struct opts {
	bool combine;
	struct order order;
	char **file; /* NULL at the end; never none */
};

static void
parse(struct opts *o, int argc, char *argv[])
{
	static const struct option longopts[] = {
		{ "combine", no_argument, NULL, OPT_COMBINE },
		CMD_ORDER_LONG,
		CMD_COMMON_LONG,
		{ NULL, 0, NULL, 0 },
	};
	static char stdin_name[] = "-", *stdin_only[] = { stdin_name, NULL };
	int c;

	o->combine = false;
	order_init(&o->order);
	while ((c = getopt_long(argc, argv, CMD_ORDER_SHORT, longopts, NULL)) !=
	    -1) {
		if (cmd_order_option(&o->order, c, optarg))
			continue;
		switch (c) {
		case OPT_COMBINE:
			o->combine = true;
			break;
		default:
			cmd_other_option(c, usage);
		}
	}
	cmd_order_done(&o->order);
	o->file = optind < argc ? argv + optind : stdin_only;
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
