#include <string.h>

#include "base/size.h"
#include "job.h"

bool
cmd_job_option(struct sort_job *j, int letter, const char *arg)
{
	struct hp_err e = { 0 };
	uint64_t n = 0;
	int rc = 0;

	switch (letter) {
	case 'S':
		rc = size_parse(arg, &j->memory, &e);
		break;
	case CMD_BATCH_SIZE:
		rc = int_parse(
		    unsigned_part(arg), 2, INT32_MAX, &n, "batch size", &e);
		j->batch = (size_t)n;
		break;
	case CMD_COMPRESS:
		rc = codec_parse(arg == NULL ? "zstd" : arg, &j->codec, &e);
		break;
	case CMD_COMPRESS_PROGRAM:
		if (j->program != NULL && strcmp(j->program, arg) != 0)
			rc = hp_fail(&e, HP_USAGE,
			    "multiple compress programs specified");
		j->program = arg;
		break;
	case CMD_PARALLEL:
		rc = threads_parse(arg, &j->threads, &e);
		break;
	default:
		return false;
	}
	if (rc == -1)
		cmd_bad(&e);
	return true;
}
