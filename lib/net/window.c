#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "net/window.h"

/*
 * Forbid changes of the size of the memory. If the memory shrank, a process
 * that has mapped it could get SIGBUS.
 */
enum {
	SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL
};

/* Creates shared memory. Returns its descriptor, or -1. */
static int
make_shared(void)
{
	int fd = memfd_create("hpexchange", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd != -1 &&
	    (ftruncate(fd, WINDOW_BYTES) == -1 ||
		fcntl(fd, F_ADD_SEALS, SEALS) == -1)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int
window_init(struct window *w, bool shares, struct hp_err *e)
{
	*w = (struct window){ .fd = shares ? make_shared() : -1 };
	w->ring = mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE,
	    w->fd == -1 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, w->fd, 0);
	if (w->ring == MAP_FAILED) {
		w->ring = NULL;
		return hp_fail_errno(e, HP_NOMEM, "window");
	}
	return 0;
}

void
window_fini(struct window *w)
{
	if (w->ring != NULL) {
		munmap(w->ring, WINDOW_BYTES);
		if (w->fd != -1)
			close(w->fd);
	}
	*w = (struct window){ .fd = -1 };
}

const unsigned char *
window_map(int fd)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);
	void *ring;

	if (seals == -1 || (seals & F_SEAL_SHRINK) == 0 ||
	    fstat(fd, &st) == -1 || st.st_size < (off_t)WINDOW_BYTES)
		return NULL;
	ring = mmap(NULL, WINDOW_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	return ring == MAP_FAILED ? NULL : ring;
}

void
window_unmap(const unsigned char *ring)
{
	if (ring != NULL)
		munmap((void *)(uintptr_t)ring, WINDOW_BYTES);
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
	/* the frames in use continue from the end of the ring to its start */
	if (last < first)
		return first - end >= len ? w->ring + end : NULL;
	/*
	 * In a shared ring, continue at the start as soon as there is room. So
	 * the part in use is small and stays in the processor's cache.
	 */
	if (WINDOW_BYTES - end >= len && !(w->shared && first >= len))
		return w->ring + end;
	return first >= len ? w->ring : NULL;
}

bool
window_full(const struct window *w)
{
	return window_waits(w) || (w->shared && w->kept >= WINDOW_SHARED_BYTES);
}

void
window_hang_up(struct window *w)
{
	w->offered = w->shared = false;
}

void
window_put(struct window *w, const unsigned char *room, size_t payload)
{
	size_t i = w->next++ % WINDOW_FRAMES;

	w->frame[i].at = (uint32_t)(room - w->ring);
	w->frame[i].len = (uint32_t)(FRAME_HEAD + payload);
	w->kept += w->frame[i].len;
}

ssize_t
window_write(struct window *w, struct channel *c)
{
	size_t i = w->going % WINDOW_FRAMES, len = w->frame[i].len;
	unsigned char refers[WINDOW_REFERENCE + FRAME_HEAD];
	const unsigned char *bytes = w->ring + w->frame[i].at;
	ssize_t n;

	if (w->out == 0)
		w->refers = w->shared;
	if (w->refers) {
		put32(refers, WINDOW_REFERS);
		put32(refers + 4, w->frame[i].at);
		memcpy(refers + WINDOW_REFERENCE, bytes, FRAME_HEAD);
		bytes = refers;
		len = sizeof refers;
	}
	if (!w->offered && w->fd != -1 && channel_can_pass(c))
		n = channel_pass(c, bytes, len, w->fd);
	else
		n = channel_write(c, bytes + w->out, len - w->out);
	if (n == -1)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	w->offered = true;
	w->out += (size_t)n;
	if (w->out == len) {
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
	for (; w->first < n; w->first++)
		w->kept -= w->frame[w->first % WINDOW_FRAMES].len;
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
	w->kept = w->out = 0;
}
