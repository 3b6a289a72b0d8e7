#include <sys/resource.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"

enum {
	/* Bytes of address space for code, libraries and stacks. */
	PROGRAM = 16 << 20
};

/*
 * Parses digits and advances *s past them. Returns -1 if there are no digits,
 * or if the number is too large.
 */
static int
digits(const char **s, uint64_t *n)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return -1;
	errno = 0;
	*n = strtoull(*s, &end, 10);
	*s = end;
	return errno == 0 ? 0 : -1;
}

const char *
unsigned_part(const char *s)
{
	s += strspn(s, " \t\n\v\f\r");
	return *s == '+' ? s + 1 : s;
}

/*
 * Returns the p for which the unit letter stands for 1024^p. Returns -1 if the
 * letter is no unit.
 */
static int
unit_power(char c)
{
	static const char units[] = "bKMGTPE";
	const char *unit;

	unit = strchr(units, strchr("kmgt", c) ? toupper((unsigned char)c) : c);
	return c == '\0' || unit == NULL ? -1 : (int)(unit - units);
}

/*
 * Returns the p for which the unit stands for 1024^p. A unit is one letter; an
 * empty string stands for 1 KiB. Returns -1 for any other string.
 */
static int
power(const char *s)
{
	if (*s == '\0')
		return 1;
	return s[1] != '\0' ? -1 : unit_power(*s);
}

int
size_parse(const char *arg, uint64_t *bytes, struct hp_err *e)
{
	const char *s = unsigned_part(arg);
	bool number = isdigit((unsigned char)*s);
	uint64_t n = 1;
	int p;

	/* "K" alone means 1K. */
	if (!number && (*s == '\0' || power(s) < 1))
		return hp_fail(e, HP_USAGE,
		    "size '%s': must be a number, as 10M or 5%%", arg);
	if (number && digits(&s, &n) == -1)
		return hp_fail(e, HP_USAGE, "size '%s': too large", arg);
	if (s[0] == '%' && s[1] == '\0') {
		if (n > UINT64_MAX / mem_limit())
			return hp_fail(
			    e, HP_USAGE, "size '%s': too large", arg);
		*bytes = mem_limit() / 100 * n;
		return 0;
	}
	if ((p = power(s)) == -1)
		return hp_fail(e, HP_USAGE,
		    "size '%s': the unit must be one of b K M G T P E %%", arg);
	if (n > UINT64_MAX >> (10 * p))
		return hp_fail(e, HP_USAGE, "size '%s': too large", arg);
	*bytes = n << (10 * p);
	return 0;
}

int
count_parse(const char *arg, uint64_t *count, struct hp_err *e)
{
	static const char units[] = "kMGT";
	const char *s = arg, *unit;
	uint64_t n, times = 1;

	if (!isdigit((unsigned char)*s))
		goto bad;
	if (digits(&s, &n) == -1)
		n = UINT64_MAX;
	if (*s != '\0') {
		unit = strchr(units, *s == 'K' ? 'k' : *s);
		if (unit == NULL || s[1] != '\0')
			goto bad;
		for (const char *u = units; u <= unit; u++)
			times *= 1000;
	}
	if (n > COUNT_MOST / times)
		return hp_fail(e, HP_USAGE, "count '%s': above 2^53", arg);
	*count = n * times;
	return 0;
bad:
	return hp_fail(e, HP_USAGE,
	    "count '%s': must be an integer with an optional unit k, M, G or T",
	    arg);
}

int
int_parse(const char *arg, uint64_t low, uint64_t high, uint64_t *n,
    const char *what, struct hp_err *e)
{
	const char *s = *arg == '-' ? arg + 1 : arg;

	if (*s == '\0' || s[strspn(s, "0123456789")] != '\0')
		return hp_fail(
		    e, HP_USAGE, "%s '%s': must be a number", what, arg);
	if (*arg != '-' && digits(&s, n) == 0 && *n >= low && *n <= high)
		return 0;
	if (high == UINT64_MAX && low > 0)
		return hp_fail(e, HP_USAGE, "%s '%s': must be %ju or more",
		    what, arg, (uintmax_t)low);
	return hp_fail(e, HP_USAGE, "%s '%s': must be %ju to %ju", what, arg,
	    (uintmax_t)low, (uintmax_t)high);
}

int
threads_parse(const char *arg, unsigned *n, struct hp_err *e)
{
	const char *s = unsigned_part(arg);
	size_t len = strspn(s, "0123456789");
	uint64_t want = UINT64_MAX;

	/*
	 * A number of threads above UINT64_MAX is valid. It is treated like any
	 * other number above 1024.
	 */
	if ((len < 20 || s[len] != '\0') &&
	    int_parse(s, 1, UINT64_MAX, &want, "threads", e) == -1)
		return -1;
	*n = want < 1024 ? (unsigned)want : 1024;
	return 0;
}

/*
 * Parses a number of bytes with an optional unit from K to T. Advances *s past
 * it.
 */
static int
bytes_number(const char **s, uint64_t *n)
{
	int p;

	if (digits(s, n) == -1)
		return -1;
	if ((p = unit_power(**s)) < 1 || p > 4)
		return 0;
	++*s;
	if (*n > UINT64_MAX >> (10 * p))
		return -1;
	*n <<= 10 * p;
	return 0;
}

int
extent_parse(
    const char *arg, uint64_t *offset, uint64_t *bytes, struct hp_err *e)
{
	const char *s = arg;

	if (bytes_number(&s, offset) == -1 || *s++ != ':' ||
	    bytes_number(&s, bytes) == -1 || *s != '\0' ||
	    *offset > INT64_MAX || *bytes > INT64_MAX)
		return hp_fail(
		    e, HP_USAGE, "extent '%s': must be OFFSET:BYTES", arg);
	return 0;
}

int
offset_parse(const char *arg, uint64_t *offset, struct hp_err *e)
{
	const char *s = arg;

	if (bytes_number(&s, offset) == -1 || *s != '\0' || *offset > INT64_MAX)
		return hp_fail(
		    e, HP_USAGE, "offset '%s': must be a number of bytes", arg);
	return 0;
}

int
positive_parse(const char *arg, double *x, const char *what, struct hp_err *e)
{
	char *end;

	*x = strtod(arg, &end);
	if (end == arg || *end != '\0' || isspace((unsigned char)*arg))
		return hp_fail(
		    e, HP_USAGE, "%s '%s': must be a number", what, arg);
	if (!isfinite(*x) || *x <= 0)
		return hp_fail(e, HP_USAGE, "%s '%s': must be above 0%s", what,
		    arg, *x > 0 ? " and finite" : "");
	return 0;
}

/*
 * Reads the number in a cgroup's file, such as a memory limit. Returns
 * UINT64_MAX if the file is missing or contains "max".
 */
static uint64_t
limit_in(const char *path)
{
	unsigned long long n = 0;
	FILE *f = fopen(path, "re");
	int got = 0;

	if (f != NULL) {
		got = fscanf(f, "%llu", &n);
		fclose(f);
	}
	return got == 1 && n > 0 ? n : UINT64_MAX;
}

/*
 * Returns the smallest limit of the cgroup at `path` and of its parents up to
 * `root`. The limit of a cgroup applies to all cgroups below it.
 */
static uint64_t
limit_up_tree(const char *root, const char *path, const char *leaf)
{
	uint64_t least = UINT64_MAX, n;
	char dir[4096], file[8192], *slash;

	snprintf(dir, sizeof dir, "%s", path);
	for (;;) {
		snprintf(file, sizeof file, "%s%s/%s", root, dir, leaf);
		if ((n = limit_in(file)) < least)
			least = n;
		if ((slash = strrchr(dir, '/')) == NULL)
			return least;
		*slash = '\0';
	}
}

static uint64_t
cgroup_limit(void)
{
	uint64_t least = UINT64_MAX, n;
	char line[4096], *path;
	FILE *f = fopen("/proc/self/cgroup", "re");

	if (f == NULL)
		return UINT64_MAX;
	while (fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3) == 0) {
			n = limit_up_tree(
			    "/sys/fs/cgroup", line + 3, "memory.max");
		} else if ((path = strstr(line, ":memory:")) != NULL) {
			n = limit_up_tree("/sys/fs/cgroup/memory", path + 8,
			    "memory.limit_in_bytes");
		} else
			continue;
		if (n < least)
			least = n;
	}
	fclose(f);
	return least;
}

/*
 * Returns only half of the address space that the limits leave. The other half
 * is for the program, its threads, and memory that is reserved but not used.
 */
uint64_t
mem_addresses(void)
{
	uint64_t least = UINT64_MAX;
	struct rlimit l;

	if (getrlimit(RLIMIT_AS, &l) == 0 && l.rlim_cur != RLIM_INFINITY)
		least = l.rlim_cur;
	if (getrlimit(RLIMIT_DATA, &l) == 0 && l.rlim_cur < least)
		least = l.rlim_cur;
	if (least == UINT64_MAX)
		return least;
	return least > 2 * PROGRAM ? (least - PROGRAM) / 2 : least / 4 + 1;
}

uint64_t
mem_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t machine = pages > 0 && size > 0
	    ? (uint64_t)pages * (uint64_t)size
	    : (uint64_t)1 << 30;
	uint64_t least = cgroup_limit(), n = mem_addresses();

	least = least < machine ? least : machine;
	return n < least ? n : least;
}

uint64_t
mem_most(void)
{
	uint64_t n = mem_limit();

	/*
	 * Reserve an eighth of the memory for the page cache. In a cgroup
	 * reserve a quarter, because file pages that wait to be written count
	 * as memory of the cgroup.
	 */
	return n - n / (cgroup_limit() == n ? 4 : 8);
}

unsigned
cpu_count(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
	return 1;
}
