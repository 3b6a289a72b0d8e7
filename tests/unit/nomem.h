#ifndef HP_TEST_NOMEM_H
#define HP_TEST_NOMEM_H

/*
 * Makes allocations fail, one after the other. The linker redirects the calls
 * of our code to this file (--wrap, in the Makefile). Allocations inside libc
 * and other shared libraries do not fail. All live allocations are recorded, so
 * that leaks show without a sanitizer.
 */

#include "test.h"

enum {
	NOMEM_LIVE = 4096 /* most live allocations; every scenario has fewer */
};

static struct {
	bool on;
	/* allocations so far; number of the one that fails, from 1 */
	size_t made, fails;
	void *live[NOMEM_LIVE];
	size_t nlive;
	size_t result; /* what the scenario counted: records, nodes, ... */
} nomem;

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_reallocarray(void *, size_t, size_t);
char *__real_strdup(const char *);
char *__real_strndup(const char *, size_t);
void __real_free(void *);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void *__wrap_reallocarray(void *, size_t, size_t);
char *__wrap_strdup(const char *);
char *__wrap_strndup(const char *, size_t);
int __wrap_asprintf(char **, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void __wrap_free(void *);

static bool
nomem_fails(void)
{
	return nomem.on && ++nomem.made == nomem.fails;
}

static void
nomem_forget(const void *p)
{
	for (size_t i = 0; i < nomem.nlive; i++)
		if (nomem.live[i] == p) {
			nomem.live[i] = nomem.live[--nomem.nlive];
			return;
		}
}

static void *
nomem_note(void *p)
{
	if (p == NULL || !nomem.on)
		return p;
	if (nomem.nlive == NOMEM_LIVE) {
		printf("Bail out! more than %d allocations\n", NOMEM_LIVE);
		exit(1);
	}
	return nomem.live[nomem.nlive++] = p;
}

void *
__wrap_malloc(size_t n)
{
	return nomem_fails() ? NULL : nomem_note(__real_malloc(n));
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return nomem_fails() ? NULL : nomem_note(__real_calloc(n, size));
}

void *
__wrap_realloc(void *p, size_t n)
{
	if (nomem_fails())
		return NULL;
	nomem_forget(p);
	return nomem_note(__real_realloc(p, n));
}

void *
__wrap_reallocarray(void *p, size_t n, size_t size)
{
	if (nomem_fails())
		return NULL;
	nomem_forget(p);
	return nomem_note(__real_reallocarray(p, n, size));
}

char *
__wrap_strdup(const char *s)
{
	return nomem_fails() ? NULL : nomem_note(__real_strdup(s));
}

char *
__wrap_strndup(const char *s, size_t n)
{
	return nomem_fails() ? NULL : nomem_note(__real_strndup(s, n));
}

int
__wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (nomem_fails())
		return -1;
	va_start(ap, fmt);
	n = vasprintf(out, fmt, ap);
	va_end(ap);
	if (n >= 0)
		nomem_note(*out);
	return n;
}

void
__wrap_free(void *p)
{
	nomem_forget(p);
	__real_free(p);
}

/* Runs the scenario with the Nth allocation failing; 0: none fails. */
static inline int
nomem_run(int (*scenario)(struct hp_err *), size_t n, struct hp_err *e)
{
	int rc;

	*e = (struct hp_err){ 0 };
	nomem.made = nomem.nlive = nomem.result = 0;
	nomem.fails = n;
	nomem.on = true;
	rc = scenario(e);
	nomem.on = false;
	return rc;
}

/*
 * First the scenario must succeed without a failure. Then each of its
 * allocations fails in turn. The scenario must end with HP_NOMEM, or succeed if
 * it has a fallback, then with the same result, and must free everything. At
 * least one failure must make it end with HP_NOMEM.
 */
static inline void
nomem_each(int (*scenario)(struct hp_err *))
{
	struct hp_err e;
	size_t all, result, failed = 0;

	if (nomem_run(scenario, 0, &e) == -1)
		test_bad(__FILE__, __LINE__, "without a failure: %s", e.text);
	all = nomem.made;
	result = nomem.result;
	if (nomem.nlive > 0)
		test_bad(__FILE__, __LINE__, "%zu left", nomem.nlive);
	for (size_t n = 1; n <= all && test.bad == 0; n++) {
		int rc = nomem_run(scenario, n, &e);

		failed += rc == -1;
		if (rc == -1 && (e.kind != HP_NOMEM || e.text[0] == '\0'))
			test_bad(__FILE__, __LINE__,
			    "allocation %zu: kind %d, '%s'", n, (int)e.kind,
			    e.text);
		if (rc != -1 && nomem.result != result)
			test_bad(__FILE__, __LINE__,
			    "allocation %zu: %zu, not %zu", n, nomem.result,
			    result);
		if (nomem.nlive > 0)
			test_bad(__FILE__, __LINE__, "allocation %zu: %zu left",
			    n, nomem.nlive);
	}
	printf("# %zu allocations, %zu of them needed\n", all, failed);
	CHECK(failed > 0);
}

#endif
