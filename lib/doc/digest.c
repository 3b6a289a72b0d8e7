#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sha2.h>

#include "doc/digest.h"

static void
put_text(SHA2_CTX *c, const char *s)
{
	SHA256Update(c, (const uint8_t *)s, strlen(s));
}

/* Adds an integer to the digest, and a tab. A tab follows every value. */
static void
put_count(SHA2_CTX *c, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof text, "%ju\t", (uintmax_t)n);
	put_text(c, text);
}

/*
 * Adds a number as MpE, which stands for m * 2^e. Both are integers, m has 53
 * bits. Decimals would not do: programs round and print them differently.
 */
static void
put_number(SHA2_CTX *c, double x)
{
	char text[64] = "0\t";
	int exponent;
	double m = frexp(x, &exponent);

	if (x != 0)
		snprintf(text, sizeof text, "%jdp%d\t", (intmax_t)ldexp(m, 53),
		    exponent - 53);
	put_text(c, text);
}

static void
put_node(SHA2_CTX *c, const struct curve *t)
{
	put_count(c, t->capacity);
	put_number(c, t->latency_s);
	put_number(c, t->seconds_per_item);
	put_number(c, t->speed);
	put_text(c, beyond_text(t->beyond));
	put_text(c, "\t");
	for (uint32_t i = 0; i < t->npoints; i++) {
		put_count(c, (uint64_t)t->point[i].n);
		put_number(c, t->point[i].seconds);
	}
	put_text(c, "\n");
}

void
doc_digest(
    const struct cluster *c, const char *cost, char digest[DIGEST_HEX + 1])
{
	SHA2_CTX sum;

	SHA256Init(&sum);
	put_text(&sum, cost);
	put_text(&sum, "\n");
	for (size_t i = 0; i < c->n; i++)
		put_node(&sum, &c->node[i].curve);
	SHA256End(&sum, digest);
}
