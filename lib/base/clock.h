#ifndef HP_BASE_CLOCK_H
#define HP_BASE_CLOCK_H

/* Returns seconds since an arbitrary moment. The clock never goes back. */
double clock_now_s(void);

/*
 * Returns the seconds since 1970 by the system clock, so that times of several
 * machines can be compared.
 */
double clock_wall_s(void);

/* Waits less than a second, or until a signal. */
void clock_sleep_s(double);

#endif
