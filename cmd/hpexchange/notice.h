#ifndef HP_CMD_HPEXCHANGE_NOTICE_H
#define HP_CMD_HPEXCHANGE_NOTICE_H

/*
 * Prints messages that are not errors, such as those about refused connections.
 * A token bucket limits their rate: ten at once, then one per second.
 */

void notice_print(const char *text);
/* Prints how many messages the rate limit has suppressed. */
void notice_rest(void);

#endif
