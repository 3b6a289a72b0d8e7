#ifndef HP_BASE_CLOCK_H
#define HP_BASE_CLOCK_H

/* Seconds since an arbitrary moment, never going back. */
double clock_now_s(void);

/* Seconds since 1970, which machines agree on: for traces. */
double clock_wall_s(void);

#endif
