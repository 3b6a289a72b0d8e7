#ifndef HP_RUN_PACKER_H
#define HP_RUN_PACKER_H

/*
 * The buffers and the codec that a thread needs to read or write a block of a
 * temporary file. Unused packers are kept for reuse. So there are as many as
 * threads that read or write at the same time.
 */

#include <pthread.h>
#include <stddef.h>

#include "base/err.h"
#include "run/codec.h"

struct packer {
	struct packer *next;
	struct codec codec;
	/* buffer for a block in the format of the file; aligned */
	unsigned char *stored;
	size_t cap;
	/* One uncompressed block; NULL without compression. */
	unsigned char *plain;
};

struct packers {
	enum codec_kind codec;
	size_t block; /* bytes that are compressed together */
	pthread_mutex_t lock;
	struct packer *idle;
};

void packers_init(struct packers *, enum codec_kind, size_t block);
void packers_fini(struct packers *);

/* Returns the memory in bytes that one packer takes. */
size_t packer_memory(const struct packers *);

/*
 * Takes an idle packer or allocates one. Return it with packer_give_back.
 * Returns NULL with HP_NOMEM if there is no memory.
 */
struct packer *packer_take(struct packers *, struct hp_err *);
void packer_give_back(struct packers *, struct packer *);

#endif
