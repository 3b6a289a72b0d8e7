/*
 * The main function of a fuzzer in `make check`, without libFuzzer. NAME_fuzz
 * CORPUS runs every input of CORPUS/NAME, then random mutations of them. A
 * crash or a failed assertion fails the suite. Each input is named before it
 * runs.
 */

#include <sys/stat.h>

#include <dirent.h>

#include "../unit/test.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum {
	MUTANTS = 2000,	  /* number of mutations */
	LONGEST = 1 << 20 /* most bytes of an input */
};

struct inputs {
	struct input {
		uint8_t *bytes;
		size_t len;
	} * one;
	size_t n;
};

static int
input_read(struct input *in, const char *path)
{
	FILE *f = fopen(path, "rb");

	if (f == NULL || (in->bytes = malloc(LONGEST)) == NULL)
		return -1;
	in->len = fread(in->bytes, 1, LONGEST, f);
	return fclose(f);
}

/* Runs a copy of exactly the input's size, so that the sanitizer detects reads
 * beyond it. */
static void
run_one(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len == 0 ? 1 : len);

	if (copy == NULL)
		abort();
	if (len > 0)
		memcpy(copy, bytes, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static void
replay(struct inputs *all, const char *dir)
{
	struct dirent **entry;
	struct input *in;
	char path[4096];
	int n = scandir(dir, &entry, NULL, alphasort);

	all->one = calloc(n > 0 ? (size_t)n : 1, sizeof *all->one);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, entry[i]->d_name);
		free(entry[i]);
		if (path[strlen(path) - 1] == '.')
			continue;
		in = &all->one[all->n];
		CHECK(input_read(in, path) == 0);
		printf("# %s\n", path);
		fflush(stdout);
		run_one(in->bytes, in->len);
		all->n++;
	}
	if (n >= 0)
		free(entry);
}

/* Changes, duplicates or removes some bytes, or truncates the input. */
static size_t
mutate(uint8_t *bytes, size_t len)
{
	size_t at, n;

	for (unsigned i = 1 + (unsigned)test_below(4); i > 0 && len > 0; i--) {
		at = test_below(len);
		n = test_below(len - at) % 16 + 1;
		switch (test_below(6)) {
		case 0:
			bytes[at] = (uint8_t)test_random();
			break;
		case 1:
			bytes[at] ^= (uint8_t)(1u << test_below(8));
			break;
		case 2:
			memset(bytes + at, test_below(2) == 0 ? 0 : 0xff, n);
			break;
		case 3:
			memmove(bytes + at, bytes + at + n, len - at - n);
			len -= n;
			break;
		case 4:
			memmove(bytes + at + n, bytes + at, len - at);
			len += n;
			break;
		default:
			len = at;
		}
	}
	return len;
}

static struct inputs all;
static const char *dir;

static void
corpus(void)
{
	replay(&all, dir);
	CHECK(all.n > 0);
}

static void
mutants(void)
{
	static uint8_t bytes[LONGEST + 64];
	struct input *in;
	size_t len;

	for (int i = 0; i < MUTANTS && all.n > 0; i++) {
		in = &all.one[test_below(all.n)];
		memcpy(bytes, in->bytes, in->len);
		len = mutate(bytes, in->len);
		run_one(bytes, len);
	}
}

int
main(int argc, char *argv[])
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash == NULL ? argv[0] : slash + 1;
	char path[4096];

	if (argc != 2 || strlen(name) < strlen("_fuzz"))
		return 2;
	snprintf(path, sizeof path, "%s/%.*s", argv[1],
	    (int)(strlen(name) - strlen("_fuzz")), name);
	dir = path;
	RUN(corpus);
	RUN(mutants);
	for (size_t i = 0; i < all.n; i++)
		free(all.one[i].bytes);
	free(all.one);
	return test_done();
}
