#ifndef HP_CMD_HPRUN_ADDRESS_H
#define HP_CMD_HPRUN_ADDRESS_H

/*
 * The address by which hosts reach the nodes of this machine.  Each host
 * reports the address from which it was reached.  A host may lie, so only an
 * address that this machine has counts.
 */

#include "run.h"

/*
 * Sets *address to the address that most hosts report, or to "" if no host
 * reports an address of this machine.  A loopback address counts only if there
 * is no other address.  The text belongs to the run.
 */
int address_find(const struct run *, const char **address, struct hp_err *);

#endif
