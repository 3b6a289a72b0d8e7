#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "memory.h"
#include "words.h"

struct words
ordered(
    struct run *run, struct stage *s, const char *program, const char *action)
{
	struct words w = words_of(s);

	words_add(&w, program);
	if (action != NULL)
		words_add(&w, action);
	if (run->order_words != NULL)
		words_add_all(&w, (const char *const *)run->order_words);
	return w;
}

struct words
split_words(struct run *run, struct stage *s, const char *action,
    const char *reads, size_t rank)
{
	struct words w = ordered(run, s, "hpsplit", action);

	if (strcmp(action, "sample") == 0)
		WORDS_ADD(&w, "-a", demand_name(run->o.algorithm));
	WORDS_ADD(&w, reads, "-", "-N");
	words_addf(&w, "%zu", rank);
	return w;
}

const char *
result_file(const struct run *run, size_t rank)
{
	return run->node[rank].beside != NULL ? run->node[rank].beside : "out";
}

bool
drops_proven(const struct run *run)
{
	return run->stored && run->o.order.unique;
}

void
dropped_words(struct run *run, const char *file, struct words *w)
{
	if (!drops_proven(run))
		return;
	words_add(w, "--dropped");
	words_addf(w, "dropped-%s", file);
}

void
result_words(struct run *run, size_t rank, struct words *w)
{
	memory_words(run, rank, 0, w);
	WORDS_ADD(w, "-o", result_file(run, rank));
	dropped_words(run, "out", w);
}

void
free_room(
    const struct run *run, struct stage *s, struct step *step, const char *file)
{
	struct words files = words_of(s);

	if (!run->stored || run->o.keep != NULL)
		return;
	words_add(&files, file);
	stage_files(s, step, ACT_REMOVE, &files);
}

struct words
do_words(struct stage *s, const char *name)
{
	struct words w = words_of(s);

	WORDS_ADD(&w, "hprun", "--do", name);
	return w;
}

struct words
cat_words(const struct run *run, struct stage *s)
{
	struct words w = words_of(s);

	if (!run->o.dry)
		return do_words(s, "cat");
	words_add(&w, "cat");
	return w;
}

/*
 * Returns what follows /dev/fd/ or another name of the directory of this
 * process's descriptors, or NULL if the path has no such beginning.
 */
static const char *
below_descriptors(const char *path)
{
	static const char *const before[] = { "/dev/fd/", "/proc/self/fd/" };

	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (strncmp(path, before[i], strlen(before[i])) == 0)
			return path + strlen(before[i]);
	return NULL;
}

int
descriptor_of(const char *path)
{
	const char *number = below_descriptors(path);
	struct hp_err ignored = { 0 };
	uint64_t fd;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	if (number != NULL &&
	    int_parse(number, 0, INT_MAX, &fd, path, &ignored) == 0)
		return (int)fd;
	return -1;
}

const char *
named_file(const struct run *run, struct stage *s, const char *path)
{
	/* The descriptor may be a directory, as in /dev/fd/3/file. */
	const char *below = below_descriptors(path);

	return below == NULL || run->o.dry
	    ? path
	    : stage_text(s, "/proc/%d/fd/%s", (int)getpid(), below);
}

const char *
late(const struct run *run, struct stage *s, const char *value,
    const char *shell)
{
	if (!run->o.dry)
		return value;
	return stage_text(s, "%c%s", SHELL_WORD, shell);
}

const char *
record_count(const struct run *run, struct stage *s)
{
	return late(run, s, stage_text(s, "%" PRIu64, run->records),
	    "\"$(sed 's/.*\"records\":\\([0-9]*\\).*/\\1/' "
	    "count.jsonl)\"");
}

/*
 * Adds the node's own input file.  On the first node, also adds an extent that
 * skips the header.
 */
static void
in_place_words(struct run *run, struct stage *s, size_t rank, struct words *w)
{
	if (rank == 0 && run->o.header > 0)
		WORDS_ADD(w, "--extent",
		    late(run, s,
			stage_text(s, "%" PRIu64 ":%" PRIu64,
			    run->node[0].offset, run->node[0].bytes),
			"\"$(cat body)\""));
	words_add(w, run->node[rank].in);
}

void
part_words(struct run *run, struct stage *s, size_t rank, struct words *w)
{
	const struct run_node *n = &run->node[rank];

	if (n->in != NULL)
		in_place_words(run, s, rank, w);
	else if (n->host != NULL && !run->o.shared)
		words_add(w, "in");
	else {
		words_add(w, "--extent");
		words_add(w,
		    late(run, s,
			stage_text(
			    s, "%" PRIu64 ":%" PRIu64, n->offset, n->bytes),
			stage_text(s,
			    "\"$(sed -n '%zus/.*\"offset\":\\([0-9]*\\),"
			    "\"bytes\":\\([0-9]*\\).*/\\1:\\2/p' "
			    "\"$work\"/deal.jsonl)\"",
			    rank + 1)));
		words_add(w, dealt_file(run));
	}
}

bool
sorts_first(const struct run *run)
{
	return demand_sorts_first(run->o.algorithm);
}

bool
begins_with_sort(const struct run *run)
{
	return sorts_first(run) || divides_by_key(run);
}

bool
divides_by_key(const struct run *run)
{
	return run->o.algorithm == DEMAND_RANGE;
}

bool
batches_return(const struct run *run)
{
	return run->batched && divides_by_key(run);
}

const char *
dealt_file(const struct run *run)
{
	return divides_by_key(run) ? run->ranges : run->input;
}

struct port
part_port(const struct run *run, size_t rank)
{
	const struct run_node *n = &run->node[rank];

	if (n->host == NULL || n->in != NULL || run->o.shared ||
	    !begins_with_sort(run))
		return port_none();
	return port_part(dealt_file(run), n->offset, n->bytes);
}

const char *
nth(struct stage *s, const char *prefix, size_t rank)
{
	return stage_text(s, "%s.%zu", prefix, rank);
}

void
across(const struct run *run, const char *prefix, struct words *w)
{
	for (size_t i = 0; i < run->nodes; i++)
		words_addf(w, "%s.%zu", prefix, i);
}
