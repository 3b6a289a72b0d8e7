#include <string.h>

#include "bucket/text.h"

/* Allocates n bytes in list b, for an element that holds one line. */
static unsigned char *
room(struct pile *p, size_t b, size_t n)
{
	unsigned char *at = pile_put(p, b, n);

	p->list[b].n += at != NULL;
	return at;
}

int
text_put_near(struct pile *p, size_t b, struct span s)
{
	unsigned char *to = room(p, b, TEXT_HEAD + s.len);
	uint16_t len = (uint16_t)s.len;

	if (to == NULL)
		return -1;
	memcpy(to, &len, sizeof len);
	memcpy(to + TEXT_HEAD, s.at, s.len);
	return 0;
}

int
text_put_far(struct pile *p, size_t b, uint64_t place)
{
	unsigned char *to = room(p, b, TEXT_HEAD + sizeof place);
	uint16_t far = TEXT_FAR;

	if (to == NULL)
		return -1;
	memcpy(to, &far, sizeof far);
	memcpy(to + TEXT_HEAD, &place, sizeof place);
	return 0;
}

uint64_t
text_keep(struct heap *h, struct span s)
{
	void *to = heap_bytes(h, s.len);

	if (to == NULL)
		return 0;
	memcpy(to, s.at, s.len);
	return place_make(to, s.len);
}

uint64_t
text_skip(uint64_t place, size_t n)
{
	struct span s = place_span(place), *to;

	s.at += n;
	s.len -= n;
	if ((place & 0xffff) != PLACE_LONG)
		return place_make(s.at, s.len);
	to = (struct span *)(uintptr_t)(place >> 16);
	*to = s;
	return place;
}
