#include <sys/stat.h>

#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "sort/job.h"
#include "sort/memory.h"

enum {
	FEW = 1 << 20, /* bytes of a small input */
	/* number of bytes of memory that is enough for a small input */
	ENOUGH = 256 << 20
};

/*
 * Returns the size of a regular file in bytes. Returns more than FEW for any
 * other file, and for files in /proc, which show a size of 0.
 */
static uint64_t
bytes_of(const char *file)
{
	struct stat st;
	int rc = strcmp(file, "-") == 0 ? fstat(STDIN_FILENO, &st)
					: stat(file, &st);

	if (rc == -1 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return FEW + 1;
	return (uint64_t)st.st_size;
}

/* Returns whether the input is so small that sorting it is faster than asking
 * how much memory the system has. */
static bool
few(const struct sort_job *j)
{
	uint64_t total = j->nfiles == 0 ? bytes_of("-") : 0;

	for (size_t i = 0; i < j->nfiles && total <= FEW; i++)
		total += j->part != NULL ? j->part[i].bytes
					 : bytes_of(j->file[i]);
	return total <= FEW;
}

uint64_t
sort_memory(const struct sort_job *j)
{
	bool little = few(j);
	uint64_t most = little ? size_clamp(mem_addresses(), 0, ENOUGH)
			       : mem_most();

	if (j->memory != UINT64_MAX)
		return size_clamp(j->memory, 0, most);
	return little ? most : size_clamp(mem_limit() / 2, 0, most);
}
