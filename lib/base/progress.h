#ifndef HP_BASE_PROGRESS_H
#define HP_BASE_PROGRESS_H

/*
 * Counters of the progress of a job. Other threads may read them at any time.
 */

#include <stdatomic.h>
#include <stdint.h>

struct progress {
	_Atomic uint64_t total;	  /* bytes of the input; 0 if unknown */
	_Atomic uint64_t read;	  /* bytes of the input read */
	_Atomic uint64_t written; /* bytes written, including temporary files */
};

#endif
