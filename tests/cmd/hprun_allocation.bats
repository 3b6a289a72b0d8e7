# hprun inside an allocation of Slurm, with a script in place of srun;
# hprun_slurm.bats has the same with Slurm itself.
# shellcheck shell=bash disable=SC2154
load common
load hprun
load slurm

# two_components: an allocation whose second component has two hosts.
two_components() {
	allocation 127.0.0.1 127.0.0.2 127.0.0.3
	export SLURM_HET_SIZE=2 SLURM_JOB_NODELIST=127.0.0.1
	export SLURM_JOB_NODELIST_HET_GROUP_0=127.0.0.1
	export SLURM_JOB_NODELIST_HET_GROUP_1=127.0.0.2,127.0.0.3
}

@test "in an allocation a sort needs no cluster file, and runs srun once" {
	lines 3000 >in
	allocation 127.0.0.1 127.0.0.2 127.0.0.3
	for a in exact pss; do
		run_ hprun -a $a -o out in
		status_is 0
		stderr_is ''
		sort in | cmp - out
		rm out
	done
	[ "$(wc -l <asked)" = 2 ]
	grep -q -e '--nodes=3 --ntasks=3 --nodelist=127.0.0.1,127.0.0.2,127.0.0.3 ' \
		asked
	# The key is in no command line.
	[ -z "$(grep -E '[0-9a-f]{64}' asked)" ]
	clean
}

@test "--launch slurm outside of an allocation is one clear error" {
	run_ hprun --launch slurm /dev/null
	status_is 2
	stderr_is "hprun: --launch slurm: there is no allocation (SLURM_JOB_ID is not set); use salloc or sbatch"
	stdout_is ''
}

@test "-j and --speeds use this machine, also in an allocation" {
	lines 100 >in
	allocation x
	run_ hprun -j 2 -o out in
	status_is 0
	sort in | cmp - out
	run_ hprun --speeds 2,1 -o out in
	status_is 0
	[ ! -e asked ]
}

@test "the speed of a node is its number of processors" {
	lines 3000 >in
	allocation 127.0.0.1 127.0.0.2
	SLURM_JOB_CPUS_PER_NODE=3,1 run_ hprun --keep kept -o out in
	status_is 0
	[ "$(jq -c .speed kept/cluster.jsonl | paste -sd ' ')" = '3 1' ]
	rm -r kept scratch/*
	SLURM_JOB_CPUS_PER_NODE='3(x3)' run_ hprun -o out in
	status_is 2
	stderr_has "SLURM_JOB_CPUS_PER_NODE: '3(x3)' does not fit"
}

@test "all components of a heterogeneous job take part" {
	lines 3000 >in
	two_components
	run_ hprun -o out in
	status_is 0
	sort in | cmp - out
	grep -q -e '--nodelist=127.0.0.1 --het-group=0 ' asked
	grep -q -e '--nodelist=127.0.0.2,127.0.0.3 --het-group=1 ' asked
	[ "$(wc -l <asked)" = 2 ]
	rm out
	clean
}

# srun 22.05 may hang after a step of several components.
@test "the end of an exchange by MPI does not depend on srun, with several components" {
	lines 300 >in
	two_components
	hprun --transport mpi --dry-run -o out in >script
	grep -e --mpi=pmix script |
		grep -oE -e 'do until 3 10000' -e 'het-group=[01]' -e 'do ranked 3 \S+' \
			>found
	printf '%s\n' 'do until 3 10000' het-group=0 'do ranked 3 done' het-group=1 \
		'do ranked 3 done' | diff - found
	cat >hangs <<-'END'
		#!/bin/sh
		printf '%s\n' done text done
		exec sleep 1000
	END
	chmod +x hangs
	run_ hprun --do until 2 100 ./hangs
	status_is 0
	stdout_is text
	run_ hprun --do until 2 100000 sh -c 'printf "%s\n" done done; sleep 0.3; exit 3'
	status_is 3
	stdout_is ''
	run_ hprun --do until 3 0 sh -c 'printf "%s\n" done done; kill -KILL $$'
	status_is 137
	run_ hprun --do until 1 0 ./missing
	status_is 2
	stderr_has missing
}

@test "the end of an exchange by MPI is that of srun, with one component" {
	lines 300 >in
	allocation 127.0.0.1 127.0.0.2
	hprun --transport mpi --dry-run -o out in >script
	grep -e --mpi=pmix script >exchange
	[ "$(grep -c -e 'do until' -e 'do ranked [0-9]* done' exchange)" = 0 ]
}

@test "an MPI process runs in the directory of its rank, and ends as its command" {
	local end code

	mkdir a 'b c'
	while read -r code end; do
		PMIX_RANK=1 run_ hprun --do ranked 2 word a 'b c' \
			sh -c "pwd >../where; $end"
		status_is "$code"
		[ "$(cat where)" = "$PWD/b c" ]
		[ "$code" != 0 ] || stdout_is word
	done <<-'END'
		0 exit 0
		3 exit 3
		137 kill -KILL $$
	END
	PMIX_RANK=0 run_ hprun --do ranked 2 '' a 'b c' ./missing
	status_is 127
	stderr_is 'hprun: ./missing: not found'
	PMIX_RANK=2 run_ hprun --do ranked 2 '' a 'b c' true
	status_is 2
	stderr_has PMIX_RANK
}

@test "a cluster file gives the speeds of allocated hosts, and no others" {
	lines 3000 >in
	allocation 127.0.0.1 127.0.0.2
	printf '{"type":"node","node":"n%d","host":"127.0.0.%d","speed":%d}\n' \
		1 1 5 2 2 1 >cluster
	run_ hprun -C cluster -o out in
	status_is 0
	sort in | cmp - out
	rm out
	sed -i s/127.0.0.2/127.0.0.9/ cluster
	run_ hprun -C cluster -o out in
	status_is 2
	stderr_is 'hprun: n2: host 127.0.0.9 is not in the allocation of job 7; --launch ssh logs in to other hosts'
	clean
}

@test "messages of srun are shown, and the nodes that it did not reach are named" {
	allocation x y
	printf '%s\n' 'Step creation temporarily disabled, retrying' \
		'error: Unable to create step' >refuse
	run_ hprun --timeout 4 /dev/null
	status_is 3
	stderr_is "hprun: srun: Step creation temporarily disabled, retrying
hprun: srun: error: Unable to create step
hprun: x: cannot be reached
hprun: y: cannot be reached"
	clean
}

@test "an agent with a wrong key is refused with a message" {
	allocation 127.0.0.1
	touch forge
	run_ hprun --timeout 3 /dev/null
	status_is 3
	stderr_has '127.0.0.1: --agent=call: '
	stderr_has 'hprun: 127.0.0.1: cannot be reached'
	clean
}

@test "a malformed list of nodes is an error" {
	allocation x
	for list in 'a[' 'a;b' '' 'a[1-99999999]'; do
		SLURM_JOB_NODELIST=$list run_ hprun /dev/null
		status_is 2
		[ "$(wc -l <<<"$stderr")" = 1 ]
	done
	[ ! -e asked ]
}

@test "if srun is missing, the message names it" {
	allocation x
	PATH=$HPBIN run_ hprun /dev/null
	status_is 2
	stderr_is 'hprun: srun: not found; it starts the agents (--launch slurm)'
}

@test "a lost node is dropped, and the others sort its share" {
	lines 20000 >in
	allocation 127.0.0.1 127.0.0.2 127.0.0.3
	instead hpsort <<-'EOF'
		case $PWD in
		*.1)
			top=${0%/bin/hpsort}
			touch "$top/dead 127.0.0.2"
			kill -9 $PPID
			sleep 100
			;;
		esac
		exec "$real" "$@"
	EOF
	run_ hprun --timeout 5 -o out in
	status_is 0
	stderr_has 'hprun: 127.0.0.2: lost; its share goes to the others'
	sort in | cmp - out
	rm out
	clean
}

@test "an agent that called is not started twice: --agent=call needs srun" {
	run_ hprun --agent=call </dev/null
	status_is 2
	stderr_is 'hprun: --agent=call: srun has not started this process'
	SLURMD_NODENAME=x SLURM_LAUNCH_NODE_IPADDR=127.0.0.1 \
		run_ hprun --agent=call <<<'hprun 1'
	status_is 2
	stderr_is 'hprun: x: --agent=call: standard input has no port and key of a launcher'
	run_ hprun --agent=other </dev/null
	status_is 2
}

@test "a dry run prints commands of srun that give the same result" {
	lines 3000 >in
	allocation 127.0.0.1 127.0.0.2
	hprun -o out --dry-run in >commands
	grep -q 'srun .* -w 127.0.0.1 sh -c ' commands
}

@test "--shared: hosts read the input and write the result themselves" {
	lines 20000 >in
	allocation 127.0.0.1 127.0.0.2 127.0.0.3
	order=('' '-u -k 2,2n' '-s -k 2,2n' '' '-s -k 2,2n')
	method=(exact exact psrs pss psop)
	for i in {0..4}; do
		# shellcheck disable=SC2086
		run_ hprun -a "${method[i]}" ${order[i]} --shared \
			--trace trace -o out in
		status_is 0
		stderr_is ''
		# shellcheck disable=SC2086
		sort ${order[i]} in >want
		same out want
		# No step sends a part to a host.
		[ -z "$(jq -r .step trace | grep -x send)" ]
		rm out trace
	done
	clean
}

@test "--shared needs one regular file" {
	allocation 127.0.0.1
	: >a
	: >b
	run_ hprun --shared a b
	status_is 2
	stderr_is 'hprun: --shared: needs one regular file'
	run_ hprun --shared <a
	status_is 2
	for words in --dry-run '--header 1'; do
		# shellcheck disable=SC2086
		run_ hprun --shared $words a
		status_is 2
	done
	run_ hprun --shared --in-place x
	status_is 2
	clean
}

@test "the scratch directory of the job is used, and -T before it" {
	lines 3000 >in
	allocation 127.0.0.1
	mkdir other
	run_ hprun --dry-run in
	stdout_has "work=$PWD/scratch/hprun."
	stdout_has "mkdir -m 700 $PWD/scratch/hprun."
	run_ hprun -T other --dry-run in
	stdout_has "work=$PWD/other/hprun."
	stdout_has "mkdir -m 700 $PWD/other/hprun."
	unset SLURM_TMPDIR
	run_ hprun --dry-run in
	stdout_has "mkdir -m 700 $PWD/tmp/hprun."
}

@test "a resumed run begins again if a node's files are gone" {
	lines 3000 >in
	allocation 127.0.0.1 127.0.0.2
	instead hpmerge <<-'EOF'
		exit 2
	EOF
	run_ hprun --keep kept -o out <in
	status_is 2
	rm -r scratch/*.1
	PATH=$HPBIN:$PATH
	run_ hprun --resume kept -o out </dev/null
	status_is 0
	stderr_is 'hprun: 127.0.0.2: the files of the earlier run are gone; the run begins again'
	sort in | cmp - out
}

# typed_node KEY SECONDS [NAME]: a line of hpprofile --profile-key.
typed_node() {
	jq -nc --arg key "$1" --argjson s "$2" --arg node "${3-x}" '
		{type: "node", $node, $key, points:
		[{n: 1000, seconds: $s}, {n: 100000, seconds: ($s * 100)}]}'
}

# keys: each node has the key "type of" its name; the first two share one.
keys() {
	instead hpprofile <<-'EOF'
		[ "$*" = key ] || exec "$real" "$@"
		case ${SLURMD_NODENAME-} in
		127.0.0.[12]) echo 'slow one, 2 processors' ;;
		*) echo 'fast "one", 8 processors' ;;
		esac
	EOF
}

@test "--profile-key: each node is as fast as the profile of its type" {
	lines 3000 >in
	allocation 127.0.0.1 127.0.0.2 127.0.0.3
	keys
	{
		typed_node 'slow one, 2 processors' 3
		typed_node 'fast "one", 8 processors' 1
		typed_node 'fast "one", 8 processors' 9 y
		jq -nc '{type: "node", node: "z", speed: 1}'
	} >types
	run_ hprun --profile-key types --trace trace -o out in
	status_is 0
	stderr_is ''
	sort in | cmp - out
	# The times are proportional to the records: 1, 1 and 3 parts of five.
	[ "$(jq -rs 'map(select(.step == "merge")) | sort_by(.rank)[].records' \
		trace | paste -sd ' ')" = '600 600 1800' ]
	rm out
	clean
}

@test "--profile-key: a type without a profile is an error that names it" {
	lines 30 >in
	allocation 127.0.0.2 127.0.0.3
	keys
	typed_node 'slow one, 2 processors' 3 >types
	run_ hprun --profile-key types -o out in
	status_is 2
	stderr_is "hprun: $PWD/types: no line has the key 'fast \"one\", 8 processors' of node 127.0.0.3; measure the node with hpprofile --profile-key"
	[ ! -e out ]
	echo '{"type":"node","node":"a","speed":-1}' >types
	run_ hprun --profile-key types -o out in
	status_is 2
	stderr_has "types: line 1: 'speed' must be above 0"
	for words in --dry-run --profile; do
		run_ hprun -C types --profile-key types $words in
		status_is 2
	done
	clean
}
