#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "opts.h"
#include "synopsis.h"

static const uint64_t WINDOW = (uint64_t)2 << 20,
		      WINDOW_MOST = (uint64_t)1 << 30;

static int
set_window(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (set_size(to, letter, arg, e) == -1)
		return -1;
	return *(uint64_t *)to > 0 && *(uint64_t *)to <= WINDOW_MOST
	    ? 0
	    : hp_fail(e, HP_USAGE, "size '%s': must be from 1b to 1G", arg);
}

/* clang-format off */
static const struct cmd_form forms[] = {
	{ "-C CLUSTER", "[-i FILE -x EXTENTS]" },
	{ 0 },
};

#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'C', "cluster", "CLUSTER", "read the nodes from CLUSTER",
	    set_text, TO(cluster) },
	{ 'i', "input", "FILE", "send records of FILE, not of a stream",
	    set_text, TO(input) },
	{ 'o', "output", "PREFIX", "write a file PREFIX.N for each source",
	    set_text, TO(prefix) },
	{ 'x', "extents", "EXTENTS", "read the parts of the file from EXTENTS",
	    set_text, TO(extents) },
	{ 0, "timeout", "SECONDS", "treat a node as lost if silent so long",
	    set_timeout, TO(timeout_s) },
	{ 0, "trace", "FILE", "append a line about the exchange to FILE",
	    set_text, TO(trace) },
	{ 0, "window", "SIZE", "bytes in transit between two nodes",
	    set_window, TO(window) },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part tables[] = {
	{ own },
	{ sent_options, offsetof(struct opts, sums) },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, tables, "" };

/* Exits 2 if this output is an input, or is where received records go. */
static void
check_file(const struct opts *o, const char *option, const char *path)
{
	const char *const input[] = { o->cluster, o->input, o->extents };

	sent_spares(
	    option, path, input, sizeof input / sizeof *input, o->prefix);
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	int first;

	*o = (struct opts){ .sums = { .format = format_line },
		.timeout_s = 30,
		.window = WINDOW };
	first = cmd_parse(&syntax, o, argc, argv);
	if (first < argc)
		cmd_misuse(&syntax, "extra operand '%s'", argv[first]);
	if (o->cluster == NULL)
		cmd_misuse(&syntax, "-C is needed");
	if ((o->input == NULL) != (o->extents == NULL))
		cmd_misuse(&syntax, "-i and -x must be given together");
	sent_check(&o->sums, o->input != NULL, &syntax);
	cmd_outputs_differ("--sums", o->sums.path, "--trace", o->trace);
	check_file(o, "--sums", o->sums.path);
	check_file(o, "--trace", o->trace);
	if (o->input == NULL)
		cmd_reads_terminal();
}

char *
opts_with_rank(const char *text, uint32_t rank)
{
	static const char word[] = "{rank}";
	/* A rank has at most 10 digits. */
	size_t size = strlen(text) * 2 + 11, len = 0;
	char *out = malloc(size);
	const char *at;

	if (out == NULL)
		return NULL;
	for (; (at = strstr(text, word)) != NULL; text = at + strlen(word))
		len += (size_t)snprintf(out + len, size - len, "%.*s%" PRIu32,
		    (int)(at - text), text, rank);
	snprintf(out + len, size - len, "%s", text);
	return out;
}
