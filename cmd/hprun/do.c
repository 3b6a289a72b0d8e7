#include <sys/stat.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "balance.h"
#include "base/io.h"
#include "base/size.h"
#include "bundle.h"
#include "cmd.h"
#include "deal.h"
#include "direct.h"
#include "do.h"
#include "doc/nodes.h"
#include "doc/parts.h"
#include "each.h"
#include "estimate.h"
#include "fill.h"
#include "gather.h"
#include "job.h"
#include "kept.h"
#include "leave.h"
#include "mapfiles.h"
#include "mpi.h"
#include "nodefiles.h"
#include "pack.h"
#include "profile.h"
#include "prove.h"
#include "ranked.h"
#include "store.h"
#include "trial_run.h"
#include "unpack.h"
#include "until.h"

enum {
	CHUNK = 1 << 20
};

/*
 * `cluster FILE HERE [DIR PORT]...`  prints the nodes of a cluster file with
 * their directories and ports, which the words give in the order of ranks.
 */
static int
cluster_do(char *words[], struct hp_err *e)
{
	struct run_place *place;
	size_t n = 0;
	int rc;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "cluster FILE HERE [DIR PORT]...");
	while (words[2 + n] != NULL)
		n++;
	if ((place = calloc(n / 2 + 1, sizeof *place)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	for (size_t i = 0; i < n / 2; i++)
		place[i] = (struct run_place){ words[2 + 2 * i],
			words[3 + 2 * i] };
	rc = doc_nodes_place(words[0], place, n / 2, words[1], stdout, e);
	free(place);
	return rc;
}

static bool
not_named(const void *context, const char *name)
{
	char *const *names = context;

	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return false;
	return true;
}

/*
 * `nodes FILE NAME...`  prints the lines of a cluster file except those of the
 * named nodes.
 */
static int
nodes_do(char *words[], struct hp_err *e)
{
	if (words[0] == NULL)
		return hp_fail(e, HP_USAGE, "nodes FILE NAME...");
	return doc_nodes_copy(words[0], NULL, not_named, words + 1, stdout, e);
}

/* `layout PIECES...`  prints the offset of each node's part in the result. */
static int
layout_do(char *words[], struct hp_err *e)
{
	struct parts l = { 0 };
	struct stat st;
	int rc = 0;

	for (size_t i = 0; rc == 0 && words[i] != NULL; i++)
		rc = doc_pieces_read(words[i], i, &l, e);
	if (rc == 0) {
		parts_lay_out(
		    &l, stat("header", &st) == 0 ? (uint64_t)st.st_size : 0);
		rc = doc_parts_write(stdout, &l, e);
	}
	parts_fini(&l);
	return rc;
}

/* Copies bytes from the current position of one file to that of another. */
static int
copy(int in, int out, uint64_t bytes, struct hp_err *e)
{
	char *buf = malloc(CHUNK);
	int rc = 0;

	if (buf == NULL)
		return hp_fail_errno(e, HP_NOMEM, "copy");
	while (rc == 0 && bytes > 0) {
		size_t want = bytes < CHUNK ? (size_t)bytes : CHUNK;
		ssize_t n = io_read(in, buf, want);

		if (n == -1 || io_write(out, buf, (size_t)n) == -1)
			rc = hp_fail_errno(e, HP_IO, "copy");
		else if ((size_t)n < want)
			rc = hp_fail(e, HP_INPUT, "the file is too short");
		bytes -= (uint64_t)n;
	}
	free(buf);
	return rc;
}

static int
rank_of(const char *word, uint64_t *rank, struct hp_err *e)
{
	return int_parse(word, 0, UINT32_MAX, rank, "rank", e);
}

/*
 * `place PARTS RANK RESULT` copies standard input to the places of one node's
 * parts in the file RESULT.
 */
static int
place_do(char *words[], struct hp_err *e)
{
	struct parts l = { 0 };
	uint64_t rank;
	int fd, rc;

	if (words[0] == NULL || words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "place PARTS RANK RESULT");
	if (rank_of(words[1], &rank, e) == -1)
		return -1;
	if ((fd = open(words[2], O_WRONLY | O_CLOEXEC)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[2]);
	rc = doc_parts_read(words[0], &l, e);
	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		if (l.v[i].rank != rank)
			continue;
		if (lseek(fd, (off_t)l.v[i].at, SEEK_SET) == -1)
			rc = hp_fail_errno(e, HP_IO, "%s", words[2]);
		else
			rc = copy(STDIN_FILENO, fd, l.v[i].bytes, e);
	}
	parts_fini(&l);
	if (close(fd) == -1 && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", words[2]);
	return rc;
}

/*
 * `part DEAL RANK INPUT` copies a node's part of the file INPUT to standard
 * output.
 */
static int
part_do(char *words[], struct hp_err *e)
{
	struct parts l = { 0 };
	uint64_t rank;
	int fd, rc;

	if (words[0] == NULL || words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "part DEAL RANK INPUT");
	if (rank_of(words[1], &rank, e) == -1 ||
	    (fd = io_open(words[2], e)) == -1)
		return -1;
	rc = doc_deal_read(words[0], &l, e);
	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		if (l.v[i].rank != rank)
			continue;
		if (lseek(fd, (off_t)l.v[i].offset, SEEK_SET) == -1)
			rc = hp_fail_errno(e, HP_IO, "%s", words[2]);
		else
			rc = copy(fd, STDOUT_FILENO, l.v[i].bytes, e);
	}
	parts_fini(&l);
	io_close(fd);
	return rc;
}

/*
 * `foresee SECONDS PLAN` prints for how many records --profile=SECONDS plans
 * (foreseen_records).
 */
static int
foresee_do(char *words[], struct hp_err *e)
{
	double makespan;
	uint64_t seconds, n;
	bool beyond;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "foresee SECONDS PLAN");
	if (int_parse(words[0], 1, UINT32_MAX, &seconds, "seconds", e) == -1 ||
	    doc_foreseen_read(words[1], &makespan, &n, &beyond, e) == -1)
		return -1;
	printf("%" PRIu64 "\n", foreseen_records(n, makespan, (double)seconds));
	return 0;
}

/*
 * `beyond PLAN` truncates the file PLAN if all planned shares are within the
 * measured sizes.  An empty file tells the script of --dry-run to measure no
 * shares.
 */
static int
beyond_do(char *words[], struct hp_err *e)
{
	double makespan;
	uint64_t n;
	bool beyond;

	if (words[0] == NULL)
		return hp_fail(e, HP_USAGE, "beyond PLAN");
	if (doc_foreseen_read(words[0], &makespan, &n, &beyond, e) == -1)
		return -1;
	if (!beyond && truncate(words[0], 0) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[0]);
	return 0;
}

/*
 * `measured all|nearer CLUSTER PROFILE...`  adds the points of the profiles to
 * the nodes of the file CLUSTER.  "nearer" adds only points near the planned
 * shares.
 */
static int
measured_do(char *words[], struct hp_err *e)
{
	size_t n = 0;
	char *new;
	int rc;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(
		    e, HP_USAGE, "measured all|nearer CLUSTER PROFILE...");
	while (words[2 + n] != NULL)
		n++;
	if (asprintf(&new, "%s.%d", words[1], (int)getpid()) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", words[1]);
	rc = profile_replace(words[1], new, (const char *const *)(words + 2), n,
	    strcmp(words[0], "nearer") == 0, e);
	free(new);
	return rc;
}

static const struct {
	const char *name;
	int (*run)(char *words[], struct hp_err *);
} commands[] = { { "allot", allot_do }, { "beside", beside_do },
	{ "beyond", beyond_do }, { "body", body_do }, { "cat", cat_do },
	{ "cluster", cluster_do }, { "compare", compare_do },
	{ "each", each_do }, { "extents", direct_do },
	{ "foresee", foresee_do }, { "header", header_do }, { "kept", kept_do },
	{ "layout", layout_do }, { "left", left_do },
	{ "measured", measured_do }, { "nodes", nodes_do },
	{ "offset", offset_do }, { "pack", pack_do }, { "part", part_do },
	{ "parts", parts_do }, { "place", place_do }, { "proven", proven_do },
	{ "ranked", ranked_do }, { "share", share_do }, { "size", size_do },
	{ "store", store_do }, { "trial", trial_do }, { "unpack", unpack_do },
	{ "until", until_do } };

int
do_main(int argc, char *argv[])
{
	struct hp_err e = { 0 };

	for (size_t i = 0; argc > 0 && i < sizeof commands / sizeof *commands;
	     i++)
		if (strcmp(commands[i].name, argv[0]) == 0)
			return cmd_finish(commands[i].run(argv + 1, &e), &e);
	hp_fail(&e, HP_USAGE, "--do: no such command");
	return cmd_finish(-1, &e);
}
