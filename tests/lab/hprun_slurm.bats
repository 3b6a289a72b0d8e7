#!/usr/bin/env bats
# hprun inside allocations of Slurm, which runs on the nodes of the lab.
# shellcheck shell=bash disable=SC2154

load ../cmd/common
load lab

setup_file() {
	export NO_LAB='no Slurm' SLURM_CONF
	# Each test skips in setup, and says what is missing.
	[[ " ${WITH-} " == *' slurm '* ]] && command -v srun slurmctld slurmd \
		munged >/dev/null || return 0
	lab_up a b c d
	[ -n "$NO_LAB" ] || lab slurm
}

teardown_file() {
	lab_down
}

setup() {
	with slurm
	[ -z "$NO_LAB" ] || skip "$NO_LAB"
	[ -z "${HP_SANITIZER-}" ] || skip 'too slow for the time it has'
	begin
	SLURM_CONF=$LAB_DIR/slurm/slurm.conf
	export SLURM_CONF
}

# No test finds a job, a cut link or a file of the one before it, be it failed.
teardown() {
	[ -z "$NO_LAB" ] || return 0
	lab join b c || :
	hub scancel -u root || :
	until_ no_job
	rm -rf "$LAB_DIR"/nodes/*/home/hprun.*
}

hub() {
	timeout 120 "$TOP/tests/lab/lab" exec hub "$@" 3>&-
}

# until_ COMMAND...: waits until it succeeds.  The limit only gives a hanging test
# its message.
until_() {
	local end=$((SECONDS + ${HP_TIMEOUT:-600} / 3))

	until "$@"; do
		[ $SECONDS -lt $end ] || fail "not to be waited for: $*" \
			"$(cat job.out)"
		sleep 0.1
	done
}

# script WORDS...: writes a batch script that becomes this command, in this
# directory.  Its messages are in job.out.
script() {
	printf '#!/bin/sh\ncd %q\nexec %s\n' "$PWD" "$*" >script
	chmod +x script
}

# submit OPTION...: submits the script for all four nodes; sets $job.
submit() {
	job=$(hub sbatch --parsable -N4 --exclusive -o "$PWD/job.out" "$@" \
		"$PWD/script")
}

# state: of the job.
state() {
	hub scontrol show job "$job" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p'
}

is() {
	[ "$(state)" = "$1" ]
}

is_over() {
	[[ "$(state)" =~ COMPLETED|CANCELLED|FAILED|NODE_FAIL ]]
}

# completes: the job ends, and well.
completes() {
	until_ is_over
	is COMPLETED || fail "$(state)" "$(cat job.out)"
}

no_job() {
	[ -z "$(hub squeue -h)" ]
}

# hold_exchange: no exchange ends until `lab join b c`.
hold_exchange() {
	lab part b c
}

# exchanging: all nodes are in the exchange.
exchanging() {
	local name

	for name in a b c d; do
		compgen -G "$LAB_DIR/nodes/$name/home/hprun.*/report" >/dev/null ||
			return 1
	done
}

# nothing_left NODE...: neither a file nor a process of hprun.
nothing_left() {
	local name pid

	for name; do
		[ -z "$(find "$LAB_DIR/nodes/$name/home" -name '*hprun.*')" ] ||
			return 1
		for pid in $(lab pids "$name"); do
			! grep -qsE '^hp(run|sort|exchange|merge)$' \
				"/proc/$pid/comm" || return 1
		done
	done
}

clean() {
	until_ nothing_left a b c d ||
		fail "$(find "$LAB_DIR"/nodes/*/home -name '*hprun.*')"
}

@test "a sort by sbatch over four nodes gives the bytes of sort(1)" {
	hpgen -F gensort 30000 in
	script hprun -a exact --trace trace -o out in
	submit -W
	[ ! -s job.out ] || fail "$(cat job.out)"
	sort in | cmp - out
	[ "$(jq -r 'select(.step == "merge").node' trace | sort | paste -sd ' ')" \
		= 'a b c d' ]
	clean
}

@test "a sort by salloc, with the launcher outside of the allocation" {
	hpgen -F gensort 30000 in
	run_ hub salloc -Q -N3 hprun --trace "$PWD/trace" -o "$PWD/out" "$PWD/in"
	status_is 0
	stderr_is ''
	sort in | cmp - out
	[ "$(jq -r 'select(.step == "sort").node' trace | sort -u | wc -l)" = 3 ]
	clean
}

@test "a sort by sbatch whose exchange is one srun by MPI" {
	with mpi
	mkdir bin
	ln -s "$HPBIN"/* bin/
	cp --remove-destination "$HPBIN/hprun" bin/
	ln -sf "${HPBIN%/bin}/tests/mpi/openmpi/hpexchange-mpi" bin/
	hpgen -F gensort 30000 in
	# Ranks in another order than that of Slurm, and two of them on one node.
	for name in c a d b a; do
		printf '{"type":"node","node":"%s%d","host":"%s","speed":1}\n' \
			$name $((++n)) $name
	done >cluster
	# The nodes share memory, but not the network.
	script env OMPI_MCA_btl=tcp,self \
		OMPI_MCA_btl_tcp_if_include=10.77.0.0/16 \
		bin/hprun --transport mpi -C cluster --trace trace -o out in
	submit -W
	[ ! -s job.out ] || fail "$(cat job.out)"
	sort in | cmp - out
	[ "$(jq -r 'select(.step == "exchange").node' trace)" = launcher ]
	clean
}

# sorted_is_right: the file sorted has the records of big, in order.
sorted_is_right() {
	hpsort -F gensort big | cmp - sorted
	rm sorted
}

@test "the examples of hprun(1) for Slurm sort a file that all nodes see" {
	local line lines

	hpgen -F gensort 30000 big
	ln -s "$TOP/examples" examples
	mapfile -t lines < <(sed -n \
		's/^\.Dl \(s\(alloc\|batch\) .*\)/\1/p' "$TOP/man/hprun.1")
	[ ${#lines[@]} -eq 2 ]
	for line in "${lines[@]}"; do
		# The result is there when the job has ended.
		run_ hub env SBATCH_WAIT=1 bash -c "cd '$PWD' && $line"
		status_is 0
		sorted_is_right
	done
	clean
}

@test "a heterogeneous job sorts on the nodes of all its components" {
	seq 100000 >in
	run_ hub salloc -Q -N1 -c1 : -N2 -c2 hprun -a exact --trace "$PWD/trace" \
		-o "$PWD/out" "$PWD/in"
	status_is 0
	stderr_is ''
	sort in | cmp - out
	# The second component has two processors on each node.
	jq -r 'select(.step == "merge") | [.node, .records > 30000] | @tsv' \
		trace | sort >shares
	printf 'a\tfalse\nb\ttrue\nc\ttrue\n' | diff - shares
	clean
}

@test "one srun exchanges by MPI over all components of a heterogeneous job" {
	with mpi
	# No character of a directory has a meaning for srun.
	bin="$PWD/b %t \"'#\\"
	mkdir "$bin" "t %n \"'#\\"
	ln -s "$HPBIN"/* "$bin"
	cp --remove-destination "$HPBIN/hprun" "$bin"
	ln -sf "${HPBIN%/bin}/tests/mpi/openmpi/hpexchange-mpi" "$bin"
	hpgen -F gensort 30000 in
	# The nodes share memory, but not the network.
	run_ hub env OMPI_MCA_btl=tcp,self \
		OMPI_MCA_btl_tcp_if_include=10.77.0.0/16 \
		salloc -Q -N1 -c1 : -N2 -c2 "$bin/hprun" --transport mpi \
		-T "$PWD/t %n \"'#\\" --trace "$PWD/trace" -o "$PWD/out" "$PWD/in"
	status_is 0
	stderr_is ''
	sort in | cmp - out
	[ "$(jq -r 'select(.step == "exchange").node' trace)" = launcher ]
	for name in b a; do
		printf '{"type":"node","node":"%s","host":"%s"}\n' $name $name
	done >cluster
	run_ hub salloc -Q -N1 -c1 : -N1 -c2 "$bin/hprun" --transport mpi \
		-C "$PWD/cluster" -o "$PWD/out" "$PWD/in"
	status_is 2
	stderr_has 'node a must be before the nodes of later components'
	clean
}

@test "profiles measured by srun serve later jobs on nodes of their types" {
	hpgen -F gensort 30000 in
	hub salloc -Q -N2 srun --ntasks-per-node=1 hpprofile -F gensort \
		--to 10k --runs 1 --profile-key >types
	[ "$(jq -r .key types | sort -u)" = "$(hub hpprofile key)" ]
	run_ hub salloc -Q -N4 hprun -F gensort --profile-key "$PWD/types" \
		-o "$PWD/out" "$PWD/in"
	status_is 0
	stderr_is ''
	hpsort -F gensort in | cmp - out
	clean
}

@test "a job cancelled in the exchange ends in KillWait, and leaves nothing" {
	local begun

	hpgen -F gensort 100000 in
	script hprun -a exact --timeout 300 -o out in
	hold_exchange
	submit
	until_ exchanging
	begun=$SECONDS
	hub scancel "$job"
	clean
	echo "# clean after $((SECONDS - begun)) s" >&3
	# KillWait is 60 seconds, a few of which hprun needs on an idle machine.
	[ $((SECONDS - begun)) -lt 60 ]
	until_ is CANCELLED
	[ ! -e out ]
}

@test "a requeued job continues with --resume" {
	hpgen -F gensort 100000 in
	script hprun --timeout 300 --resume kept --trace trace -o out in
	hold_exchange
	submit --requeue
	until_ exchanging
	hub scontrol requeue "$job"
	until_ is PENDING
	[ ! -e out ]
	lab join b c
	# A node refuses a job that begins in the second in which the node has
	# ended it: `Job credential revoked`.  So it begins in the next one.
	hub scontrol update jobid="$job" StartTime=now+1
	completes
	sort in | cmp - out
	# The sorts were not repeated: all began before the first line of the
	# second run.
	[ "$(jq -r 'select(.step == "sort").node' trace | sort | uniq -c |
		awk '{ print $1 }' | sort -u)" = 1 ]
}

@test "a job with --no-kill loses a node, and the others sort its share" {
	hpgen -F gensort 100000 in
	script hprun -a exact --timeout 180 -o out in
	hold_exchange
	submit --no-kill
	until_ exchanging
	lab kill d
	lab join b c
	until_ [ -e out ]
	grep -q '^hprun: d: .*; its share goes to the others$' job.out
	sort in | cmp - out
	until_ nothing_left a b c
	# Slurm would wait for the node's answer for some minutes.
	hub scontrol update nodename=d state=down reason=killed
}
