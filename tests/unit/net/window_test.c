/*
 * The send window: frames that a sender keeps until they are acknowledged, also
 * if the receiver maps their memory.
 */

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <fcntl.h>
#include <unistd.h>

#include "net/inlet.h"
#include "net/outlet.h"
#include "test.h"

/* The frames that the ring keeps. */
struct kept {
	struct window w;
	size_t len[WINDOW_FRAMES]; /* by number of the frame */
	size_t bytes;
};

/* Acknowledges all frames but the last, as the ring has no room for n bytes. */
static void
acknowledge(struct kept *k, size_t n)
{
	struct window *w = &k->w;

	CHECK(k->bytes + 2 * n + FRAME_MAX + 3 * FRAME_HEAD > WINDOW_BYTES ||
	    w->next - w->first == WINDOW_FRAMES);
	w->going = w->next - 1;
	w->out = 0;
	CHECK_EQ_I64(window_ack(w, w->next), -1);
	CHECK_EQ_I64(window_ack(w, w->next - 1), 0);
	k->bytes = k->len[(w->next - 1) % WINDOW_FRAMES];
}

static void
does_not_overlap(const struct kept *k, const unsigned char *room, size_t n)
{
	const struct window *w = &k->w;

	CHECK(
	    room >= w->ring && room + FRAME_HEAD + n <= w->ring + WINDOW_BYTES);
	for (uint64_t i = w->first; i < w->next; i++) {
		const unsigned char *at = w->ring +
		    w->frame[i % WINDOW_FRAMES].at;

		CHECK(room + FRAME_HEAD + n <= at ||
		    at + k->len[i % WINDOW_FRAMES] <= room);
	}
}

/* Frames of random sizes enter and leave the ring. */
static void
fill(struct kept *k)
{
	struct window *w = &k->w;

	for (int i = 0; i < 20000; i++) {
		size_t n = test_random() % 3 == 0
		    ? 0
		    : test_random() % (FRAME_MAX + 1);
		/*
		 * Often a frame becomes shorter than the space that was
		 * reserved for it.
		 */
		size_t less = test_random() % 2 == 0 ? n
						     : test_random() % (n + 1);
		unsigned char *room = window_room(w, n);

		if (room == NULL) {
			acknowledge(k, n);
			continue;
		}
		does_not_overlap(k, room, n);
		k->len[w->next % WINDOW_FRAMES] = FRAME_HEAD + less;
		k->bytes += FRAME_HEAD + less;
		window_put(w, room, less);
		CHECK(w->ring + w->frame[(w->next - 1) % WINDOW_FRAMES].at ==
		    room);
	}
}

/* The sender sends frames again, from the one that the receiver asks for. */
static void
a_window_sends_frames_again_from_the_one_asked_for(void)
{
	static struct kept k;
	struct window *w = &k.w;
	struct hp_err e;
	uint64_t again, written = 0;
	int pipefd[2];
	struct channel c;

	CHECK_EQ_I64(window_init(w, false, &e), 0);
	CHECK_EQ_I64(pipe2(pipefd, O_NONBLOCK), 0);
	c = channel_of(pipefd[1]);
	fill(&k);
	w->going = w->first;
	for (int i = 0; i < 3; i++)
		written += (uint64_t)window_write(w, &c);
	CHECK(written > 0);
	CHECK_EQ_I64(window_resume(w, w->next + 1, &again), -1);
	CHECK_EQ_I64(window_resume(w, w->first - 1, &again), -1);
	CHECK_EQ_I64(window_resume(w, w->first, &again), 0);
	CHECK_EQ_U64(again, written);
	CHECK_EQ_U64(w->going, w->first);
	CHECK_EQ_U64(w->out, 0);
	channel_close(&c);
	close(pipefd[0]);
	window_fini(w);
}

/* A pair of ends: frames leave a window that the other end maps. */
struct sharing {
	struct outlet out;
	struct inlet in;
	int fd[2];
};

static void
share(struct sharing *s)
{
	struct hp_err e;

	CHECK_EQ_I64(outlet_init(&s->out, 0, 1, "b", true, &e), 0);
	CHECK_EQ_I64(inlet_init(&s->in, 0, "a", &e), 0);
	s->in.run = 1;
}

static void
join(struct sharing *s)
{
	CHECK_EQ_I64(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s->fd), 0);
	outlet_hang_up(&s->out);
	s->out.channel = channel_of_unix(s->fd[0]);
	inlet_connect(&s->in, channel_of_unix(s->fd[1]));
}

/* Sends a frame of n equal bytes. Returns the bytes that went over the
 * socket. */
static int
send_one(struct sharing *s, size_t n, int byte)
{
	struct frame f = { .type = FRAME_DATA,
		.sublist = 1,
		.length = (uint32_t)n,
		.records = 1 };
	unsigned char *room = outlet_room(&s->out, n);
	int sent;

	memset(room, byte, n);
	outlet_put(&s->out, room, &f);
	CHECK(outlet_write(&s->out) > 0);
	CHECK_EQ_I64(ioctl(s->fd[1], FIONREAD, &sent), 0);
	return sent;
}

static void
comes(struct sharing *s, size_t n, int byte)
{
	struct hp_err e;

	CHECK_EQ_I64(inlet_read(&s->in, 1, &e), INLET_HEARD);
	CHECK(s->in.ready);
	CHECK_EQ_U64(s->in.buf.frame.length, n);
	for (size_t i = 0; i < n; i++)
		CHECK(s->in.buf.payload[i] == byte);
}

static void
acknowledged(struct sharing *s)
{
	struct note note;
	struct hp_err e;

	CHECK_EQ_I64(inlet_flush(&s->in), 0);
	inlet_taken(&s->in);
	inlet_tell(&s->in);
	CHECK_EQ_I64(inlet_flush(&s->in), 0);
	while (outlet_read(&s->out, &note, &e) == OUTLET_HEARD)
		;
	CHECK_EQ_U64(s->out.window.first, s->out.window.next);
}

/* Makes a pair whose first frame has arrived, so that the window is shared. */
static void
begin(struct sharing *s)
{
	*s = (struct sharing){ 0 };
	share(s);
	join(s);
	/* The first frame offers the window and is itself sent over the
	 * socket. */
	CHECK_EQ_I64(send_one(s, 1000, 'a'), FRAME_HEAD + 1000);
	comes(s, 1000, 'a');
	acknowledged(s);
	CHECK(s->out.window.shared);
}

static void
finish(struct sharing *s)
{
	outlet_fini(&s->out);
	inlet_fini(&s->in);
}

/* For later frames, only their position in the window is sent. */
static void
windows_are_shared(void)
{
	struct sharing s;

	begin(&s);
	CHECK_EQ_I64(send_one(&s, 1000, 'b'), WINDOW_REFERENCE + FRAME_HEAD);
	comes(&s, 1000, 'b');
	acknowledged(&s);
	CHECK_EQ_I64(send_one(&s, 0, 0), WINDOW_REFERENCE + FRAME_HEAD);
	comes(&s, 0, 0);
	acknowledged(&s);
	finish(&s);
}

static void
received_data_outlive_the_connection(void)
{
	struct sharing s;

	begin(&s);
	send_one(&s, 2000, 'c');
	comes(&s, 2000, 'c');
	CHECK(s.in.buf.payload != framebuf_payload(&s.in.buf));
	join(&s);
	memset(s.out.window.ring, 0, WINDOW_BYTES);
	CHECK(s.in.buf.payload[0] == 'c' && s.in.buf.payload[1999] == 'c');
	CHECK(s.in.buf.shared == NULL && !s.out.window.shared);
	inlet_taken(&s.in);
	CHECK_EQ_I64(window_ack(&s.out.window, 2), 0);
	/* The next connection offers the window again. */
	CHECK_EQ_I64(send_one(&s, 10, 'd'), FRAME_HEAD + 10);
	comes(&s, 10, 'd');
	acknowledged(&s);
	finish(&s);
}

/* The sender changes a frame after it was sent, or gives a wrong position. */
static void
a_damaged_window_is_noticed(void)
{
	unsigned char forged[WINDOW_REFERENCE + FRAME_HEAD];
	struct sharing s;
	struct hp_err e;

	begin(&s);
	for (int bad = 0; bad < 2; bad++) {
		send_one(&s, 10, 'e');
		s.out.window.ring[FRAME_HEAD] ^= bad == 0;
		if (bad == 1) {
			CHECK(read(s.fd[1], forged, sizeof forged) ==
			    sizeof forged);
			memset(forged + 4, 0xff, 4);
			CHECK(write(s.fd[0], forged, sizeof forged) ==
			    sizeof forged);
		}
		CHECK_EQ_I64(inlet_read(&s.in, 1, &e), INLET_DAMAGED);
		framebuf_clear(&s.in.buf);
		window_rewind(&s.out.window, s.in.totals.frames);
		s.out.totals.frames = s.in.totals.frames;
	}
	finish(&s);
}

/* Memory that could disappear under its reader must not be shared. */
static void
not_every_window_is_mapped(void)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct window w;
	struct hp_err e;
	const unsigned char *ring;

	CHECK_EQ_I64(window_init(&w, true, &e), 0);
	CHECK((ring = window_map(w.fd)) != NULL);
	memcpy(w.ring + 5, "hello", 5);
	CHECK_BYTES(ring + 5, 5, "hello", 5);
	window_unmap(ring);
	window_fini(&w);
	CHECK_EQ_I64(ftruncate(fd, WINDOW_BYTES), 0);
	CHECK(window_map(fd) == NULL);
	CHECK_EQ_I64(ftruncate(fd, WINDOW_BYTES - 1), 0);
	CHECK_EQ_I64(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	CHECK(window_map(fd) == NULL);
	CHECK(window_map(STDERR_FILENO) == NULL);
	close(fd);
}

int
main(void)
{
	RUN(a_window_sends_frames_again_from_the_one_asked_for);
	RUN(windows_are_shared);
	RUN(received_data_outlive_the_connection);
	RUN(a_damaged_window_is_noticed);
	RUN(not_every_window_is_mapped);
	return test_done();
}
