/*
 * The transfer of hpexchange-mpi beside MPI_Alltoallv, from memory to memory.
 * Every rank has so many mebibytes for each rank, itself too.
 *
 *	mpirun ... mpi_memory MEBIBYTES [ROUNDS [MESSAGE_KIB [WINDOW]]]
 *
 * For each round rank 0 prints the seconds of MPI_Alltoallv, of the mover, and
 * of the mover when both ends compute the checksum of each message.  All ranks
 * check what has arrived.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "mover.h"

struct bench {
	int rank, ranks;
	size_t len, message;
	char *out, *in;
	size_t *sent, *arrived, *sends, *receives; /* bytes, by rank */
	bool sums;
	uint64_t sum; /* so that no checksum is optimized away */
};

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
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
		b->sum += XXH3_128bits(*buf, *len).low64;
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
		b->sum += XXH3_128bits(
		    b->in + b->len * from + b->arrived[from], len)
			      .low64;
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
	/* The others need our messages, so start them before the own copy. */
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
by_alltoallv(struct bench *b)
{
	int counts[b->ranks], places[b->ranks];

	for (int i = 0; i < b->ranks; i++) {
		counts[i] = (int)b->len;
		places[i] = (int)(b->len * (size_t)i);
	}
	MPI_Alltoallv(b->out, counts, places, MPI_BYTE, b->in, counts, places,
	    MPI_BYTE, MPI_COMM_WORLD);
}

static bool
right(const struct bench *b)
{
	for (int i = 0; i < b->ranks; i++)
		for (size_t j = 0; j < b->len; j += 4096)
			if (b->in[b->len * (size_t)i + j] !=
			    (char)(16 * i + b->rank))
				return false;
	return true;
}

int
main(int argc, char *argv[])
{
	struct bench b = { 0 };
	int rounds = argc > 2 ? atoi(argv[2]) : 1, wrong = 0;
	uint32_t window = argc > 4 ? (uint32_t)atoi(argv[4]) : 4;
	double start_s;

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
	for (int k = 0; k < 3 * rounds; k++) {
		memset(b.in, 0xff, b.len * (size_t)b.ranks);
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime();
		if (k % 3 == 0)
			by_alltoallv(&b);
		else
			by_mover(&b, window, k % 3 == 2);
		MPI_Barrier(MPI_COMM_WORLD);
		if (b.rank == 0)
			printf("%.4f%c", MPI_Wtime() - start_s,
			    k % 3 == 2 ? '\n' : ' ');
		wrong |= !right(&b);
	}
	MPI_Finalize();
	return wrong;
}
