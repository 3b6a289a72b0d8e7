#ifndef HP_JOB_LOOP_H
#define HP_JOB_LOOP_H

/*
 * The event loop of the launcher.  It waits for all connections at once, reads
 * and writes them, sends beats and notices silence.  The cost of an event does
 * not grow with the number of machines.  Four times a second, the loop checks
 * each machine once.
 *
 * The loop's clock stops while the loop does not run.  So machines do not count
 * as silent while the launcher was stopped or waited for a disk.
 */

#include "job/machine.h"

struct loop_calls {
	/*
	 * The loop calls this when a machine has sent a message or data.
	 * Returns -1 if the machine breaks the protocol.
	 */
	int (*event)(
	    void *, struct machine *, struct wire_event *, struct hp_err *why);
	/* The queue has room for more data. */
	void (*room)(void *, struct machine *);
	/*
	 * The loop calls this when the connection has ended or the machine is
	 * silent; `why` says which.
	 */
	void (*broke)(void *, struct machine *, const struct hp_err *why);
	/* The login's standard error is readable. */
	void (*said)(void *, struct machine *);
	/* Four times a second. */
	void (*tick)(void *);
	/* A descriptor of loop_watch_other is ready. */
	void (*other)(void *, int fd);
};

struct loop {
	int epoll;
	struct machine *machine;
	size_t machines;
	double timeout_s, beat_s; /* longest silence; interval of beats */
	double now_s;		  /* the loop's clock */
	double stood_s;		  /* time in which the clock was stopped */
	double turned_s, ticked_s;
	/*
	 * machines with received data that epoll does not report (wire_ahead)
	 */
	struct machine *ahead;
	const struct loop_calls *calls;
	void *context;
};

int
loop_init(struct loop *, struct machine *, size_t machines, double timeout_s,
    const struct loop_calls *, void *context, struct hp_err *);
void loop_fini(struct loop *);

/* Watches a machine whose login has begun. */
int loop_watch(struct loop *, struct machine *, struct hp_err *);
/*
 * Also watches a descriptor that belongs to no machine, for reading or writing.
 * Does nothing if the loop watches it already.
 */
int loop_watch_other(struct loop *, int fd, bool write, struct hp_err *);
void loop_forget_other(struct loop *, int fd);

/*
 * Writes as much of the machine's queue as the connection takes. The loop
 * writes the rest when the connection has room again.
 */
void loop_push(struct loop *, struct machine *);
/*
 * Ends the pause of a machine, and handles the data that it sent before the
 * pause.
 */
void loop_resume(struct loop *, struct machine *);

/*
 * Switches the machine from its login to its direct connection. dial_go_on must
 * have returned 1 for this connection (dial.h).
 */
void loop_go_direct(struct loop *, struct machine *);

/* Waits at most a quarter of a second for events, and handles them. */
int loop_turn(struct loop *, struct hp_err *);

#endif
