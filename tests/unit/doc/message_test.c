/* The messages of hp-agent(5), as JSON text and as structs. */

#include <jansson.h>

#include "doc/message.h"
#include "test.h"

/* Checks that reading and then writing a message gives the same text. */
static void
same(const char *text)
{
	struct message m = { 0 };
	struct hp_err e = { 0 };
	size_t len = 0;
	char *out;

	CHECK_EQ_I64(message_read(text, strlen(text), &m, &e), 0);
	CHECK_EQ_STR(e.text, "");
	out = message_write(&m, &len, &e);
	CHECK_EQ_STR(out, text);
	CHECK_EQ_U64(len, strlen(text));
	free(out);
	message_fini(&m);
}

static void
refused(const char *text, const char *why)
{
	struct message m = { 0 };
	struct hp_err e = { 0 };

	CHECK_EQ_I64(message_read(text, strlen(text), &m, &e), -1);
	CHECK_EQ_U64(e.kind, HP_INPUT);
	CHECK_EQ_STR(e.text, why);
	message_fini(&m);
}

/* Messages of each type that together use every member. */
static const char *const samples[] = {
	"{\"type\":\"open\",\"timeout_s\":30.0,\"nodes\":["
	"{\"rank\":0,\"dir\":\"/a\"}]}",
	"{\"type\":\"open\",\"timeout_s\":0.5,\"keep\":true,"
	"\"again\":true,\"progress\":true,\"nodes\":["
	"{\"rank\":3,\"dir\":\"/a\",\"input\":\"/in\",\"leave\":\"/out\","
	"\"beside\":\"/.out\"},{\"rank\":999999,\"dir\":\"b\"}]}",
	"{\"type\":\"start\",\"id\":1,\"rank\":0,\"actions\":["
	"{\"kind\":\"run\",\"words\":[\"hpsort\",\"\",\"-o\"],"
	"\"in_kind\":\"stream\",\"in_stream\":4294967295,"
	"\"out_kind\":\"node\",\"out\":\"run\",\"append\":true}]}",
	"{\"type\":\"start\",\"id\":9007199254740992,\"launcher\":true,"
	"\"dir\":\"/w\",\"actions\":[{\"kind\":\"get\",\"node\":\"out\","
	"\"out_kind\":\"path\",\"out\":\"/w/o\",\"offset\":1,\"bytes\":0,"
	"\"at\":7},{\"kind\":\"size\",\"node\":\"x\"}]}",
	"{\"type\":\"stop\"}",
	"{\"type\":\"end\"}",
	"{\"type\":\"end\",\"drop\":true}",
	"{\"type\":\"hello\",\"version\":\"" HP_VERSION "\",\"address\":"
	"\"::1\",\"processors\":8,\"memory\":9007199254740992}",
	"{\"type\":\"opened\",\"rank\":1,\"device\":2,\"room\":3,"
	"\"input_bytes\":4,\"input_changed_us\":5,\"input_inode\":6,\"named\":"
	"1}",
	"{\"type\":\"fault\",\"rank\":1,\"text\":\"\",\"last\":true}",
	"{\"type\":\"said\",\"id\":1,\"text\":\"\\u0001\\\"\\\\\"}",
	"{\"type\":\"wrote\",\"id\":1,\"bytes\":5}",
	"{\"type\":\"credit\",\"stream\":4294967295,\"bytes\":5}",
	"{\"type\":\"ended\",\"id\":1,\"failed\":0,\"code\":255,"
	"\"signal\":64,\"user_s\":0.25,\"system_s\":0.0,\"sizes\":[1,2]}",
	"{\"type\":\"stopped\"}",
	"{\"type\":\"beat\"}",
};

static void
every_type_comes_back(void)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		same(samples[i]);
}

static void
absent_members_have_their_defaults(void)
{
	static const char text[] =
	    "{\"type\":\"start\",\"id\":5,\"launcher\":true,\"dir\":\"/w\","
	    "\"actions\":[{\"kind\":\"get\"}]}";
	struct message m = { 0 };
	struct hp_err e = { 0 };

	REQUIRE(message_read(text, strlen(text), &m, &e) == 0);
	CHECK_EQ_U64(m.type, MESSAGE_START);
	CHECK_EQ_U64(m.id, 5);
	CHECK_EQ_U64(m.rank, 0);
	REQUIRE(m.nactions == 1);
	CHECK(m.action[0].words == NULL);
	CHECK_EQ_STR(m.action[0].node, "");
	CHECK_EQ_STR(m.action[0].in_kind, "");
	CHECK_EQ_U64(m.action[0].bytes, MESSAGE_TO_END);
	CHECK_EQ_U64(m.action[0].at, 0);
	message_fini(&m);
}

static void
strings_have_every_byte_but_nul(void)
{
	struct message m = { .type = MESSAGE_SAID, .id = 1 }, back = { 0 };
	struct hp_err e = { 0 };
	char all[256], *text;
	size_t len;

	for (int i = 1; i < 256; i++)
		all[i - 1] = (char)i;
	all[255] = '\0';
	m.text = all;
	text = message_write(&m, &len, &e);
	REQUIRE(text != NULL);
	CHECK_EQ_I64(message_read(text, len, &back, &e), 0);
	CHECK_EQ_STR(back.text, all);
	message_fini(&back);
	free(text);
}

static void
malformed_ones_are_refused(void)
{
	refused("", "a message is malformed at byte 0");
	refused("{", "a message is malformed at byte 1");
	refused("{}", "expected a message, an object with a type");
	refused("[]", "expected a message, an object with a type");
	refused("{\"type\":1}", "expected a message, an object with a type");
	refused("{\"type\":\"boom\"}", "unknown message");
	refused("{\"type\":\"beat\",\"x\":1}", "an unknown member");
	refused("{\"type\":\"wrote\",\"id\":1}", "there is no 'bytes'");
	refused("{\"type\":\"credit\",\"stream\":1}", "there is no 'bytes'");
	refused("{\"type\":\"wrote\",\"id\":1,\"bytes\":null}",
	    "'bytes' must be an integer");
	refused("{\"type\":\"wrote\",\"id\":1,\"bytes\":1.0}",
	    "'bytes' must be an integer");
	refused("{\"type\":\"wrote\",\"id\":0,\"bytes\":1}",
	    "'id' is out of range");
	refused("{\"type\":\"wrote\",\"id\":-1,\"bytes\":1}",
	    "'id' is out of range");
	refused("{\"type\":\"wrote\",\"id\":9007199254740993,\"bytes\":1}",
	    "'id' is out of range");
	refused("{\"type\":\"beat\",\"type\":\"stop\"}",
	    "a message is malformed at byte 21");
	refused("{\"type\":\"said\",\"id\":1,\"text\":\"\\u0000\"}",
	    "a message is malformed at byte 37");
	refused("{\"type\":\"said\",\"id\":1,\"text\":\"\\u0100\"}",
	    "'text' has a character above U+00FF");
	refused(
	    "{\"type\":\"end\",\"drop\":1}", "'drop' must be true or false");
}

static void
malformed_lists_are_refused(void)
{
	refused("{\"type\":\"open\",\"timeout_s\":1}",
	    "'nodes' must be an array of 0 to 10000 objects");
	refused("{\"type\":\"open\",\"timeout_s\":1,\"nodes\":[1]}",
	    "'nodes' must be objects");
	refused("{\"type\":\"open\",\"timeout_s\":-1,\"nodes\":[]}",
	    "'timeout_s' is out of range");
	refused("{\"type\":\"open\",\"timeout_s\":1,\"nodes\":["
		"{\"rank\":1,\"dir\":\"\"}]}",
	    "'dir' is too short");
	refused("{\"type\":\"open\",\"timeout_s\":1,\"nodes\":["
		"{\"rank\":1,\"dir\":\"/\",\"type\":\"\"}]}",
	    "an unknown member");
	refused(
	    "{\"type\":\"start\",\"id\":1,\"actions\":[{\"kind\":\"run\"}]}",
	    "a step has 'rank', or 'launcher' and 'dir'");
	refused("{\"type\":\"start\",\"id\":1,\"rank\":1,\"dir\":\"/\","
		"\"launcher\":true,\"actions\":[{\"kind\":\"run\"}]}",
	    "a step has 'rank', or 'launcher' and 'dir'");
	refused("{\"type\":\"ended\",\"id\":1,\"failed\":0,\"code\":256,"
		"\"user_s\":0,\"system_s\":0}",
	    "'code' is out of range");
}

static void
strings_are_not_longer_than_they_may_be(void)
{
	struct message m = { .type = MESSAGE_SAID, .id = 1 }, back = { 0 };
	struct hp_err e = { 0 };
	char *line = calloc(1, MESSAGE_LINE + 2), *text;
	size_t len;

	for (size_t n = MESSAGE_LINE; n <= MESSAGE_LINE + 1; n++) {
		memset(line, 0xff, n);
		m.text = line;
		text = message_write(&m, &len, &e);
		REQUIRE(text != NULL);
		CHECK_EQ_I64(message_read(text, len, &back, &e),
		    n == MESSAGE_LINE ? 0 : -1);
		message_fini(&back);
		free(text);
	}
	CHECK_EQ_STR(e.text, "'text' is too long");
	free(line);
}

static void
a_message_is_not_longer_than_it_may_be(void)
{
	struct message m = { .type = MESSAGE_SAID, .id = 1 };
	struct hp_err e = { 0 };
	size_t len;

	m.text = malloc(MESSAGE_MOST + 1);
	memset(m.text, 'a', MESSAGE_MOST);
	m.text[MESSAGE_MOST] = '\0';
	CHECK(message_write(&m, &len, &e) == NULL);
	CHECK_EQ_U64(e.kind, HP_USAGE);
	free(m.text);
	CHECK_EQ_I64(message_read("", MESSAGE_MOST + 1, &m, &e), -1);
	CHECK_EQ_STR(e.text, "a message is too long");
}

/*
 * Only the version of a hello from another version matters; its other members
 * may be anything.
 */
static void
a_hello_of_another_version_is_read(void)
{
	static const char text[] =
	    "{\"type\":\"hello\",\"version\":\"99\",\"new\":[{}]}";
	struct message m = { 0 };
	struct hp_err e = { 0 };

	CHECK_EQ_I64(message_read(text, strlen(text), &m, &e), 0);
	CHECK_EQ_STR(m.version, "99");
	message_fini(&m);
	refused(
	    "{\"type\":\"hello\",\"version\":\"\"}", "'version' is too short");
	refused("{\"type\":\"hello\",\"version\":\"" HP_VERSION "\"}",
	    "there is no 'processors'");
}

/* Returns lists that are invalid for all members or for some. */
static json_t *
hostile_list(int which)
{
	json_t *deep = json_null();

	switch (which) {
	case 0:
		return json_array();
	case 1:
		return json_pack("[s]", "x");
	case 2:
		return json_pack("[{s:i}]", "x", 1);
	case 3:
		for (int i = 0; i < 100; i++)
			deep = json_pack("[o]", deep);
		return deep;
	case 4:
		deep = json_array();
		for (int i = 0; i < MESSAGE_WORDS + 1; i++)
			json_array_append_new(deep, json_integer(1));
		return deep;
	default:
		return NULL;
	}
}

/* Returns values that are invalid for all members or for some. */
static json_t *
hostile(int which)
{
	static char text[200001];

	switch (which) {
	case 0:
		return json_null();
	case 1:
		return json_true();
	case 2:
		return json_integer(-1);
	case 3:
		return json_integer(INT64_MAX);
	case 4:
		return json_integer(INT64_MIN);
	case 5:
		return json_real(0.5);
	case 6:
		return json_real(-1e300);
	case 7:
		return json_string("");
	case 8:
		return json_string("\xe2\x82\xac");
	case 9:
		memset(text, 'x', sizeof text - 1);
		return json_string(text);
	case 10:
		return json_object();
	default:
		return hostile_list(which - 11);
	}
}

/* Checks that the message is within its limits. */
static void
keeps_its_limits(const struct message *m)
{
	CHECK(m->nnodes <= MESSAGE_NODES && m->nactions <= MESSAGE_ACTIONS);
	CHECK(m->rank <= MESSAGE_RANK && m->code <= 255 && m->signal <= 64);
	CHECK(m->timeout_s >= 0 && m->timeout_s <= MESSAGE_TIMEOUT);
	CHECK(m->text == NULL || strlen(m->text) <= MESSAGE_FAULT_TEXT);
	CHECK(m->version == NULL || strlen(m->version) <= 64);
	CHECK(m->address == NULL || strlen(m->address) <= 63);
	CHECK(m->nsizes <= MESSAGE_ACTIONS);
	for (size_t i = 0; i < m->nnodes; i++)
		CHECK(strlen(m->node[i].dir) - 1 < MESSAGE_PATH &&
		    strlen(m->node[i].input) <= MESSAGE_PATH);
	for (size_t i = 0; i < m->nactions; i++)
		CHECK(m->action[i].in_stream <= MESSAGE_STREAM &&
		    strlen(m->action[i].in) <= MESSAGE_PATH);
}

/* Reads the object. Returns 1 if it is a valid message, 0 if it is refused. */
static int
is_message(json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	struct message m = { 0 };
	struct hp_err e = { 0 };
	int rc = message_read(text, strlen(text), &m, &e);

	if (rc == 0)
		keeps_its_limits(&m);
	else
		CHECK(e.kind == HP_INPUT && e.text[0] != '\0');
	message_fini(&m);
	free(text);
	return rc == 0;
}

/*
 * Changes each member of `part`, an object inside the message `whole`, in turn.
 */
static int
vary(json_t *whole, json_t *part)
{
	int refused_ones = 0;
	const char *name;
	json_t *value, *copy = json_copy(part), *other;

	json_object_foreach(copy, name, value)
	{
		for (int i = 0; (other = hostile(i)) != NULL; i++) {
			json_object_set_new(part, name, other);
			refused_ones += !is_message(whole);
		}
		json_object_del(part, name);
		is_message(whole);
		json_object_set(part, name, value);
	}
	CHECK(is_message(whole));
	json_object_set_new(part, "new", json_true());
	CHECK(!is_message(whole));
	json_object_del(part, "new");
	json_decref(copy);
	return refused_ones;
}

static void
every_member_with_every_wrong_value(void)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		json_t *o = json_loads(samples[i], 0, NULL);
		json_t *nested = json_object_get(o, "nodes");

		if (nested == NULL)
			nested = json_object_get(o, "actions");
		CHECK(vary(o, o) >= 11);
		for (size_t k = 0; k < json_array_size(nested); k++)
			CHECK(vary(o, json_array_get(nested, k)) >= 22);
		json_decref(o);
	}
}

/* Truncates each message at each byte. */
static void
what_is_cut_off_is_refused(void)
{
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		for (size_t n = 0; n < strlen(samples[i]); n++) {
			struct message m = { 0 };
			struct hp_err e = { 0 };

			CHECK(message_read(samples[i], n, &m, &e) == -1);
			message_fini(&m);
		}
}

int
main(void)
{
	RUN(every_type_comes_back);
	RUN(absent_members_have_their_defaults);
	RUN(strings_have_every_byte_but_nul);
	RUN(malformed_ones_are_refused);
	RUN(malformed_lists_are_refused);
	RUN(strings_are_not_longer_than_they_may_be);
	RUN(a_message_is_not_longer_than_it_may_be);
	RUN(a_hello_of_another_version_is_read);
	RUN(every_member_with_every_wrong_value);
	RUN(what_is_cut_off_is_refused);
	return test_done();
}
