# An allocation of Slurm without Slurm: a script stands for srun, and its nodes
# are directories of this machine.
# shellcheck shell=bash

# allocation NODE...: the environment of a job on these nodes, which begin in
# directories of their own.  srun writes its command line to the file asked.
allocation() {
	local node

	mkdir -p slurm scratch
	for node; do mkdir -p "home/$node"; done
	cat >slurm/srun <<-'EOS'
		#!/bin/bash
		# One agent on each node of --nodelist, with the input of srun.
		top=${0%/slurm/srun} nodes=()
		printf '%s\n' "$*" >>"$top/asked"
		[ ! -e "$top/refuse" ] || {
			while read -r line; do
				echo "srun: $line" >&2
				sleep 0.3 # so that each is read by itself
			done <"$top/refuse"
			exit 1
		}
		while [[ $1 == --* ]]; do
			[[ $1 != --nodelist=* ]] ||
				IFS=, read -r -a nodes <<<"${1#--nodelist=}"
			[ "$1" != --het-group=1 ] || touch "$top/second"
			shift
		done
		read -r line
		for node in "${nodes[@]}"; do
			[ ! -e "$top/dead $node" ] || continue
			(
				cd "$top/home/$node" || exit
				export SLURMD_NODENAME=$node
				export SLURM_LAUNCH_NODE_IPADDR=127.0.0.1
				[ ! -e "$top/forge" ] || line=${line//[0-7]/8}
				exec "$@" <<<"$line"
			) &
		done
		wait
	EOS
	chmod +x slurm/srun
	PATH=$PWD/slurm:$PATH
	export SLURM_JOB_ID=7 SLURM_JOB_NODELIST SLURM_TMPDIR=$PWD/scratch
	SLURM_JOB_NODELIST=$(IFS=,; echo "$*")
}

# clean: no process and no file is left on the nodes.
clean() {
	nothing_left
	soon scratch_is_empty || fail 'left on a node:' "$(find scratch)"
}

scratch_is_empty() {
	[ -z "$(find scratch -mindepth 1)" ]
}
