#ifndef HP_BASE_CLOCK_H
#define HP_BASE_CLOCK_H

/* Seconds since an arbitrary moment; never goes back. */
double clock_now_s(void);

/* Seconds since 1970, for traces of several machines. */
double clock_wall_s(void);

#endif
