#include <sys/stat.h>

#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "sort/sort.h"

enum {
	FEW = 1 << 20,	   /* bytes of input */
	ENOUGH = 256 << 20 /* of memory, for these */
};

/* The bytes of a regular file; of others, and of those of /proc, which say that
 * they are empty, more than a few. */
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

/* So little that to ask what memory there is takes longer than to sort it. */
static bool
few(const struct sort_job *j)
{
	uint64_t total = j->nfiles == 0 ? bytes_of("-") : 0;

	for (size_t i = 0; i < j->nfiles && total <= FEW; i++)
		total += bytes_of(j->file[i]);
	return total <= FEW;
}

uint64_t
sort_memory(const struct sort_job *j, bool merge)
{
	return few(j) && !merge ? ENOUGH : mem_limit() / 2;
}

uint64_t
sort_most(const struct sort_job *j)
{
	return few(j) ? size_clamp(mem_addresses(), 0, ENOUGH) : mem_most();
}
