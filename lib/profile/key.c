#include <sys/utsname.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "profile/key.h"

void
key_form(char key[KEY_BYTES], const char *line, const char *architecture,
    unsigned processors)
{
	const char *colon = line == NULL ? NULL : strchr(line, ':'),
		   *s = colon == NULL ? architecture : colon + 1;
	size_t n = 0;

	/* 32 bytes remain for the number. */
	for (; *s != '\0' && *s != '\n' && n < KEY_BYTES - 32; s++) {
		bool blank = *s == ' ' || *s == '\t';

		if (blank && (n == 0 || key[n - 1] == ' '))
			continue;
		key[n++] = blank ? ' ' : *s > ' ' && *s <= '~' ? *s : '?';
	}
	while (n > 0 && key[n - 1] == ' ')
		n--;
	snprintf(key + n, KEY_BYTES - n, ", %u processor%s", processors,
	    processors == 1 ? "" : "s");
}

int
key_make(char key[KEY_BYTES], struct hp_err *e)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	struct utsname name;
	char *line = NULL;
	size_t cap = 0;
	bool found = false;

	if (uname(&name) == -1) {
		if (f != NULL)
			fclose(f);
		return hp_fail_errno(e, HP_IO, "name of the architecture");
	}
	while (f != NULL && !found && getline(&line, &cap, f) > 0)
		found = strncmp(line, "model name", 10) == 0;
	key_form(key, found ? line : NULL, name.machine, cpu_count());
	free(line);
	if (f != NULL)
		fclose(f);
	return 0;
}
