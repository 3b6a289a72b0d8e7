#!/bin/sh
# Sorts one file of a parallel file system on all nodes of a job.  Copy this
# script and change the lines of #SBATCH.
#
#	sbatch sort.sh [OPTION...] -o OUTPUT FILE
#
# An OPTION is one of hprun(1), such as -F gensort or -k 2,2n.  Each node reads its
# part of FILE and writes its part of the result to its place in OUTPUT.
#
#SBATCH --job-name=hprun
#SBATCH --nodes=4
#SBATCH --exclusive
# If a node fails, the other nodes sort its share.
#SBATCH --no-kill

# exec makes hprun the first process of the job, which scancel signals.
exec hprun --shared "$@"
