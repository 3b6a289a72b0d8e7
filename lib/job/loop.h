#ifndef HP_JOB_LOOP_H
#define HP_JOB_LOOP_H

/*
 * The event loop of the launcher: waits for all connections at once, reads and
 * writes them, sends beats, and notices silence.  Work for an event does not
 * grow with the number of machines; four times a second, each machine is looked
 * at once.
 *
 * The loop's clock stands still while the loop does not run: when the launcher
 * was frozen, or waited for a disk, no machine was silent in that time.
 */

#include "job/machine.h"

struct loop_calls {
	/* What the machine sent.  -1: it broke the protocol. */
	int (*event)(
	    void *, struct machine *, struct wire_event *, struct hp_err *why);
	/* Room to send more, little is queued. */
	void (*room)(void *, struct machine *);
	/* Its connection has ended, or it is silent, and why. */
	void (*broke)(void *, struct machine *, const struct hp_err *why);
	/* Its login says something. */
	void (*said)(void *, struct machine *);
	/* Four times a second. */
	void (*tick)(void *);
	/* The other descriptor is ready: what it is watched for. */
	void (*other)(void *, int fd);
};

struct loop {
	int epoll;
	struct machine *machine;
	size_t machines;
	double timeout_s, beat_s; /* silence that is too long; between beats */
	double now_s;		  /* the loop's clock */
	double stood_s;		  /* how long it has stood still */
	double turned_s, ticked_s;
	const struct loop_calls *calls;
	void *context;
};

int
loop_init(struct loop *, struct machine *, size_t machines, double timeout_s,
    const struct loop_calls *, void *context, struct hp_err *);
void loop_fini(struct loop *);

/* Watches a machine whose login has begun. */
int loop_watch(struct loop *, struct machine *, struct hp_err *);
/* Also waits until the descriptor can be read, or written. */
int loop_watch_other(struct loop *, int fd, bool write, struct hp_err *);
void loop_forget_other(struct loop *, int fd);

/* Writes what is queued, and goes on later with what there is no room for. */
void loop_push(struct loop *, struct machine *);
/* It is paused no more: takes what it had sent before. */
void loop_resume(struct loop *, struct machine *);

/* Waits for events, a quarter of a second at most, and has them handled. */
int loop_turn(struct loop *, struct hp_err *);

#endif
