/*
 * Arbitrary data from a peer, for each place that reads such data: the
 * handshake, an inlet, an outlet, and the framed stream on standard input. The
 * first byte chooses the place and the meaning of the rest: raw bytes, or a
 * plan of frames, notes or a hello with valid checksums, which gets further.
 */

#include <sys/mman.h>

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "net/framed.h"
#include "net/inlet.h"
#include "net/backlog.h"
#include "net/outlet.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum {
	ME = 1,
	PEER = 2,
	NODES = 3
};

/* Returns a descriptor that yields the bytes and then the end of file. */
static int
fd_of(const void *bytes, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	assert(fd != -1 && write(fd, bytes, len) == (ssize_t)len);
	assert(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

/*
 * Makes frames, each from 4 bytes of the plan: a kind of damage or none, the
 * length, the number of records and flags. Adds a correct end if asked for.
 */
static int
fd_of_plan(const uint8_t *in, size_t len, uint32_t source, bool head)
{
	static unsigned char out[1 << 16];
	unsigned char *p = out;
	struct frame_totals t = { 0 };

	if (head) {
		frame_stream_head(p);
		p += FRAME_STREAM_HEAD;
	}
	for (; len >= 4 && p < out + sizeof out - 1024; in += 4, len -= 4) {
		struct frame f = { .type = FRAME_DATA,
			.sublist = ME,
			.source = source,
			.length = in[1],
			.records = in[2],
			.flags = in[3] & FRAME_MORE,
			.number = t.frames };

		f.number += in[0] == 1;
		f.sublist += in[0] == 2;
		f.source += in[0] == 3;
		memset(p + FRAME_HEAD, in[3], f.length);
		frame_encode(&f, p + FRAME_HEAD, p);
		p[4] ^= in[0] == 4;
		p += FRAME_HEAD + f.length;
		frame_count(&t, &f);
	}
	if (len > 0) {
		t.bytes += in[0] == 5;
		frame_end(&t, p);
		p += FRAME_HEAD + FRAME_END_PAYLOAD;
	}
	return fd_of(out, (size_t)(p - out));
}

static void
fuzz_inlet(int fd)
{
	struct hp_err e = { 0 };
	struct frame_totals t = { 0 };
	struct inlet i;

	assert(inlet_init(&i, PEER, "peer", &e) == 0);
	inlet_connect(&i, channel_of(fd));
	while (
	    i.state != INLET_CLOSED && inlet_read(&i, ME, &e) == INLET_HEARD) {
		assert(i.buf.pos <= FRAME_HEAD + FRAME_MAX);
		/*
		 * After the end, the totals must show that all frames have
		 * arrived.
		 */
		if (i.state == INLET_ENDED) {
			i.state = INLET_TOLD;
			inlet_note(&i, NOTE_STORED, inlet_next(&i), "");
		}
		if (!i.ready)
			continue;
		assert(i.buf.frame.source == PEER);
		assert(i.buf.len - i.buf.pos == i.buf.frame.length);
		frame_count(&t, &i.buf.frame);
		inlet_taken(&i);
		inlet_tell(&i);
		i.out_len = 0;
	}
	/* Every record that was delivered is counted, and no other. */
	assert(memcmp(&t, &i.totals, sizeof t) == 0);
	assert(i.state == INLET_OPEN || !i.inside);
	inlet_fini(&i);
}

static void
fuzz_framed(int fd)
{
	struct hp_err e = { 0 };
	struct framed f;

	assert(framed_init(&f, fd, "stdin", ME, NODES, &e) == 0);
	while (f.state != FRAMED_DONE && framed_read(&f, &e) == 0) {
		if (!f.ready)
			continue;
		assert(f.buf.frame.sublist < NODES);
		assert(f.buf.frame.source == ME);
		f.ready = false;
		framebuf_clear(&f.buf);
	}
	assert(f.state == FRAMED_DONE || e.kind != HP_NONE);
	framed_fini(&f);
	close(fd);
}

/* Reads notes: raw bytes, or notes made of the input with valid checksums. */
static void
fuzz_outlet(int fd, bool ended)
{
	struct hp_err e = { 0 };
	struct note note = { 0 };
	struct frame f = { .type = FRAME_DATA };
	struct outlet o;
	int event;

	assert(outlet_init(&o, ME, PEER, "peer", false, &e) == 0);
	o.channel = channel_of(fd);
	outlet_put(&o, outlet_room(&o, 0), &f);
	if (ended)
		outlet_end(&o);
	o.window.going = o.window.next;
	do {
		event = outlet_read(&o, &note, &e);
		assert(strlen(note.text) <= NOTE_TEXT);
		assert(o.window.first <= o.window.going);
	} while (event == OUTLET_HEARD);
	/* Only a peer that received the end may say that everything is
	 * stored. */
	assert((o.state == OUTLET_LEAVING) == (event == OUTLET_ALL));
	assert(event != OUTLET_ALL || ended);
	outlet_fini(&o);
}

/* Makes notes, each from 2 bytes: its type and its number. */
static int
fd_of_notes(const uint8_t *in, size_t len)
{
	static unsigned char out[1 << 16];
	unsigned char *p = out;

	for (; len >= 2 && p < out + sizeof out - NOTE_MAX; in += 2, len -= 2)
		p += note_encode((enum note_type)(in[0] % 8), in[1] % 8,
		    in[0] % 8 == NOTE_QUIT ? "why" : "", p);
	return fd_of(out, (size_t)(p - out));
}

static void
fuzz_greeting(int fd)
{
	struct handshake g = { .channel = channel_of(fd) };
	struct hello h,
	    mine = { .version = HELLO_VERSION, .nodes = NODES, .from = ME };
	enum handshake_event event;

	while ((event = handshake_read(&g, &h)) == HANDSHAKE_WAITS)
		;
	if (event == HANDSHAKE_HELLO &&
	    hello_judge(&h, &mine) == VERDICT_WELCOME)
		assert(h.from < NODES && h.from != ME && h.to == ME);
	handshake_close(&g);
}

/* Makes a hello with a valid checksum. */
static int
fd_of_hello(const uint8_t *in, size_t len)
{
	unsigned char bytes[HELLO_SIZE];
	struct hello h = { .version = HELLO_VERSION, .nodes = NODES };

	if (len >= 4) {
		h.from = in[0];
		h.to = in[1];
		h.verdict = (enum verdict)in[2];
		h.nodes += in[3] % 4 == 0;
	}
	hello_encode(&h, bytes);
	return fd_of(bytes, sizeof bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	if (len-- == 0)
		return 0;
	switch (*in++ % 16) {
	case 0:
		fuzz_inlet(fd_of(in, len));
		break;
	case 1:
		fuzz_framed(fd_of(in, len));
		break;
	case 2:
	case 3:
		fuzz_outlet(fd_of(in, len), in[-1] % 8 == 3);
		break;
	case 4:
		fuzz_greeting(fd_of(in, len));
		break;
	case 5:
		fuzz_framed(fd_of_plan(in, len, ME, true));
		break;
	case 6:
	case 7:
		fuzz_inlet(fd_of_plan(in, len, PEER, false));
		break;
	case 8:
	case 9:
		fuzz_outlet(fd_of_notes(in, len), in[-1] % 8 == 1);
		break;
	default:
		fuzz_greeting(fd_of_hello(in, len));
		break;
	}
	return 0;
}
