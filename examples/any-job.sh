#!/bin/bash
# Divides work that is not sorting: gives each file of a tree to one of several
# nodes, so that all nodes finish together.  The sizes of the files are the weights.
#
#	any-job.sh TREE [OPTION...]
#
# An OPTION is one of hprun(1), such as -j 4 or -C lab.jsonl.  On each host, the
# tree must have the same name.  JOB is the command that gets the names of the
# files (gzip -c).  Its outputs are joined in the order of the files.
set -eu -o pipefail

read -ra job <<<"${JOB:-gzip -c}"
tree=$(realpath -e "${1?TREE is missing}")
shift
find "$tree" -type f -size +0 -print0 | hprun --map -z "$@" \
	--weights <(find "$tree" -type f -size +0 -printf '%s\n') -- xargs -0 "${job[@]}"
