#ifndef HP_DOC_MESSAGES_H
#define HP_DOC_MESSAGES_H

/* The tables that message.c reads and writes messages by. */

#include "doc/members.h"
#include "doc/message.h"

/* The rank of a step that is of no node. */
#define MESSAGE_NO_RANK UINT64_MAX

/* An array of objects in a message. */
struct message_nested {
	const char *name;
	const struct member *member;
	size_t n;
	uint64_t least, most; /* objects */
	size_t size;	      /* of the struct of one */
	size_t at, at_n;      /* in struct message: where they are, how many */
};

struct message_table {
	const char *name;
	const struct member *member;
	size_t n;
	const struct message_nested *nested; /* NULL: none */
	bool launcher, agent;		     /* which of them sends it */
};

enum {
	MESSAGE_TYPES = MESSAGE_BEAT + 1
};

/* In the order of enum message_type. */
extern const struct message_table message_tables[MESSAGE_TYPES];

#endif
