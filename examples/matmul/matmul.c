/*
 * A slice of a matrix product, C = A B for square matrices of doubles, as in
 * Lastovetsky and Reddy 2007, section 3.2.
 *
 *	matmul DIR N			make A and B, N x N, in the directory
 *	matmul DIR N FIRST ROWS [KERNEL] compute ROWS rows of C, from FIRST on
 *
 * The matrices are files mapped into memory: DIR/A.N, DIR/B.N and DIR/C.N.  A
 * and C are stored by rows, B by columns, because every inner product reads a
 * column of B.  A node without enough memory pages, as with virtual memory.
 *
 * KERNEL is ddot (default), one inner product for each element, which reads all
 * of B for each row; or dgemm, which multiplies blocks and reads B less often.
 * These are the applications MatrixMult and MatrixMultATLAS of the paper.
 */

#include <sys/mman.h>
#include <sys/stat.h>

#include <cblas.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* DIR/NAME.N as n x n doubles, made or grown to that size if to be written. */
static double *
matrix(const char *dir, char name, size_t n, int flags)
{
	size_t bytes = n * n * sizeof(double);
	char path[4096];
	struct stat st;
	void *at;
	int fd;

	snprintf(path, sizeof path, "%s/%c.%zu", dir, name, n);
	if ((fd = open(path, flags | O_CLOEXEC, 0600)) == -1)
		err(2, "%s", path);
	if ((flags & O_CREAT) && ftruncate(fd, (off_t)bytes) == -1)
		err(2, "%s", path);
	if (fstat(fd, &st) == -1)
		err(2, "%s", path);
	if ((size_t)st.st_size != bytes)
		errx(2, "%s: is not of %zu x %zu doubles", path, n, n);
	at = mmap(NULL, bytes, PROT_READ | (flags & O_RDWR ? PROT_WRITE : 0),
	    MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		err(2, "%s", path);
	close(fd);
	return at;
}

/* Small whole numbers, so that sums are exact and anyone can check them. */
static void
make(const char *dir, size_t n)
{
	double *a = matrix(dir, 'A', n, O_RDWR | O_CREAT);
	double *b = matrix(dir, 'B', n, O_RDWR | O_CREAT);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			a[i * n + j] = (double)((3 * i + j) % 7);
			b[j * n + i] = (double)((i + 5 * j) % 11);
		}
}

static void
multiply(const char *dir, size_t n, size_t first, size_t rows)
{
	const double *a = matrix(dir, 'A', n, O_RDONLY);
	const double *b = matrix(dir, 'B', n, O_RDONLY);
	double *c = matrix(dir, 'C', n, O_RDWR | O_CREAT);

	for (size_t i = first; i < first + rows; i++)
		for (size_t j = 0; j < n; j++)
			c[i * n + j] = cblas_ddot(
			    (int)n, a + i * n, 1, b + j * n, 1);
}

static void
multiply_blocks(const char *dir, size_t n, size_t first, size_t rows)
{
	const double *a = matrix(dir, 'A', n, O_RDONLY);
	const double *b = matrix(dir, 'B', n, O_RDONLY);
	double *c = matrix(dir, 'C', n, O_RDWR | O_CREAT);
	blasint N = (blasint)n;

	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)rows, N,
	    N, 1, a + first * n, N, b, N, 0, c + first * n, N);
}

static size_t
number(const char *s, size_t most)
{
	char *end;
	unsigned long long x = strtoull(s, &end, 10);

	if (*s < '0' || *s > '9' || *end != '\0' || x > most)
		errx(2, "'%s': must be a number up to %zu", s, most);
	return (size_t)x;
}

int
main(int argc, char *argv[])
{
	size_t n, first, rows;

	if (argc != 3 && argc != 5 && argc != 6)
		errx(2, "usage: matmul DIR N [FIRST ROWS [ddot|dgemm]]");
	if (argc == 6 && strcmp(argv[5], "ddot") != 0 &&
	    strcmp(argv[5], "dgemm") != 0)
		errx(2, "'%s': must be ddot or dgemm", argv[5]);
	n = number(argv[2], 30000);
	if (argc == 3)
		make(argv[1], n);
	else {
		first = number(argv[3], n);
		rows = number(argv[4], n - first);
		if (argc == 6 && strcmp(argv[5], "dgemm") == 0)
			multiply_blocks(argv[1], n, first, rows);
		else
			multiply(argv[1], n, first, rows);
	}
	return 0;
}
