#ifndef HP_DOC_MESSAGES_H
#define HP_DOC_MESSAGES_H

/* The tables that message.c uses to read and write messages. */

#include "doc/members.h"
#include "doc/message.h"

/* Value of the rank in a message about a step that belongs to no node. */
#define MESSAGE_NO_RANK UINT64_MAX

/* An array of objects in a message. */
struct message_nested {
	const char *name;
	const struct member *member;
	size_t n;
	uint64_t least, most; /* number of objects */
	size_t size;	      /* size of the struct of one object */
	/* offsets in struct message of the array and of its length */
	size_t at, at_n;
};

struct message_table {
	const char *name;
	const struct member *member;
	size_t n;
	const struct message_nested *nested; /* NULL: none */
	bool launcher, agent;		     /* who may send it */
};

enum {
	MESSAGE_TYPES = MESSAGE_BEAT + 1
};

/* Indexed by enum message_type. */
extern const struct message_table message_tables[MESSAGE_TYPES];

#endif
