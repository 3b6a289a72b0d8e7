/* The two ends of what a receiver keeps: acknowledgements, and the outputs. */

#include <sys/socket.h>

#include <fcntl.h>

#include "link/channel.h"
#include "net/inlet.h"
#include "net/sink.h"
#include "test.h"

/*
 * A frame that waits for the sink is not acknowledged: the sender must keep it,
 * since it would be lost with this process.
 */
static void
waiting_frames_are_not_acknowledged(void)
{
	for (int ready = 0; ready < 2; ready++) {
		struct hp_err e = { 0 };
		struct note note;
		struct inlet i;
		int pair[2];

		CHECK(socketpair(
			  AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
		CHECK_EQ_I64(inlet_init(&i, 1, "b", &e), 0);
		inlet_connect(&i, channel_of_unix(pair[0]));
		i.out_len = 0;
		i.totals.frames = 7;
		i.ready = ready;
		inlet_tell(&i);
		CHECK_EQ_U64(i.told, 7 - ready);
		CHECK(note_decode(i.out, i.out_len, &note) > 0);
		CHECK_EQ_U64(note.type, NOTE_ALIVE);
		CHECK_EQ_U64(note.value, 7 - ready);
		/* A second note would say the same. */
		i.totals.frames = 9;
		inlet_tell(&i);
		CHECK_EQ_U64(i.told, 7 - ready);
		inlet_fini(&i);
		close(pair[1]);
	}
}

/* Standard output belongs to the process; other descriptors are closed. */
static void
standard_output_stays_open(void)
{
	struct hp_err e = { 0 };
	struct sink s;
	unsigned before = test_descriptors();

	CHECK_EQ_I64(sink_open(&s, NULL, NULL, false, 2, &e), 0);
	CHECK_EQ_STR(e.text, "");
	sink_close(&s);
	CHECK(fcntl(STDOUT_FILENO, F_GETFD) != -1);
	CHECK_EQ_U64(test_descriptors(), before);
	s = (struct sink){ .output = calloc(1, sizeof *s.output),
		.noutputs = 1 };
	s.output->file.fd = -1;
	s.output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	sink_close(&s);
	CHECK_EQ_U64(test_descriptors(), before);
}

int
main(void)
{
	RUN(waiting_frames_are_not_acknowledged);
	RUN(standard_output_stays_open);
	return test_done();
}
