/*
 * The transfer of hpexchange-mpi beside MPI_Alltoallv, from memory to memory.
 * Every rank has so many mebibytes for each rank, itself too.
 *
 *	mpirun ... mpi_memory MEBIBYTES [ROUNDS [MESSAGE_KIB [WINDOW]]]
 *
 * Each round compares four ways: MPI_Alltoallv, the mover, and both with the
 * checksums of hpexchange-mpi.  A message is then a frame: the sender computes
 * its checksum, and the receiver verifies it.  MPI_Alltoallv has to do so
 *before and after the call.  For each round rank 0 prints the seconds of the
 *four ways, and then the seconds of the processors, of all ranks together.  All
 * ranks check what has arrived.
 */
#include <sys/resource.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mover.h"
#include "record/frame.h"

enum way {
	ALLTOALLV,
	MOVER,
	ALLTOALLV_SUMS,
	MOVER_SUMS,
	WAYS
};

struct bench {
	int rank, ranks;
	size_t len, message;
	char *out, *in;
	size_t *sent, *arrived, *sends, *receives; /* bytes, by rank */
	bool sums;
};

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Computes the checksum of a message, which begins with the head of a frame. */
static void
seal(const struct bench *b, char *message, size_t len)
{
	const struct frame f = { .type = FRAME_DATA,
		.source = (uint32_t)b->rank,
		.length = (uint32_t)(len - FRAME_HEAD) };

	frame_encode(&f, message + FRAME_HEAD, (unsigned char *)message);
}

static void
verify(const char *message)
{
	struct hp_err e = { 0 };

	if (frame_verify((const unsigned char *)message, message + FRAME_HEAD,
		"a message", &e) == 0)
		return;
	fprintf(stderr, "mpi_memory: %s\n", e.text);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

static bool
next(void *of, uint32_t to, const void **buf, size_t *len)
{
	struct bench *b = of;

	if (b->sends[to] == b->len)
		return false;
	*buf = b->out + b->len * to + b->sends[to];
	*len = least(b->message, b->len - b->sends[to]);
	if (b->sums)
		seal(b, b->out + b->len * to + b->sends[to], *len);
	b->sends[to] += *len;
	return true;
}

static void
sent(void *of, uint32_t to)
{
	struct bench *b = of;

	b->sent[to] += least(b->message, b->len - b->sent[to]);
}

static bool
room(void *of, uint32_t from, void **buf, size_t *size)
{
	struct bench *b = of;

	if (b->receives[from] == b->len)
		return false;
	*buf = b->in + b->len * from + b->receives[from];
	*size = least(b->message, b->len - b->receives[from]);
	b->receives[from] += *size;
	return true;
}

static void
came(void *of, uint32_t from, size_t len)
{
	struct bench *b = of;

	if (b->sums)
		verify(b->in + b->len * from + b->arrived[from]);
	b->arrived[from] += len;
}

static bool
done(const struct bench *b)
{
	for (int i = 0; i < b->ranks; i++)
		if (i != b->rank &&
		    (b->sent[i] < b->len || b->arrived[i] < b->len))
			return false;
	return true;
}

static void
by_mover(struct bench *b, uint32_t window, bool sums)
{
	const struct mover_ends ends = { next, sent, room, came, b };
	size_t n = sizeof *b->sent * (size_t)b->ranks;
	size_t own = b->len * (size_t)b->rank;
	struct hp_err e = { 0 };
	struct mover m;
	uint32_t rank;
	int moved;

	b->sums = sums;
	memset(b->sent, 0, n);
	memset(b->arrived, 0, n);
	memset(b->sends, 0, n);
	memset(b->receives, 0, n);
	if (mover_init(&m, &ends, (uint32_t)b->ranks, (uint32_t)b->rank, window,
		&e) == -1)
		MPI_Abort(MPI_COMM_WORLD, 2);
	/*
	 * The other ranks need our messages, so start them before copying our
	 * own data.
	 */
	mover_step(&m, &rank, &e);
	memcpy(b->in + own, b->out + own, b->len);
	while (!done(b)) {
		if ((moved = mover_step(&m, &rank, &e)) == -1)
			MPI_Abort(MPI_COMM_WORLD, 2);
		if (moved == 0)
			sched_yield();
	}
	mover_fini(&m);
}

static void
by_alltoallv(struct bench *b, bool sums)
{
	int counts[b->ranks], places[b->ranks];

	for (int i = 0; i < b->ranks; i++) {
		counts[i] = (int)b->len;
		places[i] = (int)(b->len * (size_t)i);
		for (size_t at = 0; sums && i != b->rank && at < b->len;
		     at += b->message)
			seal(b, b->out + places[i] + at,
			    least(b->message, b->len - at));
	}
	MPI_Alltoallv(b->out, counts, places, MPI_BYTE, b->in, counts, places,
	    MPI_BYTE, MPI_COMM_WORLD);
	for (int i = 0; i < b->ranks; i++)
		for (size_t at = 0; sums && i != b->rank && at < b->len;
		     at += b->message)
			verify(b->in + places[i] + at);
}

/*
 * Each message begins with the head of a frame, so only the bytes in between
 * are compared.
 */
static bool
right(const struct bench *b)
{
	for (int i = 0; i < b->ranks; i++)
		for (size_t j = 2048; j < b->len; j += 4096)
			if (b->in[b->len * (size_t)i + j] !=
			    (char)(16 * i + b->rank))
				return false;
	return true;
}

/* Returns the seconds of the processors that this process has used. */
static double
used_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/*
 * Moves all data once.  *took is the elapsed time, *used the processor time of
 * all ranks, in seconds.
 */
static void
measure(
    struct bench *b, enum way way, uint32_t window, double *took, double *used)
{
	double start_s, own_s;

	memset(b->in, 0xff, b->len * (size_t)b->ranks);
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	own_s = used_s();
	if (way == ALLTOALLV || way == ALLTOALLV_SUMS)
		by_alltoallv(b, way == ALLTOALLV_SUMS);
	else
		by_mover(b, window, way == MOVER_SUMS);
	own_s = used_s() - own_s;
	MPI_Barrier(MPI_COMM_WORLD);
	*took = MPI_Wtime() - start_s;
	MPI_Reduce(&own_s, used, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

int
main(int argc, char *argv[])
{
	struct bench b = { 0 };
	int rounds = argc > 2 ? atoi(argv[2]) : 1, wrong = 0;
	uint32_t window = argc > 4 ? (uint32_t)atoi(argv[4]) : 4;
	double took[WAYS], used[WAYS];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
	b.len = (size_t)(argc > 1 ? atoi(argv[1]) : 1) << 20;
	b.message = (size_t)(argc > 3 ? atoi(argv[3]) : 512) << 10;
	b.out = malloc(b.len * (size_t)b.ranks);
	b.in = malloc(b.len * (size_t)b.ranks);
	b.sent = calloc(4 * (size_t)b.ranks, sizeof *b.sent);
	if (b.out == NULL || b.in == NULL || b.sent == NULL ||
	    b.message > MOVER_MOST)
		MPI_Abort(MPI_COMM_WORLD, 2);
	b.arrived = b.sent + b.ranks;
	b.sends = b.arrived + b.ranks;
	b.receives = b.sends + b.ranks;
	for (int i = 0; i < b.ranks; i++)
		memset(b.out + b.len * (size_t)i, 16 * b.rank + i, b.len);
	for (int k = 0; k < rounds; k++) {
		for (int way = 0; way < WAYS; way++) {
			measure(
			    &b, (enum way)way, window, &took[way], &used[way]);
			wrong |= !right(&b);
		}
		for (int i = 0; b.rank == 0 && i < 2 * WAYS; i++)
			printf("%.4f%c", i < WAYS ? took[i] : used[i - WAYS],
			    i < 2 * WAYS - 1 ? ' ' : '\n');
	}
	MPI_Finalize();
	return wrong;
}
