/* Sorting, merging and checking files report an error if memory is short. */

#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "nomem.h"
#include "record/order.h"
#include "sort/check.h"
#include "sort/sort.h"

enum {
	MOST = 1 << 20 /* bytes of a text */
};

/*
 * The scenario has one thread, so that the order of the allocations is always
 * the same.
 */
static struct {
	const char *format, *key;
	bool unique, stable;
	int (*run)(const struct sort_job *, int, const char *,
	    struct sort_stats *, struct hp_err *);
	char text[MOST];
	size_t len;
} now;

static int
sort_now(struct hp_err *e)
{
	int in = memfd_create("in", MFD_CLOEXEC);
	int out = memfd_create("out", MFD_CLOEXEC), rc = -1;
	char name[32], again[32];
	const char *file[] = { name, again };
	struct sort_stats stats = { 0 };
	struct order o;
	struct sort_job j = { .order = &o,
		.file = file,
		.nfiles = 2,
		.extent_bytes = UINT64_MAX,
		.memory = 16 << 20,
		.threads = 1 };

	if (in == -1 || out == -1 || io_write(in, now.text, now.len) == -1)
		exit(1);
	snprintf(name, sizeof name, "/proc/self/fd/%d", in);
	snprintf(again, sizeof again, "/proc/self/fd/%d", in);
	order_init(&o);
	o.unique = now.unique;
	o.stable = now.stable;
	if (format_parse(now.format, &o.format, e) == 0 &&
	    (now.key == NULL || order_option(&o, 'k', now.key, e) == 0) &&
	    order_ready(&o, e) == 0 && now.run(&j, out, "out", &stats, e) == 0)
		rc = 0;
	nomem.result += stats.records + (uint64_t)lseek(out, 0, SEEK_END);
	order_fini(&o);
	close(in);
	close(out);
	return rc;
}

/* Makes lines of digits; if `sorted`, in order. */
static void
lines(size_t n, bool sorted)
{
	now.len = 0;
	for (size_t i = 0; i < n; i++)
		now.len += (size_t)snprintf(now.text + now.len, MOST - now.len,
		    "%07zu %zu\n", sorted ? i : i * 7919 % n, i % 10);
}

static void
each_way(int (*run)(const struct sort_job *, int, const char *,
	     struct sort_stats *, struct hp_err *),
    bool sorted)
{
	static const struct {
		const char *format, *key;
		bool unique, stable;
	} ways[] = { { "line", NULL, false, false },
		{ "line", "2,2nr", false, true },
		{ "line", "2,2", true, false },
		{ "record:10,0,7", NULL, false, false },
		{ "record:10,0,7", NULL, false, true },
		{ "u16be", NULL, false, false },
		{ "u16be", NULL, true, false } };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		for (size_t n = 10; n <= 20000; n *= 2000) {
			/*
			 * Sorted lines are in the order of these three formats
			 * only.
			 */
			bool in_order = i == 0 || i == 3 || i == 4;

			if (sorted && !in_order)
				continue;
			lines(n, sorted);
			now.format = ways[i].format;
			now.key = ways[i].key;
			now.unique = ways[i].unique;
			now.stable = ways[i].stable;
			now.run = run;
			nomem_each(sort_now);
		}
}

static void
sorts(void)
{
	each_way(sort_files, false);
}

/* So many records are divided into buckets, by a sample of them. */
static void
sorts_in_buckets(void)
{
	static const char *const key[] = { NULL, "2,2nr", "1,1f" };

	for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
		lines(40000, false);
		now.format = "line";
		now.key = key[i];
		now.unique = now.stable = false;
		now.run = sort_files;
		nomem_each(sort_now);
	}
}

static void
sorts_in_order(void)
{
	each_way(sort_files, true);
}

static void
merges(void)
{
	each_way(sort_merge, true);
}

static int
check_one(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *stats, struct hp_err *e)
{
	(void)fd;
	(void)name;
	(void)stats;
	return sort_check(j, e);
}

static void
checks(void)
{
	each_way(check_one, true);
}

int
main(void)
{
	RUN(sorts);
	RUN(sorts_in_buckets);
	RUN(sorts_in_order);
	RUN(merges);
	RUN(checks);
	return test_done();
}
