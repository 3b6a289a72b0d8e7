#ifndef HP_BUCKET_BUCKETS_H
#define HP_BUCKET_BUCKETS_H

/*
 * Sorting as many records as fit into memory at once: all of the input, or one
 * run of an external sort.
 *
 * One pass over the text finds the records and distributes them over buckets in
 * key order, all threads at once: whole lines (text.h) and whole records, where
 * these are short, or entries for others.  What is moved is found in the cache
 * from then on, where entries would lead all over the memory.  Buckets that
 * became too large for the cache are distributed further.  Then each thread
 * takes the next bucket, sorts it in the cache, gathers its records into a
 * buffer and writes them where they belong, while others still sort.  What is
 * in order already is copied.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "input/input.h"
#include "kernel/brief.h"
#include "kernel/entry.h"
#include "kernel/kernel.h"
#include "kernel/pile.h"
#include "kernel/tree.h"
#include "record/order.h"
#include "run/batch.h"

struct bucket {
	struct list *list;  /* one for each thread */
	size_t n, bytes;    /* of its elements */
	struct span prefix; /* of lines, before what the elements hold */
	size_t depth;	    /* where their keys are loaded */
	unsigned stage;
	struct brief brief; /* of these keys, where records are moved */
	bool equal;	    /* all have the same key there */
	bool cut;	    /* to its end, where it was cut */
	bool sorted;	    /* in any order */
};

/* How elements are divided. */
struct plan {
	struct tree tree;
	unsigned stage;	     /* of the bytes that the tree looks at */
	struct span prefix;  /* of lines, before these bytes */
	size_t n;	     /* buckets */
	struct brief *brief; /* of each, or NULL */
};

/* What moves part after part (rounds.c). */
struct rounds {
	uint16_t *to;	  /* bucket of each record, by its place; or NULL */
	size_t *n;	  /* records in each bucket */
	size_t share;	  /* bytes that are moved at once */
	size_t from, end; /* the buckets that are; none when noting */
};

struct buckets {
	struct batch batch; /* first */
	struct view view;
	struct input *in;
	unsigned threads;
	unsigned writers; /* threads, with those that wait for a disk */
	bool text;	  /* elements are lines, else of one size: */
	bool brief;	  /* numbers (brief.h), else entries */
	bool moved;	/* the records, of which these numbers are made late */
	size_t element; /* bytes of one */
	unsigned off_bits;	     /* of a brief one, */
	unsigned char *base;	     /* from here on */
	const struct kernel *kernel; /* that sorts these */
	size_t leaf;		     /* elements that are sorted in the cache */
	size_t part;		     /* elements that a bucket should have */
	size_t part_text; /* bytes of lines that a bucket should have */
	size_t gather;	  /* bytes that a thread writes at once */
	size_t want;	  /* buckets */
	bool in_order;	  /* equal records must stay as they came */

	struct arena arena;
	struct heap *heap; /* one for each thread */
	struct plan plan;
	bool planned;
	struct rounds rounds;
	struct bucket *bucket;
	size_t nbuckets;
	struct list **lists; /* what the buckets' list point into */
	size_t nlists;
	struct hp_err *err; /* one for each writer */
};

/*
 * The engine for records that are not numbers.  memory: bytes that a batch may
 * take, with its part of the input.  The input stays open as long as the engine
 * exists.  Returns NULL on failure.
 */
struct batch *buckets_new(const struct order *, struct input *,
    unsigned threads, uint64_t memory, struct hp_err *);

/* Cut up the buckets that are too large for the cache (refine.c). */
int buckets_refine(struct buckets *, struct hp_err *);

/* plan.c: choose the buckets by a sample, and what the elements are. */
int buckets_plan(struct buckets *, struct hp_err *);
/* reading.c: records to the buckets of the plan, each thread's in its pile; or
 * only noted and counted, or those of a round. */
int buckets_distribute(struct buckets *, struct pile *, struct hp_err *);

/* rounds.c: is it worth it?  Then only notes are made at first. */
int rounds_plan(struct buckets *, struct hp_err *);
void rounds_fini(struct rounds *);
void rounds_count(struct buckets *, const struct pile *);
/* The first walk? */
static inline bool
rounds_noting(const struct rounds *r)
{
	return r->to != NULL && r->end == 0;
}
/* Round after round. */
int
rounds_write(struct buckets *, struct output *, uint64_t *, struct hp_err *);
/* For these: 1 when the memory is full, 0 at the end, -1; and what is in the
 * buckets sorted, written and forgotten. */
int buckets_fill(struct buckets *, struct hp_err *);
int
buckets_sort(struct buckets *, struct output *, uint64_t *, struct hp_err *);

/* For refine.c: run a phase; the buckets of what the threads' piles hold, in
 * order behind *out. */
int buckets_team(struct buckets *, unsigned threads,
    int (*work)(void *, unsigned), void *ctx, struct hp_err *);
int buckets_of(struct buckets *, const struct plan *, const struct pile *,
    struct bucket **out, struct hp_err *);
/* The plan has its tree: what else there is for it. */
int buckets_plan_init(struct buckets *, struct plan *, struct hp_err *);
void buckets_plan_fini(struct plan *);
/* Run a phase with the writers that a disk keeps waiting. */
int buckets_team_spare(struct buckets *, int (*work)(void *, unsigned),
    void *ctx, struct hp_err *);
/* emit.c: sort each bucket and write its records. */
int buckets_emit(
    struct buckets *, struct output *, uint64_t *records, struct hp_err *);

/* The end of the record at s; the text ends at end. */
static inline const unsigned char *
buckets_record_end(
    const struct format *f, const unsigned char *s, const unsigned char *end)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return s + f->size;
	p = memchr(s, f->delim, (size_t)(end - s));
	return p == NULL ? end : p;
}

/* Elements of a part of a bucket that is divided: so many that little is lost
 * in a chunk that is not full. */
static inline size_t
buckets_part(const struct buckets *b)
{
	size_t least = 8 * CHUNK / b->element;

	least = least < b->leaf / 2 ? least : b->leaf / 2;
	return b->part > least ? b->part : least;
}

/* The distance in a brief element. */
static inline uint64_t
buckets_brief_off(const struct buckets *b, uint64_t brief)
{
	return brief & (((uint64_t)1 << b->off_bits) - 1);
}

/* The distance of a record. */
static inline uint64_t
buckets_off(const struct buckets *b, const unsigned char *record)
{
	return (uint64_t)((uintptr_t)record - (uintptr_t)b->base);
}

/* What an element that is not a line says of where its record is: its place,
 * or of a brief one the distance. */
static inline uint64_t
buckets_place(const struct buckets *b, const void *element)
{
	uint64_t brief;

	if (b->moved)
		return buckets_off(b, element);
	if (!b->brief)
		return ((const struct entry *)element)->place;
	memcpy(&brief, element, sizeof brief);
	return buckets_brief_off(b, brief);
}

/* Where its record begins. */
static inline const unsigned char *
buckets_at(const struct buckets *b, uint64_t place)
{
	return b->brief ? b->base + place : view_record(&b->view, place).at;
}

/* The bytes of it that a stage compares. */
static inline struct span
buckets_bytes(const struct buckets *b, uint64_t place, unsigned stage)
{
	struct span s;

	if (!b->brief)
		return view_bytes(&b->view, place, stage);
	s = input_record(b->in, buckets_at(b, place));
	return stage > 0 ? s : view_slice(&b->view, s);
}

/* Have them come to the cache. */
static inline void
buckets_prefetch(const struct buckets *b, uint64_t place, size_t depth)
{
	if (b->brief)
		__builtin_prefetch(
		    b->base + place + b->view.order->slice_off + depth);
	else
		view_prefetch(place, depth);
}

/* A record with this key and place, to bucket `to` of a plan; -1 when there is
 * no memory. */
static inline int
buckets_put(const struct buckets *b, const struct plan *p, struct pile *pile,
    size_t to, struct span key, uint64_t place)
{
	uint64_t top = span_load(
	    key, p->tree.leaf[to].depth, b->view.flip[p->stage]);
	struct entry *x;
	uint64_t *brief;
	void *copy;

	if (b->moved) {
		if ((copy = pile_put(pile, to, b->element)) == NULL)
			return -1;
		memcpy(copy, buckets_at(b, place), b->element);
	} else if (b->brief) {
		if ((brief = pile_put(pile, to, sizeof *brief)) == NULL)
			return -1;
		*brief = brief_make(&p->brief[to], top, place, b->off_bits);
	} else {
		if ((x = pile_put(pile, to, sizeof *x)) == NULL)
			return -1;
		*x = (struct entry){ top, place };
	}
	return 0;
}

#endif
