#include <sys/stat.h>

#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "link/jobkey.h"

#include "link/openssl.h"

static const char prefix[] = "hp1"; /* with its NUL */

/* Fails if users other than the owner may read the key, as ssh(1) does. */
static int
check_owner(int fd, const char *path, struct hp_err *e)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return 0;
	if ((st.st_mode & 077) != 0)
		return hp_fail(e, HP_INPUT,
		    "%s: other users may use this key (mode %04o); set its "
		    "mode to 0600",
		    path, (unsigned)st.st_mode & 07777);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return hp_fail(
		    e, HP_INPUT, "%s: the key belongs to another user", path);
	return 0;
}

int
jobkey_read(struct jobkey *k, const char *path, struct hp_err *e)
{
	unsigned char beyond;
	ssize_t n = -1;
	int fd, rc;

	k->len = 0;
	if ((fd = io_open(path, e)) == -1)
		return -1;
	if ((rc = check_owner(fd, path, e)) == 0) {
		if ((n = io_read(fd, k->bytes, sizeof k->bytes)) == -1)
			rc = hp_fail_errno(e, HP_IO, "%s", path);
		else if (n < JOBKEY_MIN)
			rc = hp_fail(e, HP_INPUT,
			    "%s: a key of %zd bytes: it must have %d or more",
			    path, n, JOBKEY_MIN);
		else if (n == JOBKEY_MAX && io_read(fd, &beyond, 1) != 0)
			rc = hp_fail(e, HP_INPUT,
			    "%s: a key of more than %d bytes", path,
			    JOBKEY_MAX);
		else
			k->len = (size_t)n;
	}
	io_close(fd);
	if (rc == -1)
		jobkey_wipe(k);
	return rc;
}

void
jobkey_wipe(struct jobkey *k)
{
	explicit_bzero(k, sizeof *k);
}

size_t
pair_name(const char *from, const char *to, unsigned char out[PAIR_NAME_MAX])
{
	unsigned char *p = out;

	memcpy(p, prefix, sizeof prefix);
	p += sizeof prefix;
	memcpy(p, from, strlen(from) + 1);
	p += strlen(from) + 1;
	memcpy(p, to, strlen(to) + 1);
	p += strlen(to) + 1;
	return (size_t)(p - out);
}

bool
pair_name_is_to(const unsigned char *name, size_t len, const char *to)
{
	size_t tail = strlen(to) + 1;

	/*
	 * The name of a pair of nodes has three parts: the prefix "hp1", the
	 * name of the sender (at least one byte), and the name of the receiver.
	 */
	return len >= sizeof prefix + 2 + tail && len <= PAIR_NAME_MAX &&
	    memcmp(name, prefix, sizeof prefix) == 0 &&
	    memchr(name + sizeof prefix, '\0', len - sizeof prefix) ==
	    name + len - tail - 1 &&
	    memcmp(name + len - tail, to, tail) == 0;
}

int
pair_key(const struct jobkey *k, const unsigned char *name, size_t len,
    unsigned char out[PAIR_KEY])
{
	static const unsigned char no_salt[PAIR_KEY];
	unsigned char extracted[PAIR_KEY], info[PAIR_NAME_MAX + 1];
	struct hp_err ignored;
	int rc = -1;

	if (len > PAIR_NAME_MAX || openssl_load(&ignored) == -1)
		return -1;
	/*
	 * One block of HKDF-Expand gives enough bytes for the key (RFC 5869,
	 * section 2.3).
	 */
	memcpy(info, name, len);
	info[len] = 1;
	if (HMAC(EVP_sha256(), no_salt, sizeof no_salt, k->bytes, k->len,
		extracted, NULL) != NULL &&
	    HMAC(EVP_sha256(), extracted, sizeof extracted, info, len + 1, out,
		NULL) != NULL)
		rc = 0;
	explicit_bzero(extracted, sizeof extracted);
	return rc;
}
