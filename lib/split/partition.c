#include <sys/stat.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/team.h"
#include "record/scan.h"
#include "split/areas.h"
#include "split/classified.h"
#include "split/partition.h"
#include "split/splitters.h"

enum {
	BLOCK = 16 << 10 /* bytes that are searched for a delimiter at once */
};

/* A part of the file, which one thread reads. */
struct chunk {
	struct range range;
	uint64_t first; /* offset of its first record, from the first of all */
	struct reader in;
	bool open;
	struct bucket *bucket; /* what it has in each bucket */
	uint64_t records;
	struct hp_err error;
};

struct partitioning {
	const char *path;
	off_t begin; /* of standard input, if it is the file; otherwise -1 */
	const struct range *range;
	const struct order *order;
	uint64_t start, bytes; /* of the records, in the file */
	struct chunk *chunk;
	unsigned chunks;
	struct sublists buckets;
	struct areas areas;
	struct partition_part *part;
};

/* Opens the file once more. Standard input begins again at the same place. */
static int
chunk_open(const struct partitioning *p, struct chunk *c, struct hp_err *e)
{
	if (p->begin != -1 && lseek(STDIN_FILENO, p->begin, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "standard input");
	if (range_reader(&c->in, p->path, &c->range, &p->order->format, e) ==
	    -1)
		return -1;
	c->open = true;
	return 0;
}

static void
chunk_close(struct chunk *c)
{
	if (c->open)
		reader_close(&c->in);
	c->open = false;
}

/* Finds which bytes of the file contain the records, after the header. */
static int
find_records(struct partitioning *p, const struct reader *in, struct hp_err *e)
{
	uint64_t end;
	struct stat st;

	if (fstat(in->fd, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", in->name);
	if (!S_ISREG(st.st_mode))
		return hp_fail(e, HP_USAGE,
		    "%s: not a regular file: it must be read twice", in->name);
	p->start = (uint64_t)lseek(in->fd, 0, SEEK_CUR) -
	    (uint64_t)(in->end - in->pos);
	end = p->range->bytes == UINT64_MAX
	    ? (uint64_t)st.st_size
	    : p->range->offset + p->range->bytes;
	p->bytes = end > p->start ? end - p->start : 0;
	return 0;
}

/*
 * Moves the offset *at to the beginning of a record: to the record that
 * contains it if records have a fixed size, otherwise to the first line that
 * begins at or after it. The offset counts from the first record of the file.
 */
static int
find_border(const struct partitioning *p, const struct reader *in, uint64_t *at,
    struct hp_err *e)
{
	const struct format *f = &p->order->format;
	unsigned char block[BLOCK], *q;
	ssize_t n;

	if (f->size > 0)
		*at -= *at % f->size;
	if (f->size > 0 || *at == 0)
		return 0;
	/* It begins after a delimiter, which may be just before it. */
	for (uint64_t i = *at - 1; i < p->bytes; i += (uint64_t)n) {
		uint64_t left = p->bytes - i;

		n = io_pread(in->fd, block,
		    left < sizeof block ? (size_t)left : sizeof block,
		    (off_t)(p->start + i));
		if (n == -1)
			return hp_fail_errno(e, HP_IO, "%s", in->name);
		if (n == 0)
			break;
		if ((q = memchr(block, f->delim, (size_t)n)) != NULL) {
			*at = i + (uint64_t)(q - block) + 1;
			return 0;
		}
	}
	*at = p->bytes;
	return 0;
}

/* Divides the file into chunks of about the same size. */
static int
cut(struct partitioning *p, const struct reader *in, struct hp_err *e)
{
	uint64_t from = 0, to;

	for (unsigned i = 0; i < p->chunks; i++, from = to) {
		struct chunk *c = &p->chunk[i];

		to = (uint64_t)((unsigned __int128)p->bytes * (i + 1) /
		    p->chunks);
		if (i + 1 == p->chunks || to < from)
			to = to < from ? from : p->bytes;
		else if (find_border(p, in, &to, e) == -1)
			return -1;
		c->range = (struct range){ .offset = p->start + from,
			.bytes = to - from };
		c->first = from;
	}
	return 0;
}

/* Chooses the splitters of the buckets, and the chunks. */
static int
prepare(struct partitioning *p, unsigned threads, struct hp_err *e)
{
	struct chunk whole = { .range = *p->range };
	struct splitters_file file;
	int rc = -1;

	if (chunk_open(p, &whole, e) == -1)
		return -1;
	p->chunk = calloc(threads, sizeof *p->chunk);
	if (p->chunk == NULL)
		hp_fail(e, HP_NOMEM, "%u chunks", threads);
	else if (find_records(p, &whole.in, e) == 0) {
		file = (struct splitters_file){ whole.in.fd, whole.in.name,
			p->start, p->start + p->bytes };
		rc = splitters_choose(
		    &file, p->order, p->areas.nodes, &p->buckets, e);
	}
	if (rc == 0) {
		p->chunks = threads;
		p->chunk[0].range = *p->range;
		if (threads > 1)
			rc = cut(p, &whole.in, e);
	}
	chunk_close(&whole);
	return rc;
}

/* Calls `add` for each record of a chunk, with the number of its sublist. */
static int
each(struct partitioning *p, size_t chunk, const struct sublists *l,
    int (*add)(struct partitioning *, size_t chunk, size_t to, struct span,
	struct hp_err *))
{
	struct chunk *c = &p->chunk[chunk];
	struct hp_err *e = &c->error;
	struct classifier by = { 0 };
	struct classified records = {
		.in = &c->in, .by = &by, .by_offset = true, .index = c->first
	};
	struct span record;
	size_t to;
	int got = -1;

	if (c->range.bytes == 0)
		return 0;
	if (classify_init(&by, l, p->order, 0, e) == 0)
		got = chunk_open(p, c, e);
	while (got != -1 &&
	    (got = classified_next(&records, &record, &to, e)) == 1)
		got = add(p, chunk, to, record, e);
	c->records = c->open ? c->in.nrec : 0;
	chunk_close(c);
	classify_fini(&by);
	return got;
}

static int
count(struct partitioning *p, size_t chunk, size_t bucket, struct span record,
    struct hp_err *e)
{
	struct bucket *b = &p->chunk[chunk].bucket[bucket];

	(void)e;
	b->records++;
	b->bytes += record.len + scan_delim(&p->order->format);
	return 0;
}

static int
copy(struct partitioning *p, size_t chunk, size_t area, struct span record,
    struct hp_err *e)
{
	return areas_add(&p->areas, chunk, area, record, e);
}

static int
count_chunk(void *context, unsigned i)
{
	struct partitioning *p = context;
	struct chunk *c = &p->chunk[i];

	c->bucket = calloc(p->buckets.n, sizeof *c->bucket);
	if (c->bucket == NULL)
		return hp_fail(
		    &c->error, HP_NOMEM, "%zu buckets", p->buckets.n);
	return each(p, i, &p->buckets, count);
}

static int
copy_chunk(void *context, unsigned i)
{
	struct partitioning *p = context;

	return each(p, i, &p->areas.bounds, copy);
}

/* Does one pass over the file, with a thread for each chunk. */
static int
pass(struct partitioning *p, int (*work)(void *, unsigned), struct hp_err *e)
{
	int rc = team_run(p->chunks, work, p, e);

	for (unsigned i = 0; rc == -1 && i < p->chunks && e->kind == HP_NONE;
	     i++)
		*e = p->chunk[i].error;
	return rc;
}

static void
note(void *context, size_t node, uint64_t bytes, uint64_t records,
    const struct sum *sum)
{
	struct partition_part *part = (struct partition_part *)context + node;

	part->bytes += bytes;
	part->records += records;
	sum_add(&part->checksum, sum);
}

static int
make_areas(struct partitioning *p, struct hp_err *e)
{
	struct bucket **bucket = calloc(p->chunks, sizeof *bucket);
	int rc;

	if (bucket == NULL)
		return hp_fail(e, HP_NOMEM, "%u chunks", p->chunks);
	for (unsigned i = 0; i < p->chunks; i++)
		bucket[i] = p->chunk[i].bucket;
	rc = areas_make(&p->areas, &p->buckets, bucket, p->chunks, e);
	free(bucket);
	return rc;
}

static int
in_two_passes(struct partitioning *p, unsigned threads, struct hp_err *e)
{
	uint64_t wanted = p->areas.end[p->areas.nodes - 1], offset = 0, all = 0;

	if (prepare(p, threads, e) == -1 || pass(p, count_chunk, e) == -1)
		return -1;
	for (unsigned i = 0; i < p->chunks; i++)
		all += p->chunk[i].records;
	if (all != wanted)
		return hp_fail(e, HP_INPUT,
		    "%s: %" PRIu64 " records, but the plan is for %" PRIu64,
		    strcmp(p->path, "-") == 0 ? "standard input" : p->path, all,
		    wanted);
	if (make_areas(p, e) == -1 || pass(p, copy_chunk, e) == -1 ||
	    areas_end(&p->areas, p->order, note, p->part, e) == -1)
		return -1;
	for (size_t i = 0; i < p->areas.nodes; i++) {
		p->part[i].offset = offset;
		offset += p->part[i].bytes;
	}
	return 0;
}

int
partition(const char *path, const struct range *range,
    const struct order *order, const struct partition_job *job,
    struct partition_part *part, struct hp_err *e)
{
	bool standard = strcmp(path, "-") == 0;
	struct partitioning p = { .path = path,
		.begin = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1,
		.range = range,
		.order = order,
		.part = part,
		.areas = { .nodes = job->n,
		    .approximate = job->approximate,
		    .format = &order->format,
		    .fd = job->to,
		    .name = job->name } };
	uint64_t *end = reallocarray(NULL, job->n + 1, sizeof *end), sum = 0;
	/* Threads cannot read standard input at different places. */
	unsigned threads = standard || job->threads == 0 ? 1 : job->threads;
	int rc = -1;

	if (end == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", job->n);
	for (size_t i = 0; i < job->n; i++) {
		end[i] = sum += job->share[i];
		part[i] = (struct partition_part){ 0 };
	}
	p.areas.end = end;
	if (job->n == 0)
		hp_fail(e, HP_INPUT, "the plan has no nodes");
	else
		rc = in_two_passes(&p, threads, e);
	areas_fini(&p.areas);
	sublists_fini(&p.buckets);
	for (unsigned i = 0; i < p.chunks; i++)
		free(p.chunk[i].bucket);
	free(p.chunk);
	free(end);
	return rc;
}
