#include <string.h>

#include <xxhash.h>

#include "base/bytes.h"
#include "net/spoolrecord.h"

static const char magic[8] = "hpspool";

enum {
	VERSION = 1,
	RESTARTS = 1, /* flags */
	PARTED = 2,
	SUM = 16,
	CHECKED = SPOOL_RECORD_SIZE - SUM
};

static void
checksum(const unsigned char *bytes, unsigned char out[SUM])
{
	XXH128_canonical_t c;

	XXH128_canonicalFromHash(&c, XXH3_128bits(bytes, CHECKED));
	memcpy(out, c.digest, SUM);
}

void
spool_record_encode(
    const struct spool_record *r, unsigned char out[SPOOL_RECORD_SIZE])
{
	memcpy(out, magic, sizeof magic);
	put32(out + 8, VERSION);
	put32(out + 12,
	    (uint32_t)((r->restarts ? RESTARTS : 0) |
		(r->parted ? PARTED : 0)));
	put32(out + 16, r->nodes);
	put32(out + 20, r->from);
	put32(out + 24, r->to);
	put32(out + 28, r->attempt);
	memcpy(out + 32, r->cluster, HELLO_CLUSTER);
	put64(out + 48, r->run);
	put64(out + 56, r->input);
	put64(out + 64, r->records);
	put64(out + 72, r->bytes);
	checksum(out, out + CHECKED);
}

bool
spool_record_decode(
    const unsigned char in[SPOOL_RECORD_SIZE], struct spool_record *r)
{
	unsigned char sum[SUM];

	checksum(in, sum);
	if (memcmp(in, magic, sizeof magic) != 0 || get32(in + 8) != VERSION ||
	    memcmp(in + CHECKED, sum, SUM) != 0)
		return false;
	*r = (struct spool_record){ .nodes = get32(in + 16),
		.from = get32(in + 20),
		.to = get32(in + 24),
		.attempt = get32(in + 28),
		.run = get64(in + 48),
		.input = get64(in + 56),
		.records = get64(in + 64),
		.bytes = get64(in + 72),
		.restarts = (get32(in + 12) & RESTARTS) != 0,
		.parted = (get32(in + 12) & PARTED) != 0 };
	memcpy(r->cluster, in + 32, HELLO_CLUSTER);
	return true;
}
