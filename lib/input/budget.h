#ifndef HP_INPUT_BUDGET_H
#define HP_INPUT_BUDGET_H

/*
 * Divides a sort's memory among its buffers and decides how many threads it
 * suffices for. budget.c lists all fractions with their reasons.
 *
 * The budget is divided in this order:
 *
 *   budget_init     subtracts what the process needs without data
 *   budget_spill    subtracts the buffers for temporary files
 *   budget_records  divides the rest for a batch of records,
 *   budget_numbers  or for a batch of numbers
 *
 * If the input is smaller than the memory, the buffers are sized for the input.
 */

#include <stddef.h>
#include <stdint.h>

#include "input/input.h"

struct budget {
	uint64_t memory;  /* bytes left to divide */
	unsigned threads; /* number of threads for which the memory suffices */

	/* Set by budget_records and budget_numbers; sizes in bytes. */
	/*
	 * writer threads, including spares that run while others wait for a
	 * disk
	 */
	unsigned writers;
	/* number of buffers for sorted numbers, of `leaf` elements each */
	unsigned buffers;
	/*
	 * maximum number of elements or numbers that one thread sorts at once
	 */
	size_t leaf;
	size_t part;   /* target size of a bucket, in elements or numbers */
	size_t lines;  /* target size of a bucket of lines, in bytes */
	size_t gather; /* bytes of records that a thread writes at once */
	size_t block;  /* bytes of input that a thread reads at once */
	/* bytes of a sheet: contiguous memory for numbers of one bin */
	size_t sheet;
	size_t slab;	/* bytes that a thread takes from the arena at once */
	size_t buckets; /* most buckets or bins */
	/* one more thread joins after each so many bytes from a pipe */
	size_t share;
	size_t cap; /* bytes for text and elements together */
	/* address space of the arena in bytes; touched pages become memory */
	size_t addresses;
	size_t huge; /* bytes of the arena for which huge pages may be used */
};

/* all: bytes that the process may use. threads: maximum number of threads. */
void budget_init(struct budget *, uint64_t all, unsigned threads);

/* Reserves memory for writing a temporary file. each: bytes per thread. */
void budget_spill(struct budget *, uint64_t each);

void budget_records(struct budget *, const struct input *);

/*
 * Budget for numbers. list: bytes per thread and bin for a list without its
 * sheets. most: number of bins.
 */
void
budget_numbers(struct budget *, const struct input *, size_t list, size_t most);

/* Copies the limits that concern the input into its struct. */
void budget_input(const struct budget *, struct input *);

/* Returns the buffer size in bytes for copying input that is already sorted. */
size_t budget_copy(const struct budget *);

/*
 * Returns how many bytes of the input may be mapped. Numbers are read only
 * once; records stay mapped beside their elements.
 */
uint64_t budget_mapped(const struct budget *, bool numbers);

/*
 * Returns the number of buffers for sorted numbers. There are enough of them
 * that no thread waits for a buffer while one writer writes.
 */
static inline unsigned
budget_buffers(unsigned writers)
{
	return writers == 1 ? 1 : writers + 2;
}

#endif
