#include <string.h>

#define XXH_STATIC_LINKING_ONLY /* the state on the stack */
#include <xxhash.h>

#include "base/bytes.h"
#include "net/wire.h"

static const char magic[8] = "hpexchng";

enum {
	SUM = 16,
	/*
	 * number of bytes at the start of a hello that have the same meaning in
	 * all versions
	 */
	VERSIONED = 16,
	CHECKED = HELLO_SIZE - SUM
};

/*
 * Computes the canonical XXH3-128 of the bytes of `a` followed by the bytes of
 * `b`.
 */
static void
checksum(const void *a, size_t a_len, const void *b, size_t b_len,
    unsigned char out[SUM])
{
	XXH3_state_t s;
	XXH128_canonical_t c;

	XXH3_128bits_reset(&s);
	XXH3_128bits_update(&s, a, a_len);
	XXH3_128bits_update(&s, b, b_len);
	XXH128_canonicalFromHash(&c, XXH3_128bits_digest(&s));
	memcpy(out, c.digest, SUM);
}

void
hello_encode(const struct hello *h, unsigned char out[HELLO_SIZE])
{
	memcpy(out, magic, sizeof magic);
	put32(out + 8, h->version);
	put32(out + 12, (uint32_t)h->verdict);
	put32(out + 16, h->nodes);
	put32(out + 20, h->from);
	put32(out + 24, h->to);
	put32(out + 28, h->attempt);
	memcpy(out + 32, h->cluster, HELLO_CLUSTER);
	put64(out + 48, h->run);
	put64(out + 56, h->frames);
	put64(out + 64, h->records);
	put64(out + 72, h->bytes);
	put64(out + 80, h->flags);
	checksum(out, CHECKED, "", 0, out + CHECKED);
}

int
hello_decode(const unsigned char *in, uint32_t n, struct hello *h)
{
	unsigned char sum[SUM];
	uint32_t verdict;

	/*
	 * If the bytes are no hello, refuse them at once, even if more bytes
	 * may follow.
	 */
	if (memcmp(in, magic, n < sizeof magic ? n : sizeof magic) != 0)
		return -1;
	if (n < VERSIONED)
		return 0;
	*h = (struct hello){ .version = get32(in + 8) };
	verdict = get32(in + 12);
	if (verdict > VERDICT_GONE)
		return -1;
	h->verdict = (enum verdict)verdict;
	if (h->version != HELLO_VERSION)
		return 1;
	if (n < HELLO_SIZE)
		return 0;
	checksum(in, CHECKED, "", 0, sum);
	if (memcmp(in + CHECKED, sum, SUM) != 0)
		return -1;
	h->nodes = get32(in + 16);
	h->from = get32(in + 20);
	h->to = get32(in + 24);
	h->attempt = get32(in + 28);
	memcpy(h->cluster, in + 32, HELLO_CLUSTER);
	h->run = get64(in + 48);
	h->frames = get64(in + 56);
	h->records = get64(in + 64);
	h->bytes = get64(in + 72);
	h->flags = get64(in + 80);
	return 1;
}

enum verdict
hello_judge(const struct hello *theirs, const struct hello *mine)
{
	if (theirs->version != mine->version)
		return VERDICT_VERSION;
	if (theirs->nodes != mine->nodes ||
	    memcmp(theirs->cluster, mine->cluster, HELLO_CLUSTER) != 0)
		return VERDICT_CLUSTER;
	if (theirs->to != mine->from || theirs->from == mine->from ||
	    theirs->from >= mine->nodes)
		return VERDICT_ADDRESS;
	return VERDICT_WELCOME;
}

const char *
verdict_text(enum verdict v)
{
	switch (v) {
	case VERDICT_WELCOME:
		return "welcome";
	case VERDICT_VERSION:
		return "another version of hpexchange";
	case VERDICT_CLUSTER:
		return "another cluster: the nodes are not the same";
	case VERDICT_ADDRESS:
		return "this is not the node with that rank";
	case VERDICT_TWICE:
		return "another process runs, or ran, as this node";
	case VERDICT_LATE:
		return "a later connection attempt was answered already";
	case VERDICT_GONE:
		return "no hpexchange is running there";
	}
	return "unknown reason";
}

void
cluster_digest(
    const char *const *names, uint32_t nodes, unsigned char out[HELLO_CLUSTER])
{
	XXH3_state_t s;
	XXH128_canonical_t c;

	XXH3_128bits_reset(&s);
	for (uint32_t i = 0; i < nodes; i++)
		XXH3_128bits_update(&s, names[i], strlen(names[i]) + 1);
	XXH128_canonicalFromHash(&c, XXH3_128bits_digest(&s));
	memcpy(out, c.digest, HELLO_CLUSTER);
}

uint32_t
note_encode(
    enum note_type type, uint64_t value, const char *text, unsigned char *out)
{
	size_t len = strlen(text);

	if (len > NOTE_TEXT)
		len = NOTE_TEXT;
	put32(out, (uint32_t)type);
	put32(out + 4, (uint32_t)len);
	put64(out + 8, value);
	memcpy(out + NOTE_HEAD, text, len);
	checksum(out, NOTE_HEAD - SUM, text, len, out + NOTE_HEAD - SUM);
	return (uint32_t)(NOTE_HEAD + len);
}

int
note_decode(const unsigned char *in, uint32_t n, struct note *note)
{
	unsigned char sum[SUM];
	uint32_t type, length;

	if (n < NOTE_HEAD)
		return 0;
	type = get32(in);
	length = get32(in + 4);
	if (type < NOTE_ALIVE || type > NOTE_SHARES || length > NOTE_TEXT ||
	    (type != NOTE_QUIT && length > 0))
		return -1;
	if (n - NOTE_HEAD < length)
		return 0;
	checksum(in, NOTE_HEAD - SUM, in + NOTE_HEAD, length, sum);
	if (memcmp(in + NOTE_HEAD - SUM, sum, SUM) != 0)
		return -1;
	note->type = (enum note_type)type;
	note->length = length;
	note->value = get64(in + 8);
	for (uint32_t i = 0; i < length; i++) {
		unsigned char c = in[NOTE_HEAD + i];

		note->text[i] = (char)(c >= ' ' && c <= '~' ? c : '?');
	}
	note->text[length] = '\0';
	return (int)(NOTE_HEAD + length);
}
