#include <sys/stat.h>

#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "sort/job.h"
#include "sort/memory.h"

enum {
	FEW = 1 << 20, /* bytes of a small input */
	/* memory in bytes that suffices for a small input */
	ENOUGH = 256 << 20
};

/*
 * Returns the size of a regular file in bytes. For other files, and for files
 * in /proc whose size is shown as 0, returns a size above FEW.
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

/*
 * Returns whether the input is very small: then sorting it takes less time than
 * asking the system how much memory it has.
 */
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
