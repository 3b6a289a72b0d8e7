#include "job/port.h"

struct port
port_none(void)
{
	return (struct port){ .kind = PORT_NONE };
}

struct port
port_file(const char *file)
{
	return (struct port){ .kind = PORT_FILE, .file = file };
}

struct port
port_part(const char *file, uint64_t offset, uint64_t bytes)
{
	return (struct port){ .kind = PORT_FILE,
		.file = file,
		.part = true,
		.offset = offset,
		.bytes = bytes };
}

struct port
port_node(const char *file)
{
	return (struct port){ .kind = PORT_NODE, .file = file };
}

struct port
port_standard(void)
{
	return (struct port){ .kind = PORT_STANDARD };
}
