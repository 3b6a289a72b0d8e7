#ifndef HP_BASE_CLOCK_H
#define HP_BASE_CLOCK_H

/* Returns seconds since an arbitrary moment. The clock never goes back. */
double clock_now_s(void);

/* Returns seconds since 1970, to compare traces of several machines. */
double clock_wall_s(void);

#endif
