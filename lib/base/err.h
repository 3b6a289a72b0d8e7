#ifndef HP_BASE_ERR_H
#define HP_BASE_ERR_H

/*
 * How every library function reports failure: it returns -1 (or NULL) and
 * fills its last argument.  A library never prints, exits, or touches signals;
 * cmd/cmd.c maps each kind to an exit code, once.
 */

enum hp_kind {
	HP_NONE,
	HP_NO,	    /* the answer is no: not sorted, plan not optimal */
	HP_NOSHARE, /* the machines together cannot take all records */
	HP_USAGE,   /* an option or its argument makes no sense */
	HP_INPUT,   /* a document or record is malformed */
	HP_IO,	    /* the operating system refused */
	HP_NOMEM,   /* memory, or the limit of -S, does not suffice */
	HP_LOST	    /* a peer or node went away */
};

#define HP_ERR_TEXT 1024

/* Prints a line of text for the user, although nothing has failed. */
typedef void hp_note(const char *text);

struct hp_err {
	enum hp_kind kind;
	int errnum;		/* errno to print after the text, or 0 */
	char text[HP_ERR_TEXT]; /* the action that failed, and its object */
	hp_note *note;		/* set by the caller; NULL: notes are dropped */
};

/*
 * Fills the error and returns -1, so that a caller can write `return
 * hp_fail(...)`.
 */
int hp_fail(struct hp_err *, enum hp_kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Fails like hp_fail and records errno as the reason. */
int hp_fail_errno(struct hp_err *, enum hp_kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Sends a formatted note to the user through e->note. This is not a failure. */
void hp_tell(const struct hp_err *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
