#ifndef HP_BASE_BYTES_H
#define HP_BASE_BYTES_H

/*
 * Reads and writes numbers as they are in files and on the network:
 * little-endian, at any address.
 */

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void
put16(unsigned char *p, uint16_t n)
{
	n = htole16(n);
	memcpy(p, &n, sizeof n);
}

static inline void
put32(unsigned char *p, uint32_t n)
{
	n = htole32(n);
	memcpy(p, &n, sizeof n);
}

static inline void
put64(unsigned char *p, uint64_t n)
{
	n = htole64(n);
	memcpy(p, &n, sizeof n);
}

static inline uint16_t
get16(const unsigned char *p)
{
	uint16_t n;

	memcpy(&n, p, sizeof n);
	return le16toh(n);
}

static inline uint32_t
get32(const unsigned char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof n);
	return le32toh(n);
}

static inline uint64_t
get64(const unsigned char *p)
{
	uint64_t n;

	memcpy(&n, p, sizeof n);
	return le64toh(n);
}

#endif
