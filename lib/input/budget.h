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
	uint64_t memory; /* bytes left to divide */
	/* number of threads for which the memory is large enough */
	unsigned threads;

	/*
	 * The functions budget_records and budget_numbers set the following
	 * sizes in bytes.
	 */
	/*
	 * number of threads that write, including spare threads, which run
	 * while other threads wait for a disk
	 */
	unsigned writers;
	/* number of buffers for sorted numbers, each with `leaf` bytes */
	unsigned buffers;
	/* size of the data that one thread sorts at once */
	size_t leaf;
	/*
	 * target size of a bucket; a bucket holds the records of one range of
	 * keys
	 */
	size_t part;
	/* target size of a bucket that contains the text of lines */
	size_t lines;
	/* size of the buffer in which a thread collects records to write */
	size_t gather;
	/* size of the block of input that a thread reads at once */
	size_t block;
	/* size of a sheet: a block of a list of numbers */
	size_t sheet;
	/* size of the memory that a thread takes from the arena at once */
	size_t slab;
	size_t buckets; /* most buckets or bins */
	/*
	 * for a pipe: one more thread starts each time this many bytes have
	 * been read
	 */
	size_t share;
	size_t cap; /* bytes for text and elements together */
	/*
	 * size of the address range of the arena; only pages that are touched
	 * become memory
	 */
	size_t addresses;
	size_t huge; /* size of the part of the arena that may use huge pages */
};

/*
 * Starts a budget of `all` bytes for the process and at most `threads` threads.
 */
void budget_init(struct budget *, uint64_t all, unsigned threads);

/* Reserves memory for writing a temporary file: `each` bytes per thread. */
void budget_spill(struct budget *, uint64_t each);

void budget_records(struct budget *, const struct input *);

/*
 * Plans the memory for sorting numbers in at most `most` buckets. Each thread
 * has a list in each bucket, which takes `list` bytes plus its numbers.
 */
void
budget_numbers(struct budget *, const struct input *, size_t list, size_t most);

/* Copies the limits for reading (block size and memory) to the input. */
void budget_input(const struct budget *, struct input *);

/*
 * Returns the size in bytes of the buffer through which input that is already
 * sorted is copied.
 */
size_t budget_copy(const struct budget *);

/*
 * Returns how many bytes of input may be mapped into memory. Numbers need less
 * memory than other records, because each mapped page is dropped after it was
 * read.
 */
uint64_t budget_mapped(const struct budget *, bool numbers);

/*
 * Returns the number of buffers for sorted numbers. A filled buffer often has
 * to wait until earlier buffers are written. If there are several threads,
 * there are more buffers than threads. So a thread can fill another buffer
 * meanwhile.
 */
static inline unsigned
budget_buffers(unsigned writers)
{
	return writers == 1 ? 1 : writers + 2;
}

#endif
