/*
 * What MPI makes of an all-to-all: every rank has so many mebibytes for each.
 *
 *	mpirun ... alltoallv MEBIBYTES [ROUNDS]
 *
 * Rank 0 prints the seconds of each round; all check that what came is right.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(int argc, char *argv[])
{
	int rank, ranks, wrong = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);

	size_t len = (size_t)(argc > 1 ? atoi(argv[1]) : 1) << 20;
	int rounds = argc > 2 ? atoi(argv[2]) : 1;
	char *out = malloc(len * (size_t)ranks);
	char *in = malloc(len * (size_t)ranks);
	int *counts = malloc(sizeof(int) * (size_t)ranks);
	int *places = malloc(sizeof(int) * (size_t)ranks);
	if (out == NULL || in == NULL || counts == NULL || places == NULL)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (int i = 0; i < ranks; i++) {
		counts[i] = (int)len;
		places[i] = (int)(len * (size_t)i);
		memset(out + places[i], 16 * rank + i, len);
	}

	while (rounds-- > 0) {
		memset(in, 0xff, len * (size_t)ranks);
		MPI_Barrier(MPI_COMM_WORLD);
		double start_s = MPI_Wtime();
		MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places,
		    MPI_BYTE, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			printf("%.4f\n", MPI_Wtime() - start_s);
		for (int i = 0; i < ranks; i++)
			for (size_t j = 0; j < len; j += 4096)
				if (in[(size_t)places[i] + j] !=
				    (char)(16 * i + rank))
					wrong = 1;
	}
	MPI_Finalize();
	return wrong;
}
