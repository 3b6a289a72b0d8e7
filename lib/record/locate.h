#ifndef HP_RECORD_LOCATE_H
#define HP_RECORD_LOCATE_H

/* Finds the bytes of a line that a -k option selects. */

#include "record/order.h"

/*
 * Finds the bytes of a line that a -k option selects. Stores their address in
 * *from and returns their number.
 */
size_t field_locate(const struct order *, const struct order_field *,
    const unsigned char *line, size_t len, const unsigned char **from);
/*
 * Finds the bytes of a line that a -k option selects. Stores their address in
 * *from and returns their end, which may lie before *from.
 */
const unsigned char *
field_bounds(const struct order *, const struct order_field *,
    const unsigned char *line, size_t len, const unsigned char **from);

#endif
