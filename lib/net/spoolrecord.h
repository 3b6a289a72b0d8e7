#ifndef HP_NET_SPOOLRECORD_H
#define HP_NET_SPOOLRECORD_H

/*
 * A record on disk in a spool directory (spool.h). A record says to which
 * exchange it belongs, and what is known of one pair of nodes. Each file uses
 * the members that it needs; the others are zero. Records have a checksum and
 * are little-endian.
 */

#include <stdbool.h>

#include "net/wire.h"

#define SPOOL_RECORD_SIZE 96

struct spool_record {
	uint32_t nodes;	   /* number of nodes of the cluster */
	uint32_t from, to; /* ranks of the pair */
	uint32_t attempt;  /* number of the sender's last connection attempt */
	unsigned char cluster[HELLO_CLUSTER]; /* digest of the node names */
	/*
	 * random number that identifies the process which wrote the record
	 * (struct hello)
	 */
	uint64_t run;
	uint64_t input;		 /* digest of what this node sends */
	uint64_t records, bytes; /* totals of what this node received */
	/* the peer has a spool, so it will be restarted if it is killed */
	bool restarts;
	/*
	 * in `sent`: the peer has answered the last message (the bye) of this
	 * node; in `job`: the exchange is over
	 */
	bool parted;
};

void spool_record_encode(
    const struct spool_record *, unsigned char out[SPOOL_RECORD_SIZE]);
/* Returns whether the bytes are an undamaged record of this version. */
bool spool_record_decode(
    const unsigned char in[SPOOL_RECORD_SIZE], struct spool_record *);

#endif
