/*
 * The least work of a sort whose records do not fit the cache: the input is
 * mapped, and its records are gathered in a random order and written.  Nothing
 * is sorted.
 *
 *	floor SIZE IN OUT	records of SIZE bytes, with two threads
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	THREADS = 2,
	BLOCK = 1 << 20,
	AHEAD = 16 /* records that are prefetched */
};

static const unsigned char *in;
static size_t size, n, step, per_block;
static int out;
static _Atomic size_t next;

/*
 * Returns each record once.  Successive records are far apart; step and n have
 * no common divisor.
 */
static const unsigned char *
record(size_t i)
{
	return in + (size_t)((unsigned __int128)i * step % n) * size;
}

static void *
work(void *buf)
{
	size_t b, i, end;
	unsigned char *to;

	while ((b = next++ * per_block) < n) {
		end = b + per_block < n ? b + per_block : n;
		to = buf;
		for (i = b; i < end; i++, to += size) {
			__builtin_prefetch(record(i + AHEAD));
			__builtin_prefetch(record(i + AHEAD) + size - 1);
			memcpy(to, record(i), size);
		}
		if (pwrite(out, buf, (size_t)(to - (unsigned char *)buf),
			(off_t)(b * size)) == -1)
			err(2, "write");
	}
	return NULL;
}

static size_t
divisor(size_t a, size_t b)
{
	return b == 0 ? a : divisor(b, a % b);
}

int
main(int argc, char *argv[])
{
	pthread_t thread[THREADS];
	struct stat st;
	int fd;

	if (argc != 4 || (size = strtoul(argv[1], NULL, 10)) == 0)
		errx(2, "usage: floor SIZE IN OUT");
	if ((fd = open(argv[2], O_RDONLY)) == -1 || fstat(fd, &st) == -1)
		err(2, "%s", argv[2]);
	n = (size_t)st.st_size / size;
	in = mmap(NULL, (size_t)st.st_size, PROT_READ,
	    MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (n == 0 || in == MAP_FAILED)
		err(2, "%s", argv[2]);
	out = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (out == -1)
		err(2, "%s", argv[3]);
	for (step = (size_t)((double)n * 0.618) + 1; divisor(n, step) != 1;)
		step++;
	per_block = BLOCK / size + 1;
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(
			&thread[i], NULL, work, malloc(per_block * size)) != 0)
			errx(2, "threads");
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return close(out) == -1 ? 2 : 0;
}
