#include <sys/stat.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/scan.h"
#include "split/areas.h"
#include "split/partition.h"
#include "split/splitters.h"

struct partitioning {
	struct reader in;
	uint64_t start, bytes; /* of the records, in the file */
	const struct range *range;
	const struct order *order;
	struct sublists buckets;
	struct bucket *bucket;
	struct areas areas;
	struct partition_part *part;
};

/*
 * Opens the input, or opens it again for the second pass. Finds where its
 * records begin, after the header.
 */
static int
open_input(struct partitioning *p, const char *path, struct hp_err *e)
{
	uint64_t end;
	struct stat st;

	if (range_reader(&p->in, path, p->range, &p->order->format, e) == -1)
		return -1;
	if (fstat(p->in.fd, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", p->in.name);
	if (!S_ISREG(st.st_mode))
		return hp_fail(e, HP_USAGE,
		    "%s: not a regular file: it must be read twice",
		    p->in.name);
	p->start = (uint64_t)lseek(p->in.fd, 0, SEEK_CUR) -
	    (uint64_t)(p->in.end - p->in.pos);
	end = p->range->bytes == UINT64_MAX
	    ? (uint64_t)st.st_size
	    : p->range->offset + p->range->bytes;
	p->bytes = end > p->start ? end - p->start : 0;
	return 0;
}

/* Calls `add` for each record, with the number of its area or bucket. */
static int
each(struct partitioning *p, const struct sublists *l,
    int (*add)(struct partitioning *, size_t, struct span, struct hp_err *),
    struct hp_err *e)
{
	size_t delim = scan_delim(&p->order->format), to;
	struct classifier by = { 0 };
	struct span record;
	uint64_t at = 0;
	int got;

	if (classify_init(&by, l, p->order, 0, e) == -1)
		return -1;
	while ((got = reader_next(&p->in, &record.at, &record.len, e)) == 1) {
		to = classify(&by, record.at, record.len, at);
		if (to == SIZE_MAX)
			got = hp_fail(e, HP_NOMEM, "%s: record %" PRIu64,
			    p->in.name, p->in.nrec);
		else
			got = add(p, to, record, e);
		if (got == -1)
			break;
		at += record.len + delim;
	}
	classify_fini(&by);
	return got;
}

static int
count(
    struct partitioning *p, size_t bucket, struct span record, struct hp_err *e)
{
	(void)e;
	p->bucket[bucket].records++;
	p->bucket[bucket].bytes += record.len + scan_delim(&p->order->format);
	return 0;
}

static int
copy(struct partitioning *p, size_t area, struct span record, struct hp_err *e)
{
	return areas_add(&p->areas, area, record, e);
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
count_buckets(struct partitioning *p, struct hp_err *e)
{
	struct splitters_file file = { p->in.fd, p->in.name, p->start,
		p->start + p->bytes };

	if (splitters_choose(&file, p->order, p->areas.nodes, &p->buckets, e) ==
	    -1)
		return -1;
	p->bucket = calloc(p->buckets.n, sizeof *p->bucket);
	if (p->bucket == NULL)
		return hp_fail(e, HP_NOMEM, "%zu buckets", p->buckets.n);
	return each(p, &p->buckets, count, e);
}

static int
in_two_passes(struct partitioning *p, const char *path, struct hp_err *e)
{
	uint64_t records = p->areas.end[p->areas.nodes - 1], offset = 0;
	bool standard = strcmp(path, "-") == 0;
	off_t begin = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;

	if (open_input(p, path, e) == -1 || count_buckets(p, e) == -1)
		return -1;
	if (p->in.nrec != records)
		return hp_fail(e, HP_INPUT,
		    "%s: %" PRIu64 " records, but the plan is for %" PRIu64,
		    p->in.name, p->in.nrec, records);
	reader_close(&p->in);
	if (standard && lseek(STDIN_FILENO, begin, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "standard input");
	if (areas_make(&p->areas, &p->buckets, p->bucket, e) == -1 ||
	    open_input(p, path, e) == -1 ||
	    each(p, &p->areas.bounds, copy, e) == -1 ||
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
	struct partitioning p = { .in = { .fd = -1 },
		.range = range,
		.order = order,
		.part = part,
		.areas = { .nodes = job->n,
		    .approximate = job->approximate,
		    .format = &order->format,
		    .fd = job->to,
		    .name = job->name } };
	uint64_t *end = reallocarray(NULL, job->n + 1, sizeof *end), sum = 0;
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
		rc = in_two_passes(&p, path, e);
	if (p.in.fd != -1)
		reader_close(&p.in);
	areas_fini(&p.areas);
	sublists_fini(&p.buckets);
	free(p.bucket);
	free(end);
	return rc;
}
