#ifndef HP_RECORD_ORDER_H
#define HP_RECORD_ORDER_H

/*
 * Orders, compiled to normalized keys. For each record an order gives a string
 * of bytes. memcmp sorts these strings as the options ask to sort the records;
 * a string that is a prefix of another comes first. So one sorter serves all
 * orders, and a pivot is a string of bytes.
 *
 * A key has two parts. The first `primary` bytes come from the keys that the
 * options name: records are equal, for -u and for counts of duplicates, if
 * these bytes are equal. The rest is the last resort of sort(1): without -s and
 * -u, equal records are ordered by all their bytes, in reverse with -r. Records
 * with the same whole key keep the order of the input.
 */

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "record/format.h"

/* What a field contains: a number, month and so on. The default 0 is text. */
enum order_meaning {
	MEANS_NUMBER = 1,   /* -n */
	MEANS_GENERAL = 2,  /* -g */
	MEANS_HUMAN = 4,    /* -h */
	MEANS_MONTH = 8,    /* -M */
	MEANS_VERSION = 16, /* -V */
	MEANS_RANDOM = 32   /* -R; if both -V and -R are given, -R decides */
};

/* Long options without a letter, for order_option. */
enum {
	ORDER_SORT = 512,   /* --sort=WORD */
	ORDER_RANDOM_SOURCE /* --random-source=FILE */
};

/*
 * Size in bytes of the salt of -R: different salts give different random
 * orders.
 */
#define ORDER_SALT 16

/* A -k of the command line. Fields and characters count from 0. */
struct order_field {
	size_t start_field, start_char;
	/* SIZE_MAX in end_field means up to the end of the line. */
	size_t end_field, end_char;
	/* -b was given for the start or the end of the key */
	bool start_skips, end_skips;
	unsigned meaning;	 /* bits of enum order_meaning; 0: text */
	bool fold, reverse, old; /* old: written as +POS1 */
	enum {
		IGNORE_NOTHING,
		IGNORE_NONPRINTING,  /* -i */
		IGNORE_NONDICTIONARY /* -d */
	} ignore;
};

struct order {
	struct format format;
	bool stable, unique;
	/*
	 * with unique: count the records that are left out, and sum up their
	 * checksums
	 */
	bool sum_dropped;
	int tab; /* field separator, or -1: blanks separate fields */
	struct order_field global; /* the options given outside any -k */
	struct order_field *field;
	size_t nfields;
	bool zero; /* -z */
	/* name of the file with the salt of -R, or NULL */
	const char *random_source;

	/* order_ready sets the fields below. */
	unsigned char salt[ORDER_SALT];
	bool implied; /* no -k was given, so the whole line is the only field */
	bool tie; /* records with equal keys are ordered by all their bytes */
	/*
	 * A shortcut for most orders. If `slice` is set, the primary key is the
	 * bytes of the record from slice_off on, at most slice_len of them.
	 * `flip` reverses the order. A line shorter than slice_off has an empty
	 * key. A sorter may compare these bytes in place, and then the whole
	 * records if `tie` is set. Little-endian, signed and floating-point
	 * numbers and most orders with -k have no slice. Callers of order_key
	 * need not know about slices.
	 */
	bool slice, flip;
	size_t slice_off, slice_len; /* SIZE_MAX: to the end of the record */
};

void order_init(struct order *);
void order_fini(struct order *);

/*
 * Applies one option of the command line. The letter is one of
 * "bdFfghikMnRrstuVz", or ORDER_SORT or ORDER_RANDOM_SOURCE; arg is its
 * argument or NULL. Fails with HP_USAGE and sort(1)'s message for a malformed
 * -k or -t. Arguments must stay valid until order_ready.
 */
int order_option(struct order *, int letter, const char *arg, struct hp_err *);

/*
 * Applies a key in the obsolete form: operands +POS1 and, unless NULL, -POS2.
 * Returns 1 on success. Returns 0 if the first operand is not of that form and
 * may be a file name. Returns -1 with HP_USAGE if only the second is malformed.
 */
int order_old_key(
    struct order *, const char *start, const char *end, struct hp_err *);

/*
 * Completes the order. Call this after the last option. Keys without letters
 * inherit the global ones, and the shortcut is chosen. Fails with HP_USAGE for
 * combinations that make no sense. -k, -t, -z and the letters for text need
 * lines.
 */
int order_ready(struct order *, struct hp_err *);

struct key {
	const unsigned char *bytes;
	size_t len;	/* bytes of the whole key */
	size_t primary; /* bytes of the primary key; -u compares only these */
};

/*
 * Memory for keys that are not part of the record. It must be zeroed before its
 * first use.
 */
struct keybuf {
	unsigned char *bytes;
	size_t len, cap;
	size_t most; /* maximum number of key bytes to build; 0: no limit */
};

void keybuf_fini(struct keybuf *);

/*
 * Sets *key to the key of a record of len bytes; a line is passed without its
 * delimiter. The key's bytes lie in the record if possible, otherwise in the
 * buffer, and are valid until either changes. Threads may call it at once, each
 * with its own buffer. Returns -1 if there is no memory. O(len).
 */
int order_key(const struct order *, const unsigned char *record, size_t len,
    struct keybuf *, struct key *);

/*
 * Sets *key as order_key does, but the key may lack the bytes of the last
 * resort.
 */
int order_primary(const struct order *, const unsigned char *record, size_t len,
    struct keybuf *, struct key *);

/*
 * Compares two lines without building keys, for keys too long to build. Returns
 * a number below, equal to or above 0. primary: compares only the primary keys.
 * O(alen + blen).
 */
int order_compare(const struct order *, const unsigned char *a, size_t alen,
    const unsigned char *b, size_t blen, bool primary);

/*
 * Compares two keys like memcmp. A key that is a prefix of the other comes
 * first.
 */
static inline int
key_cmp(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	int c = memcmp(a, b, alen < blen ? alen : blen);

	return c != 0 ? c : (alen > blen) - (alen < blen);
}

/*
 * Returns the first 8 bytes of a key as a big-endian number, padded with zeros.
 * If the prefixes of two keys differ, they give the order. If they are equal,
 * the keys may still differ.
 */
static inline uint64_t
key_prefix(const unsigned char *bytes, size_t len)
{
	uint64_t n = 0;

	memcpy(&n, bytes, len < sizeof n ? len : sizeof n);
	return be64toh(n);
}

#endif
