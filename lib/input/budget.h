#ifndef HP_INPUT_BUDGET_H
#define HP_INPUT_BUDGET_H

/*
 * What the memory of a sort is used for, and how many threads it suffices for.
 * budget.c has all fractions, each with its reason.
 *
 * The budget is divided from the outside to the inside:
 *
 *  budget_init     takes off what the process needs without any data
 *  budget_spill    takes off the buffers for temporary files
 *  budget_records  divides the rest for a batch of records,
 *  budget_numbers  or for a batch of numbers
 *
 * If the input is smaller than the memory, all parts are made for the input.
 */

#include <stddef.h>
#include <stdint.h>

#include "input/input.h"

struct budget {
	uint64_t memory;  /* bytes left to divide */
	unsigned threads; /* that the memory suffices for */

	/* Set by budget_records and budget_numbers; sizes in bytes. */
	unsigned writers; /* threads, and spare ones for while a disk is slow */
	unsigned buffers; /* for sorted numbers; each has the size of a leaf */
	size_t leaf;	  /* elements or numbers that a thread sorts at once */
	size_t part;	  /* elements or numbers that a bucket should have */
	size_t lines;	  /* lines that a bucket should have */
	size_t gather;	  /* records that a thread writes at once */
	size_t block;	  /* input that a thread reads at once */
	size_t sheet;	  /* numbers of one bin that lie together */
	size_t slab;	  /* what a thread takes from the arena at once */
	size_t buckets;	  /* number of buckets or bins, at most */
	size_t share;	  /* input of a pipe that is worth one more thread */
	size_t cap;	  /* input and elements together */
	size_t addresses; /* of the arena, whose memory comes when touched */
	size_t huge;	  /* of the arena, that may be huge pages */
};

/* all: bytes that the process may take.  threads: how many there may be. */
void budget_init(struct budget *, uint64_t all, unsigned threads);

/* each: bytes that a thread takes to write a temporary file. */
void budget_spill(struct budget *, uint64_t each);

void budget_records(struct budget *, const struct input *);

/* list: bytes of a bin's list in one thread, without its sheets.  most: number
 * of bins. */
void
budget_numbers(struct budget *, const struct input *, size_t list, size_t most);

/* Tells the input its part. */
void budget_input(const struct budget *, struct input *);

/* Bytes that a thread copies at once when the input is in order already. */
size_t budget_copy(const struct budget *);

/*
 * How many bytes of the input may be mapped.  numbers: they are only read once,
 * records stay mapped beside their elements.
 */
uint64_t budget_mapped(const struct budget *, bool numbers);

/* Buffers for sorted numbers, so many that none of the writers waits for one
 * while another writes. */
static inline unsigned
budget_buffers(unsigned writers)
{
	return writers == 1 ? 1 : writers + 2;
}

#endif
