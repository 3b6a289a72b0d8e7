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

/* How to interpret a field: as a number, a month and so on. 0 means text. */
enum order_meaning {
	MEANS_NUMBER = 1,   /* -n */
	MEANS_GENERAL = 2,  /* -g */
	MEANS_HUMAN = 4,    /* -h */
	MEANS_MONTH = 8,    /* -M */
	MEANS_VERSION = 16, /* -V */
	/* -R; it has precedence over -V if both are given */
	MEANS_RANDOM = 32
};

/* Long options without a letter, for order_option. */
enum {
	ORDER_SORT = 512,   /* --sort=WORD */
	ORDER_RANDOM_SOURCE /* --random-source=FILE */
};

/* Size in bytes of the salt: random bytes that determine the order of -R. */
#define ORDER_SALT 16

/* The key that a -k option describes. Fields and characters count from 0. */
struct order_field {
	size_t start_field, start_char;
	/* SIZE_MAX in end_field: the key extends to the end of the line */
	size_t end_field, end_char;
	/* whether -b was given for the start or the end of the key */
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
	 * with `unique`: count the records that are omitted, and compute their
	 * checksum
	 */
	bool sum_dropped;
	int tab; /* field separator, or -1: blanks separate fields */
	struct order_field global; /* the options given outside any -k */
	struct order_field *field;
	size_t nfields;
	bool zero; /* -z */
	/* name of the file with the random bytes for -R, or NULL */
	const char *random_source;

	/* order_ready sets the fields below. */
	unsigned char salt[ORDER_SALT];
	/* whether the whole line is the only key, because no -k was given */
	bool implied;
	/* whether records with equal keys are ordered by all their bytes */
	bool tie;
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
 * Applies one option of the command line. `letter` is one of the letters
 * "bdFfghikMnRrstuVz", ORDER_SORT or ORDER_RANDOM_SOURCE. `arg` is its argument
 * or NULL; it must stay valid until order_ready. Fails with HP_USAGE and the
 * message of sort(1) if the argument of -k or -t is malformed.
 */
int order_option(struct order *, int letter, const char *arg, struct hp_err *);

/*
 * Applies a key in the obsolete form: the operand +POS1 and, unless it is NULL,
 * the operand -POS2. Returns 1 if both are valid. Returns 0 if the first
 * operand has another form, and may be a file name. Returns -1 with HP_USAGE if
 * only the second operand is malformed.
 */
int order_old_key(
    struct order *, const char *start, const char *end, struct hp_err *);

/*
 * Completes the order; call this function after the last option. Keys without
 * ordering options inherit those given outside any -k. Fails with HP_USAGE if
 * options contradict each other, or if -k, -t, -z or options for text are used
 * with binary records.
 */
int order_ready(struct order *, struct hp_err *);

/*
 * Reads the salt from the file `random_source`, or makes a new one if that is
 * NULL. Programs that read the same file produce the same order. order_ready
 * does this already. Fails with HP_IO if the file cannot be read, and with
 * HP_INPUT if it is too short.
 */
int order_read_salt(struct order *, struct hp_err *);

struct key {
	const unsigned char *bytes;
	size_t len; /* bytes of the whole key */
	/* size of the primary key in bytes; -u compares only the primary key */
	size_t primary;
};

/*
 * Memory for keys that must be built because they are not part of the record.
 * It must be zeroed before its first use.
 */
struct keybuf {
	unsigned char *bytes;
	size_t len, cap;
	size_t most; /* Keys are truncated to this many bytes; 0: no limit. */
};

/*
 * Compares two keys like memcmp. A key that is a prefix of the other comes
 * first.
 */
static inline int
key_cmp(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	size_t n = alen < blen ? alen : blen;
	/* An empty key may have no memory. */
	int c = n == 0 ? 0 : memcmp(a, b, n);

	return c != 0 ? c : (alen > blen) - (alen < blen);
}

/*
 * Returns the first 8 bytes of a key as a big-endian number, padded with zeros.
 * If the numbers of two keys differ, the keys have the same order. If the
 * numbers are equal, the keys may still differ.
 */
static inline uint64_t
key_prefix(const unsigned char *bytes, size_t len)
{
	uint64_t n = 0;

	if (len > 0)
		memcpy(&n, bytes, len < sizeof n ? len : sizeof n);
	return be64toh(n);
}

#endif
