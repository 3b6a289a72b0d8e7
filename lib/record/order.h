#ifndef HP_RECORD_ORDER_H
#define HP_RECORD_ORDER_H

/*
 * Orders, compiled to normalized keys: for every order there is a string of
 * bytes for each record, such that memcmp orders the strings (the shorter
 * first where one is a prefix) as the options ask to order the records.  One
 * sorter thus serves all orders, and a pivot is a string of bytes.
 *
 * The key has two parts.  Its first `primary` bytes are what the options name:
 * records are equal, for -u and when duplicates are counted, when these agree.
 * The rest is the last resort of sort(1): unless -s or -u, equal records are
 * ordered by all of their bytes (backwards with -r).  Two records with the same
 * whole key are ordered by where they came from.
 */

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "record/format.h"

/* What the bytes of a field mean, where they are not just text. */
enum order_meaning {
	MEANS_NUMBER = 1,   /* -n */
	MEANS_GENERAL = 2,  /* -g */
	MEANS_HUMAN = 4,    /* -h */
	MEANS_MONTH = 8,    /* -M */
	MEANS_VERSION = 16, /* -V */
	MEANS_RANDOM = 32   /* -R; before -V where both are asked */
};

/* Long options without a letter, for order_option. */
enum {
	ORDER_SORT = 512,   /* --sort=WORD */
	ORDER_RANDOM_SOURCE /* --random-source=FILE */
};

/* The bytes that make one random order differ from another. */
#define ORDER_SALT 16

/* A -k of the command line, counted from 0 as sort(1) does inside. */
struct order_field {
	size_t start_field, start_char;
	size_t end_field, end_char;  /* end_field SIZE_MAX: to the end */
	bool start_skips, end_skips; /* -b at either end */
	unsigned meaning;	     /* bits of enum order_meaning; 0: text */
	bool fold, reverse, old;     /* old: written as +POS1 */
	enum {
		IGNORE_NOTHING,
		IGNORE_NONPRINTING,  /* -i */
		IGNORE_NONDICTIONARY /* -d */
	} ignore;
};

struct order {
	struct format format;
	bool stable, unique;
	bool sum_dropped; /* with unique: what is left out is summed up */
	int tab;	  /* field separator, or -1: blank to non-blank */
	struct order_field global; /* the options that are not of a -k */
	struct order_field *field;
	size_t nfields;
	bool zero;		   /* -z */
	const char *random_source; /* file that the salt of -R comes from */

	/* From here on what order_ready found out. */
	unsigned char salt[ORDER_SALT];
	bool implied; /* there was no -k: the one field is the whole line */
	bool tie;     /* equal records are ordered by all their bytes */
	/*
	 * A shortcut that most orders allow: the bytes from slice_off on, at
	 * most slice_len of them (none, in a line that is too short), *are* the
	 * primary key when `slice` is set, backwards when `flip` is set too.  A
	 * sorter may compare those in place, then the whole records if `tie`
	 * (backwards too with `flip`); order_key hides this from everybody
	 * else.  Numbers that are not big-endian unsigned, and most orders
	 * with -k, have no slice.
	 */
	bool slice, flip;
	size_t slice_off, slice_len; /* SIZE_MAX: to the end of the record */
};

void order_init(struct order *);
void order_fini(struct order *);

/*
 * One option of the command line, by its letter (of "bdFfghikMnRrstuVz", or one
 * of the two above) and its argument or NULL.  HP_USAGE with sort(1)'s words
 * for a malformed -k or -t.  Arguments must stay until order_ready.
 */
int order_option(struct order *, int letter, const char *arg, struct hp_err *);

/*
 * The keys of old: operand +POS1 and, unless NULL, -POS2.  Returns 1, 0 when
 * the first is not of that form and may be a file, or -1, HP_USAGE, when the
 * second is not.
 */
int order_old_key(
    struct order *, const char *start, const char *end, struct hp_err *);

/*
 * After the last option: keys without options of their own inherit the global
 * ones, combinations that make no sense are refused, the shortcut is chosen.
 * -k, -t, -z and the letters that read text go with lines only.
 */
int order_ready(struct order *, struct hp_err *);

struct key {
	const unsigned char *bytes;
	size_t len;	/* of the whole key */
	size_t primary; /* of the part that tells records apart for -u */
};

/* Storage for keys that have to be built; zeroed at first. */
struct keybuf {
	unsigned char *bytes;
	size_t len, cap;
	size_t most; /* bytes of a key that are wanted, the first; 0: all */
};

void keybuf_fini(struct keybuf *);

/*
 * The key of the record of len bytes (a line without its delimiter).  It lies
 * in the record where it can, else in the buffer, and is valid as long as both
 * stay as they are.  Thread-safe with a buffer for each thread.  Returns -1
 * when there is no memory.  O(len).
 */
int order_key(const struct order *, const unsigned char *record, size_t len,
    struct keybuf *, struct key *);

/* The same for whom the primary part will do: the rest may lack. */
int order_primary(const struct order *, const unsigned char *record, size_t len,
    struct keybuf *, struct key *);

/*
 * <, =, > 0 as the key of the first line comes before, with, behind that of the
 * second, told from the lines as they are: where keys are too long to be built.
 * primary: by the primary part of them.  O(alen + blen).
 */
int order_compare(const struct order *, const unsigned char *a, size_t alen,
    const unsigned char *b, size_t blen, bool primary);

/* memcmp, the shorter first where one is a prefix of the other. */
static inline int
key_cmp(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	int c = memcmp(a, b, alen < blen ? alen : blen);

	return c != 0 ? c : (alen > blen) - (alen < blen);
}

/*
 * The first 8 bytes as a big-endian number, zeros behind a shorter key: where
 * prefixes differ they order the keys, where they are equal nothing is known.
 */
static inline uint64_t
key_prefix(const unsigned char *bytes, size_t len)
{
	uint64_t n = 0;

	memcpy(&n, bytes, len < sizeof n ? len : sizeof n);
	return be64toh(n);
}

#endif
