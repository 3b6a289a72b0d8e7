#ifndef HP_JOB_PORT_H
#define HP_JOB_PORT_H

/* Makes the ports of a step: where a command reads and writes (step.h). */

#include "job/step.h"

struct port port_none(void);
struct port port_file(const char *);
/*
 * Part of a file of the launcher, as the output of a command, or as the input
 * of a command on a host.
 */
struct port port_part(const char *, uint64_t offset, uint64_t bytes);
struct port port_node(const char *);
struct port port_standard(void);

#endif
