#ifndef HP_RECORD_FORMAT_H
#define HP_RECORD_FORMAT_H

/*
 * Record formats: lines, records of fixed size with a key inside, and binary
 * numbers.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum format_kind {
	/*
	 * Each record is a line, which ends with the byte `delim`. This byte is
	 * not part of the record.
	 */
	FORMAT_LINE,
	FORMAT_RECORD, /* size bytes; the key is at key_off */
	FORMAT_NUMBER  /* size bytes, all of them the key */
};

enum number_kind {
	NUMBER_UNSIGNED,
	NUMBER_SIGNED,
	/*
	 * floats have the order of IEEE 754 totalOrder: -nan < -inf < ... < inf
	 * < nan
	 */
	NUMBER_FLOAT
};

struct format {
	enum format_kind kind;
	size_t size; /* bytes of a record; 0 for lines */
	size_t key_off, key_len;
	unsigned char delim; /* delimiter of lines */
	enum number_kind number;
	bool big_endian;
};

/* The default: lines that end with newline. */
extern const struct format format_line;

/*
 * Parses the name of a format: "line", "record:SIZE[,KEYOFFSET,KEYLENGTH]",
 * "gensort", "u8" to "u64", "i8" to "i64", "f32" or "f64". The name of a number
 * format may end with "be" for big-endian. Fails with HP_USAGE for any other
 * text.
 */
int format_parse(const char *, struct format *, struct hp_err *);

#endif
