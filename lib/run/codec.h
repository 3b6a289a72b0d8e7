#ifndef HP_RUN_CODEC_H
#define HP_RUN_CODEC_H

/*
 * Compresses the blocks of temporary files, with zstd or LZ4. Each block is
 * compressed independently, so that a reader can decompress it without the
 * other blocks.
 */

#include <stddef.h>

#include "base/err.h"

enum codec_kind {
	CODEC_NONE,
	CODEC_ZSTD,
	CODEC_LZ4
};

struct codec { /* use by one thread at a time */
	enum codec_kind kind;
	void *pack, *unpack;
};

/* Parses "zstd" or "lz4". Fails with HP_USAGE for another name. */
int codec_parse(const char *, enum codec_kind *, struct hp_err *);

int codec_init(struct codec *, enum codec_kind, struct hp_err *);
/* Does nothing on a zeroed struct. */
void codec_fini(struct codec *);

/*
 * Returns the maximum number of bytes of memory that the compression library
 * allocates for a codec with blocks of n bytes.
 */
size_t codec_memory(enum codec_kind, size_t n);
/* Returns the maximum size of n bytes after compression. */
size_t codec_bound(enum codec_kind, size_t n);

/*
 * Compresses n bytes into `to`, which has room for cap bytes. Returns the
 * compressed size, or 0 on an error (HP_NOMEM).
 */
size_t codec_pack(struct codec *, void *to, size_t cap, const void *from,
    size_t n, struct hp_err *);
/*
 * Decompresses a block of len bytes into exactly n bytes. Fails with HP_IO if
 * the result has another size.
 */
int codec_unpack(struct codec *, void *to, size_t n, const void *from,
    size_t len, struct hp_err *);

#endif
