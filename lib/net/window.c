#include <errno.h>
#include <stdlib.h>

#include "net/window.h"

int
window_init(struct window *w, struct hp_err *e)
{
	*w = (struct window){ 0 };
	if ((w->ring = malloc(WINDOW_BYTES)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "window");
	return 0;
}

void
window_fini(struct window *w)
{
	free(w->ring);
	*w = (struct window){ 0 };
}

unsigned char *
window_room(const struct window *w, size_t payload)
{
	size_t len = FRAME_HEAD + payload, first, last, end;

	if (w->first == w->next)
		return w->ring;
	if (w->next - w->first == WINDOW_FRAMES)
		return NULL;
	first = w->frame[w->first % WINDOW_FRAMES].at;
	last = w->frame[(w->next - 1) % WINDOW_FRAMES].at;
	end = last + w->frame[(w->next - 1) % WINDOW_FRAMES].len;
	if (last < first) /* the newer ones are before the older ones */
		return first - end >= len ? w->ring + end : NULL;
	if (WINDOW_BYTES - end >= len)
		return w->ring + end;
	return first >= len ? w->ring : NULL;
}

void
window_put(struct window *w, const unsigned char *room, size_t payload)
{
	size_t i = w->next++ % WINDOW_FRAMES;

	w->frame[i].at = (uint32_t)(room - w->ring);
	w->frame[i].len = (uint32_t)(FRAME_HEAD + payload);
}

ssize_t
window_write(struct window *w, struct channel *c)
{
	size_t i = w->going % WINDOW_FRAMES;
	ssize_t n = channel_write(
	    c, w->ring + w->frame[i].at + w->out, w->frame[i].len - w->out);

	if (n == -1)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	w->out += (size_t)n;
	if (w->out == w->frame[i].len) {
		w->going++;
		w->out = 0;
	}
	return n;
}

int
window_ack(struct window *w, uint64_t n)
{
	if (n > w->going)
		return -1;
	if (n > w->first)
		w->first = n;
	return 0;
}

int
window_resume(struct window *w, uint64_t n, uint64_t *again)
{
	if (n < w->first || n > w->next)
		return -1;
	*again = n <= w->going ? w->out : 0;
	for (uint64_t i = n; i < w->going; i++)
		*again += w->frame[i % WINDOW_FRAMES].len;
	w->going = n;
	w->out = 0;
	return 0;
}

void
window_rewind(struct window *w, uint64_t n)
{
	w->first = w->going = w->next = n;
	w->out = 0;
}
