#ifndef HP_RUN_CODEC_H
#define HP_RUN_CODEC_H

/*
 * Compressing blocks of temporary files, each by itself: zstd at its fastest
 * ordinary level, or lz4 frames.
 */

#include <stddef.h>

#include "base/err.h"

enum codec_kind {
	CODEC_NONE,
	CODEC_ZSTD,
	CODEC_LZ4
};

struct codec { /* one for each thread at a time */
	enum codec_kind kind;
	void *pack, *unpack;
};

/* "zstd", "lz4": HP_USAGE for another name. */
int codec_parse(const char *, enum codec_kind *, struct hp_err *);

int codec_init(struct codec *, enum codec_kind, struct hp_err *);
/* Harmless on a zeroed struct. */
void codec_fini(struct codec *);

/* What a codec for blocks of n bytes takes besides these, at most. */
size_t codec_memory(enum codec_kind, size_t n);
/* Room for what n bytes become at worst. */
size_t codec_bound(enum codec_kind, size_t n);

/* The bytes that were written to `to`, 0 on an error (HP_NOMEM). */
size_t codec_pack(struct codec *, void *to, size_t cap, const void *from,
    size_t n, struct hp_err *);
/* Exactly n bytes must come of it; HP_IO if not. */
int codec_unpack(struct codec *, void *to, size_t n, const void *from,
    size_t len, struct hp_err *);

#endif
