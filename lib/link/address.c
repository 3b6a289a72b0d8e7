#include <string.h>

#include "link/address.h"

const char *
address_host(const struct address *a)
{
	const char *at = a->host == NULL ? NULL : strrchr(a->host, '@');

	return at == NULL ? a->host : at + 1;
}

bool
address_is_local(const struct address *to, const struct address *self)
{
	return to->host == NULL ||
	    (self->host != NULL && strcmp(to->host, self->host) == 0);
}
