/*
 * The sorter compared with sort(1): for random options, keys and lines the
 * output is the same, byte for byte. If sort rejects the options, hpsort must
 * too.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "base/io.h"
#include "record/order.h"
#include "sort/sort.h"
#include "test.h"

extern char **environ;

enum {
	CASES = 10000,
	LARGE = 250, /* one case in LARGE has many lines */
	LONG = 200,  /* bytes of a line from spilled_text */
	/* number of such lines, too many for the least memory */
	SPILLED = 40000,
	ARGS = 16
};

struct options {
	char text[ARGS][48];
	size_t n;
};

/* Returns the place for another option. */
static char *
next(struct options *o)
{
	return o->text[o->n < ARGS - 2 ? o->n++ : o->n - 1];
}

static const char *
pick(const char *const *from, size_t n)
{
	return from[test_below(n)];
}

static void
random_options(struct options *o)
{
	static const char *const letters[] = { "", "", "", "r", "n", "nr", "f",
		"b", "d", "i", "fr", "bn", "g", "V", "M", "bf" };
	static const char *const global[] = { "-r", "-n", "-f", "-b", "-d",
		"-i", "-u", "-s", "-z", "-g", "-V", "-M" };
	size_t keys = test_below(4), n = test_below(3);

	o->n = 0;
	for (size_t i = 0; i < n; i++)
		strcpy(next(o), pick(global, sizeof global / sizeof *global));
	if (test_below(4) == 0)
		sprintf(next(o), "-t%c", "b :1"[test_below(4)]);
	for (size_t i = 0; i < keys; i++) {
		unsigned f = 1 + (unsigned)test_below(3);
		unsigned c = 1 + (unsigned)test_below(3);
		unsigned end = f + (unsigned)test_below(2);
		const char *l = pick(letters, sizeof letters / sizeof *letters);
		char *s = next(o);

		switch (test_below(6)) {
		case 0:
			sprintf(s, "-k%u%s", f, l);
			break;
		case 1:
			sprintf(s, "-k%u,%u%s", f, f, l);
			break;
		case 2:
			sprintf(s, "-k%u.%u%s", f, c, l);
			break;
		case 3:
			sprintf(s, "-k%u.%u,%u.%u%s", f, c, end, c, l);
			break;
		case 4:
			sprintf(s, "+%u.%u%s", f - 1, c - 1, l);
			break;
		case 5: /* the obsolete form, in two words */
			sprintf(s, "+%u%s", f - 1, l);
			sprintf(next(o), "-%u.%u%s", end, c - 1, l);
			break;
		}
	}
}

/*
 * Returns a random byte that all versions of GNU sort treat alike. The byte
 * 0x80 is excluded: sort -n takes it for a thousands separator by mistake. NaNs
 * are excluded, because sort orders them by uninitialized bytes, and -h,
 * because its units differ.
 */
static char
random_byte(void)
{
	return (char)(test_below(255) + 129);
}

static size_t
random_text(char *s, size_t lines)
{
	static const char few[] = "ab b1 0-.\t2a";
	static const char *const words[] = { "-0", "1.50", "1.5", "-12", "010",
		"1e3", "2K", "1M", "Jan", "feb", "a-1.2.tar", "a-1.10.tar", "",
		"  ", "abcdefgh", "abcdefghi", "abcdefgh" };
	char *start = s;

	for (size_t i = 0; i < lines; i++) {
		size_t n = test_below(test_below(8) == 0 ? 30 : 8);

		while (test_below(3) == 0)
			s = stpcpy(
			    s, pick(words, sizeof words / sizeof *words));
		for (size_t k = 0; k < n; k++)
			*s++ = test_below(60) == 0
			    ? random_byte()
			    : few[test_below(sizeof few - 1)];
		*s++ = test_below(40) == 0 ? '\0' : '\n';
	}
	return (size_t)(s - start) - (test_below(2) && lines > 0);
}

/* Runs sort. Returns its exit status. */
static int
run_sort(const struct options *o, int in, int out)
{
	posix_spawn_file_actions_t a;
	char name[] = "sort";
	char *argv[ARGS + 2] = { name };
	pid_t pid;
	int status = -1;

	for (size_t i = 0; i < o->n; i++)
		argv[i + 1] = (char *)(uintptr_t)o->text[i];
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_adddup2(&a, in, 0);
	posix_spawn_file_actions_adddup2(&a, out, 1);
	posix_spawn_file_actions_addopen(&a, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, "sort", &a, NULL, argv, environ) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&a);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs hpsort's code with the options. */
static int
run_ours(const struct options *o, const char *in, int out, uint64_t memory,
    struct sort_stats *stats, struct hp_err *e)
{
	struct order order;
	struct sort_job j = { .order = &order,
		.file = &in,
		.nfiles = 1,
		.extent_bytes = UINT64_MAX,
		.memory = memory,
		.threads = 1 + (unsigned)test_below(3) };
	int rc = 0;

	order_init(&order);
	for (size_t i = 0; rc != -1 && i < o->n; i++) {
		const char *s = o->text[i], *end = o->text[i + 1];

		if (*s != '+') {
			rc = order_option(
			    &order, s[1], s[2] != '\0' ? s + 2 : NULL, e);
			continue;
		}
		if (i + 1 == o->n || end[0] != '-' || end[1] < '0' ||
		    end[1] > '9')
			end = NULL;
		rc = order_old_key(&order, s, end, e);
		i += end != NULL;
	}
	rc = rc == -1 ? -1 : 0;
	if (rc == 0)
		rc = order_ready(&order, e);
	if (rc == 0)
		rc = sort_files(&j, out, "out", stats, e);
	order_fini(&order);
	return rc == 0 ? 0 : 2;
}

static bool
same(int a, int b)
{
	off_t n = lseek(a, 0, SEEK_END);
	char *x, *y;
	bool equal;

	if (n != lseek(b, 0, SEEK_END))
		return false;
	if (n == 0)
		return true;
	x = mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, a, 0);
	y = mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, b, 0);
	equal = x != MAP_FAILED && y != MAP_FAILED &&
	    memcmp(x, y, (size_t)n) == 0;
	munmap(x, (size_t)n);
	munmap(y, (size_t)n);
	return equal;
}

/* Sorts the text with both programs. Returns the number of runs that hpsort
 * wrote to temporary files. */
static uint64_t
compare(const struct options *o, const char *text, size_t len, uint64_t memory,
    size_t number)
{
	struct sort_stats stats = { 0 };
	struct hp_err e = { 0 };
	char in[32], all[512] = "";
	int fd = memfd_create("in", 0), ours = memfd_create("ours", 0);
	int sorts = memfd_create("sorts", 0), rc, expected;

	for (size_t i = 0; i < o->n; i++) {
		strcat(all, o->text[i]);
		strcat(all, " ");
	}
	if (io_write(fd, text, len) == -1 || lseek(fd, 0, SEEK_SET) == -1)
		abort();
	snprintf(in, sizeof in, "/proc/self/fd/%d", fd);
	rc = run_ours(o, in, ours, memory, &stats, &e);
	expected = run_sort(o, fd, sorts);
	if (rc != expected)
		test_bad(__FILE__, __LINE__,
		    "case %zu: sort %s: exit %d, expected %d: %s", number, all,
		    rc, expected, e.text);
	else if (rc == 0 && !same(ours, sorts))
		test_bad(__FILE__, __LINE__,
		    "case %zu: sort %s of %zu bytes differs", number, all, len);
	close(fd);
	close(ours);
	close(sorts);
	return stats.runs;
}

static void
one_case(char *text, size_t number)
{
	size_t lines = number % LARGE == 1 ? 50000 : test_below(40);
	struct options o;

	random_options(&o);
	compare(&o, text, random_text(text, lines), test_below(2) ? 0 : 1 << 30,
	    number);
}

/* Makes lines with few different ends, so that most records tie in any key
 * there. */
static size_t
spilled_text(char *s)
{
	char *start = s;

	for (size_t i = 0; i < SPILLED; i++) {
		memset(s, 'x', LONG);
		s[0] = (char)('a' + test_below(3));
		s[1] = ' ';
		s[2] = (char)('0' + test_below(2));
		s[3] = (char)('a' + test_below(2));
		s[4] = ' ';
		s[LONG - 3] = (char)('a' + test_below(2));
		s[LONG - 2] = (char)('a' + test_below(26));
		s[LONG - 1] = '\n';
		s += LONG - test_below(2);
		s[-1] = '\n';
	}
	return (size_t)(s - start);
}

/* The merge of runs has its own comparison for each kind of key. */
static void
from_runs_as_sort(void)
{
	static const struct options some[] = {
		{ { "-k1" }, 1 },
		{ { "-k1.2" }, 1 },
		{ { "-k1.2", "-r" }, 2 },
		{ { "-k1.2", "-s" }, 2 },
		{ { "-k1.2", "-u" }, 2 },
		{ { "-k1.2", "-u", "-r" }, 3 },
		{ { "-f", "-u", "-r" }, 3 },
		{ { "-k1.2f", "-u" }, 2 },
		{ { "-k1.2r" }, 1 },
		{ { "-k1.2,1.4" }, 1 },
		{ { "-k2n" }, 1 },
		{ { "-k2nr", "-k1,1" }, 2 },
		{ { "-k3", "-s" }, 2 },
		{ { "-f" }, 1 },
		{ { "-r" }, 1 },
	};
	char *text = malloc(SPILLED * LONG);

	for (size_t i = 0; text != NULL && i < sizeof some / sizeof *some; i++)
		CHECK(compare(&some[i], text, spilled_text(text), 0, i) > 1);
	free(text);
}

static void
as_sort(void)
{
	const char *asked = getenv("HP_CASES");
	size_t cases = asked != NULL ? strtoull(asked, NULL, 10) : CASES;
	char *text = malloc(50000 * 128);

	setenv("LC_ALL", "C", 1);
	for (size_t i = 0; text != NULL && i < cases; i++)
		one_case(text, i);
	printf("# %zu cases\n", cases);
	free(text);
}

int
main(void)
{
	RUN(as_sort);
	RUN(from_runs_as_sort);
	return test_done();
}
