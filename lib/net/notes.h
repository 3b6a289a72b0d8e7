#ifndef HP_NET_NOTES_H
#define HP_NET_NOTES_H

/*
 * Reads the notes (wire.h) of a receiver: what it has stored, why it gives up,
 * and why it closed the connection.
 */

#include "net/sending.h"

/* Reads the notes that have arrived from a receiver. */
int notes_read(struct sending *, struct outlet *, struct hp_err *);
/*
 * Handles a lost connection, for the reason `why`. The last notes of the
 * receiver may say why the receiver closed the connection.
 */
int
notes_lost(struct sending *, struct outlet *, const char *why, struct hp_err *);

#endif
