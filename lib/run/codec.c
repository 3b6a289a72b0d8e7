#include <string.h>

#include <lz4frame.h>
#include <zstd.h>

#include "run/codec.h"

enum {
	/*
	 * compression level of zstd: a low level is fast, and temporary files
	 * are read only once
	 */
	LEVEL = 1
};

int
codec_parse(const char *s, enum codec_kind *kind, struct hp_err *e)
{
	if (strcmp(s, "zstd") == 0)
		*kind = CODEC_ZSTD;
	else if (strcmp(s, "lz4") == 0)
		*kind = CODEC_LZ4;
	else
		return hp_fail(
		    e, HP_USAGE, "compression '%s' is not zstd or lz4", s);
	return 0;
}

int
codec_init(struct codec *c, enum codec_kind kind, struct hp_err *e)
{
	LZ4F_dctx *d = NULL;

	*c = (struct codec){ .kind = kind };
	if (kind == CODEC_NONE)
		return 0;
	if (kind == CODEC_ZSTD) {
		c->pack = ZSTD_createCCtx();
		c->unpack = ZSTD_createDCtx();
		if (c->pack != NULL && c->unpack != NULL)
			return 0;
	} else if (!LZ4F_isError(
		       LZ4F_createDecompressionContext(&d, LZ4F_VERSION))) {
		c->unpack = d;
		return 0;
	}
	codec_fini(c);
	return hp_fail(e, HP_NOMEM, "compression: out of memory");
}

void
codec_fini(struct codec *c)
{
	if (c->kind == CODEC_ZSTD) {
		ZSTD_freeCCtx(c->pack);
		ZSTD_freeDCtx(c->unpack);
	} else if (c->unpack != NULL)
		LZ4F_freeDecompressionContext(c->unpack);
	*c = (struct codec){ 0 };
}

/*
 * The constants come from the size functions of zstd and LZ4, for blocks of 16
 * to 256 KiB.
 */
size_t
codec_memory(enum codec_kind kind, size_t n)
{
	return kind == CODEC_ZSTD ? 320 * 1024 + 2 * n
	    : kind == CODEC_LZ4	  ? 320 * 1024
				  : 0;
}

size_t
codec_bound(enum codec_kind kind, size_t n)
{
	return kind == CODEC_ZSTD ? ZSTD_compressBound(n)
	    : kind == CODEC_LZ4	  ? LZ4F_compressFrameBound(n, NULL)
				  : n;
}

size_t
codec_pack(struct codec *c, void *to, size_t cap, const void *from, size_t n,
    struct hp_err *e)
{
	size_t rc;
	const char *why;

	if (c->kind == CODEC_ZSTD) {
		rc = ZSTD_compressCCtx(c->pack, to, cap, from, n, LEVEL);
		if (!ZSTD_isError(rc))
			return rc;
		why = ZSTD_getErrorName(rc);
	} else {
		rc = LZ4F_compressFrame(to, cap, from, n, NULL);
		if (!LZ4F_isError(rc))
			return rc;
		why = LZ4F_getErrorName(rc);
	}
	hp_fail(e, HP_NOMEM, "compression: %s", why);
	return 0;
}

static size_t
unpack_lz4(LZ4F_dctx *d, unsigned char *to, size_t n, const unsigned char *from,
    size_t len)
{
	size_t done = 0, used = 0, out, in, rc;

	do {
		out = n - done;
		in = len - used;
		rc = LZ4F_decompress(
		    d, to + done, &out, from + used, &in, NULL);
		if (LZ4F_isError(rc)) {
			LZ4F_resetDecompressionContext(d);
			return 0;
		}
		done += out;
		used += in;
	} while (rc != 0 && (out > 0 || in > 0));
	return done;
}

int
codec_unpack(struct codec *c, void *to, size_t n, const void *from, size_t len,
    struct hp_err *e)
{
	size_t got;

	if (c->kind == CODEC_ZSTD)
		got = ZSTD_decompressDCtx(c->unpack, to, n, from, len);
	else
		got = unpack_lz4(c->unpack, to, n, from, len);
	if (got != n)
		return hp_fail(
		    e, HP_IO, "temporary file: a compressed block is damaged");
	return 0;
}
