#ifndef HP_BASE_PROGRESS_H
#define HP_BASE_PROGRESS_H

/* How far a job is, for another thread to look at. */

#include <stdatomic.h>
#include <stdint.h>

struct progress {
	_Atomic uint64_t total;	  /* bytes of the input, 0 if not known */
	_Atomic uint64_t read;	  /* of these */
	_Atomic uint64_t written; /* bytes, to temporary files too */
};

#endif
