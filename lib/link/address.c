#include <string.h>

#include "link/address.h"

bool
address_is_local(const struct address *to, const struct address *self)
{
	return to->host == NULL ||
	    (self->host != NULL && strcmp(to->host, self->host) == 0);
}
