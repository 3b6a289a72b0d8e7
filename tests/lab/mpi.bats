#!/usr/bin/env bats
# hpexchange-mpi between the machines of the lab, started by mpirun over ssh, or
# by srun; and hprun --transport mpi, which starts it so.
# shellcheck shell=bash disable=SC2154

load ../cmd/common
load lab

names=(a b c)

setup_file() {
	export NO_LAB='no lab without MPI'
	[[ " ${WITH-} " != *' mpi '* ]] || lab_up a b c
	[[ -n $NO_LAB || " ${WITH-} " != *' slurm '* ]] || lab slurm
}

teardown_file() {
	lab_down
}

setup() {
	with mpi
	[ -z "$NO_LAB" ] || skip "$NO_LAB"
	[ -z "${HP_SANITIZER-}" ] || skip 'sanitizers change what MPI does'
	begin
	program=${HPBIN%/bin}/tests/mpi/openmpi/hpexchange-mpi
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	for i in 0 1 2; do
		printf '{"type":"node","node":"%s","host":"%s","speed":1}\n' \
			"${names[i]}" "${names[i]}"
		for to in 0 1 2; do
			printf '{"type":"extent","sublist":%d,"rank":%d,' $to $i
			printf '"offset":%d,"bytes":200000,"records":2000}\n' \
				$((to * 200000))
		done >ext.$i
		hpgen -b $((i * 6000)) 6000 >in.$i
	done >cluster
	printf '%s slots=1\n' "${names[@]}" >hosts
}

teardown() {
	[ -n "$NO_LAB" ] || lab mend b || :
	[ -n "$NO_LAB" ] || lab join b c || :
	wait 2>/dev/null || :
}

# exchange SECONDS [OPTION...]: by mpirun on the hub, which may take so long.
exchange() {
	local limit=$1

	shift
	PATH=$LAB_DIR/bin:$PATH lab exec hub timeout -k 3 "$limit" \
		mpirun.openmpi --hostfile "$PWD/hosts" --map-by node \
		--mca plm_rsh_agent "$LAB_DIR/bin/ssh" --mca btl tcp,self \
		--mca btl_tcp_if_include 10.77.0.0/16 \
		--mca oob_tcp_if_include 10.77.0.0/16 -n 3 \
		"$program" -C "$PWD/cluster" -i "$PWD/in.{rank}" \
		-x "$PWD/ext.{rank}" -o "$PWD/from{rank}" "$@" </dev/null
}

# sorts [OPTION...]: hprun on the hub sorts the file all, of 3 MB, by MPI.
sorts() {
	mkdir bin
	ln -s "$HPBIN"/* bin/
	cp --remove-destination "$HPBIN/hprun" bin/
	ln -sf "$program" bin/hpexchange-mpi
	# The nodes share memory, but not the network.
	printf '#!/bin/sh\nexec mpirun.openmpi "$@"\n' >bin/mpirun
	chmod +x bin/mpirun
	hpgen -F gensort 30000 all
	OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=10.77.0.0/16 \
		OMPI_MCA_oob_tcp_if_include=10.77.0.0/16 \
		PATH=$PWD/bin:$LAB_DIR/bin:$PATH lab exec hub hprun \
		-C "$PWD/cluster" --rsh "$LAB_DIR/bin/ssh" --transport mpi \
		--trace "$PWD/trace" -o "$PWD/out" "$@" "$PWD/all" 3>&-
}

# sorted: the result is right, and the nodes keep nothing.
sorted() {
	hpsort all | cmp - out
	for ((tries = 0; tries < 600; tries++)); do
		[ -n "$(find "$LAB_DIR"/nodes/*/home /var/tmp -maxdepth 1 \
			-name 'hprun.*' -newer cluster)" ] || return 0
		sleep 0.1
	done
	fail "$(find "$LAB_DIR"/nodes/*/home -name 'hprun.*')"
}

# arrived: every node has what each other node has for it.
arrived() {
	local i s

	for i in 0 1 2; do
		for s in 0 1 2; do
			tail -c +$((i * 200000 + 1)) in.$s | head -c 200000 >want
			same from$i.$s want
		done
	done
}

# running: prints the processes of the exchange, on all machines.
running() {
	pgrep -f "^$program -C $PWD/cluster" || :
}

@test "by mpirun over ssh, every node has its records" {
	run_ exchange 60
	status_is 0
	arrived
}

@test "if a link is cut, the processes end after the timeout and name the node" {
	mkfifo from0.0
	exchange 40 --timeout 4 >out 2>messages 3>&- &
	pid=$!
	for ((tries = 0; tries < 300; tries++)); do
		[ "$(running | wc -l)" -lt 3 ] || break
		sleep 0.1
	done
	sleep 3
	lab cut b
	# The watchdog's seconds, and some of a busy machine.
	for ((tries = 0; tries < 150; tries++)); do
		[ -n "$(running)" ] || break
		sleep 0.1
	done
	[ -z "$(running)" ] || fail "$(running)"
	[[ $(cat messages) == *' lost node b: silent for 4 s'* ]] ||
		fail "$(cat messages)"
	code=0
	wait $pid || code=$?
	[ $code -ne 0 ]
	lab mend b
	[ -z "$(find . -type f -name 'from*')" ]
}

@test "by srun --mpi=pmix, every node has its records" {
	with slurm
	export SLURM_CONF=$LAB_DIR/slurm/slurm.conf
	# The nodes share memory, but not the network.
	export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=10.77.0.0/16
	run_ timeout -k 3 60 "$TOP/tests/lab/lab" exec hub srun -N3 -n3 \
		--mpi=pmix "$program" -C "$PWD/cluster" -i "$PWD/in.{rank}" \
		-x "$PWD/ext.{rank}" -o "$PWD/from{rank}" 3>&- </dev/null
	status_is 0
	arrived
}

@test "hprun sorts over ssh by MPI" {
	run_ sorts
	status_is 0
	# Open MPI warns if ssh has started before mpirun has set its process group.
	# shellcheck disable=SC2001 # a whole line
	stderr=$(sed '/plm:rsh: Warning: setpgid(.*Permission denied/d' <<<"$stderr")
	stderr_is ''
	sorted
	[ "$(jq -r 'select(.step == "exchange").node' trace)" = launcher ]
}

@test "hprun repeats by tcp what fails by MPI, and a cut link costs one node" {
	lab part b c
	run_ sorts --timeout 6
	status_is 0
	[[ $stderr == *'hpexchange-mpi: b: lost node c: '* ||
		$stderr == *'hpexchange-mpi: c: lost node b: '* ]] || fail "$stderr"
	stderr_has 'the exchange by mpi failed; it is repeated by tcp'
	stderr_has 'its share goes to the others'
	sorted
}
