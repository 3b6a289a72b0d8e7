#ifndef HP_RUN_PACKER_H
#define HP_RUN_PACKER_H

/*
 * What a thread needs to write a block of a temporary file or to read one: room
 * for the block as the file has it, aligned, and where blocks are compressed
 * for one as it was, too.  There are as many as threads that write or read at
 * the same time.
 */

#include <pthread.h>
#include <stddef.h>

#include "base/err.h"
#include "run/codec.h"

struct packer {
	struct packer *next;
	struct codec codec;
	unsigned char *stored; /* as in the file, aligned */
	size_t cap;
	unsigned char *plain; /* one block, if compressed */
};

struct packers {
	enum codec_kind codec;
	size_t block; /* bytes that are compressed at once */
	pthread_mutex_t lock;
	struct packer *idle;
};

void packers_init(struct packers *, enum codec_kind, size_t block);
void packers_fini(struct packers *);

/* The bytes that one takes. */
size_t packer_memory(const struct packers *);

/* One for this thread until it is given back; NULL: HP_NOMEM. */
struct packer *packer_take(struct packers *, struct hp_err *);
void packer_give_back(struct packers *, struct packer *);

#endif
