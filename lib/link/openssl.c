#include <dlfcn.h>
#include <stdbool.h>

#define OPENSSL_LOADER
#include "link/openssl.h"

#ifdef OPENSSL
#define FIND(function)                                     \
	(openssl.function = (__typeof__(function) *)dlsym( \
	     library, #function)) &&

struct openssl openssl;

static int
load(struct hp_err *e)
{
	void *library = dlopen(OPENSSL, RTLD_LAZY);

	if (library != NULL && OPENSSL_FUNCTIONS(FIND) true)
		return 0;
	return hp_fail(e, HP_IO, "TLS: %s", dlerror());
}

#define INIT openssl.OPENSSL_init_crypto
#else
#define INIT OPENSSL_init_crypto

static int
load(struct hp_err *e)
{
	(void)e;
	return 0;
}
#endif

int
openssl_load(struct hp_err *e)
{
	static bool loaded;

	if (loaded)
		return 0;
	if (load(e) == -1)
		return -1;
	/* The end of the process frees what OpenSSL would free one by one. */
	INIT(OPENSSL_INIT_NO_ATEXIT, NULL);
	loaded = true;
	return 0;
}
