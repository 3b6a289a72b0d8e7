#ifndef HP_BASE_ERR_H
#define HP_BASE_ERR_H

/*
 * The errors of library functions. A function that fails returns -1 (or NULL)
 * and fills its last argument, a struct hp_err. A library never prints, exits
 * or touches signals. cmd/cmd.c maps each kind of error to an exit code.
 */

enum hp_kind {
	HP_NONE,
	/* a check failed: for example, the input is not sorted */
	HP_NO,
	HP_NOSHARE, /* the machines together cannot take all records */
	HP_USAGE,   /* an option or its argument is invalid */
	HP_INPUT,   /* a document or record is malformed */
	HP_IO,	    /* the operating system refused */
	/* there is too little memory, or the limit of -S is too low */
	HP_NOMEM,
	HP_LOST /* a peer or node went away */
};

#define HP_ERR_TEXT 1024

/* A function that prints a message for the user when nothing has failed. */
typedef void hp_note(const char *text);

struct hp_err {
	enum hp_kind kind;
	/* the value of errno to print after the text, or 0 */
	int errnum;
	char text[HP_ERR_TEXT]; /* the action that failed, and its object */
	/* function that prints notes, set by the caller; NULL: drop notes */
	hp_note *note;
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
