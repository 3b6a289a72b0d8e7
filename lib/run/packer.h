#ifndef HP_RUN_PACKER_H
#define HP_RUN_PACKER_H

/*
 * A packer holds the buffers and the codec with which a thread reads or writes
 * a block of a temporary file. Idle packers are kept for reuse. So there are
 * only as many packers as threads that read or write at the same time.
 */

#include <pthread.h>
#include <stddef.h>

#include "base/err.h"
#include "run/codec.h"

struct packer {
	struct packer *next;
	struct codec codec;
	/* aligned buffer for a block as it is stored in the file */
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

/*
 * Returns the size in bytes of one packer, that is, of its buffers and its
 * codec.
 */
size_t packer_memory(const struct packers *);

/*
 * Takes an idle packer (buffers and codec) or allocates one. The caller returns
 * the packer with packer_give_back. Returns NULL with HP_NOMEM if there is no
 * memory.
 */
struct packer *packer_take(struct packers *, struct hp_err *);
void packer_give_back(struct packers *, struct packer *);

#endif
