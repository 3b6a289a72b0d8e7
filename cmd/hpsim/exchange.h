#ifndef HP_CMD_HPSIM_EXCHANGE_H
#define HP_CMD_HPSIM_EXCHANGE_H

/* Starts the actors of an exchange. */

#include "sim.h"

/* Starts the actors that exchange records, one for each role. */
void exchange_start(struct sim *, struct role *);

#endif
