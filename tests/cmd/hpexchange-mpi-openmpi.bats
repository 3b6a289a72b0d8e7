#!/usr/bin/env bats
# hpexchange-mpi with Open MPI.  hpexchange-mpi-mpich.bats is a link to this file,
# and runs the tests with MPICH.
# shellcheck shell=bash disable=SC2094,SC2154

load common
load exchange
load mpi

# random_input N: for each of N nodes, lines of every node in random numbers.
random_input() {
	local i j

	RANDOM=$((10#$(date +%N) % 32768))
	echo "# RANDOM=$RANDOM" >&3
	for ((i = 0; i < $1; i++)); do
		for ((j = 0; j < $1; j++)); do
			lines "$i" "$j" $((RANDOM % 30000 * (RANDOM % 4)))
		done >"in.$i"
	done
}

@test "files of extents: the outputs are those of hpexchange" {
	cluster 4
	random_input 4
	run_ parts_of 4
	status_is 0
	stderr_is ''
	for i in 0 1 2 3; do start whole $i -o want$i --timeout 60; done
	for i in 0 1 2 3; do ended $i 0; done
	for i in 0 1 2 3; do
		for s in 0 1 2 3; do same from$i.$s want$i.$s; done
	done
}

@test "framed streams: each node gets its records, in the order of each sender" {
	cluster 3
	random_input 3
	# shellcheck disable=SC2016
	run_ mpirun_ 3 sh -c 'hpsplit cut -L sublists -N $rank in.$rank |
		hpexchange-mpi -C cluster --timeout 60 >got.$rank'
	status_is 0
	stderr_is ''
	arrived
}

@test "an exchange may have one node, nodes without records, or no records" {
	cluster 1
	input 0 1000
	run_ parts_of 1
	status_is 0
	same from0.0 in.0
	rm -f ext.*
	cluster 3
	input 0 5000 0 100
	input 1
	input 2 0 0 7
	run_ parts_of 3
	status_is 0
	for i in 0 1 2; do
		for s in 0 1 2; do
			lines $s $i "$(grep -c "^${letters:i:1}" in.$s || :)" >want
			same from$i.$s want
		done
	done
	rm -f ext.*
	for i in 0 1 2; do input $i; done
	run_ parts_of 3
	status_is 0
	[ ! -s from0.0 ] && [ ! -s from2.1 ]
}

@test "a part may be above 64 MiB, and the window have 1 byte to 32 MiB" {
	cluster 2
	for i in 0 1; do
		hpgen -a 720000 >in.$i
		printf '{"type":"extent","sublist":%d,"rank":%d,"offset":0,"bytes":%d,"records":720000}\n' \
			$((1 - i)) $i "$(stat -c %s in.$i)" >ext.$i
	done
	for window in 1b 3M 32M; do
		run_ parts_of 2 --window $window
		status_is 0
		same from0.1 in.1
		same from1.0 in.0
		[ ! -s from0.0 ]
	done
}

@test "records longer than a frame are not mixed with others" {
	cluster 3
	for i in 0 1 2; do
		for d in a b c; do
			for k in 0 1; do
				printf '%s of %d: ' $d $i
				head -c $((1 << 20 | k << 20)) /dev/zero | tr '\0' $i
				echo
			done
			lines $i 1 1000
		done | LC_ALL=C sort >in.$i
		extents $i
	done
	# shellcheck disable=SC2016
	run_ mpirun_ 3 sh -c 'hpsplit cut -L sublists -N $rank in.$rank |
		hpexchange-mpi -C cluster --timeout 60 >got.$rank'
	status_is 0
	arrived
}

@test "a merge behind the exchange reads the records as they arrive" {
	cluster 3
	random_input 3
	for i in 0 1 2; do mkfifo from$i.{0,1,2}; done
	for i in 0 1 2; do
		hpmerge from$i.{0,1,2} >got.$i 3>&- &
		pid[i]=$!
	done
	run_ parts_of 3
	status_is 0
	for i in 0 1 2; do
		ended $i 0
		want $i >want
		same got.$i want
	done
}

@test "a reader that is slower than the timeout is not silent" {
	cluster 2
	input 0 0 300000
	input 1
	mkfifo from1.0
	(
		exec <from1.0
		sleep 4
		exec cat
	) >got 3>&- &
	pid[0]=$!
	run_ parts_of 2 --timeout 1
	status_is 0
	ended 0 0
	want 1 >want
	same got want
}

@test "the trace has a line of each node" {
	cluster 2
	input 0 10 20
	input 1 30 40
	run_ parts_of 2 --trace trace
	status_is 0
	[ "$(jq -sc 'sort_by(.rank) | map([.node, .step, .records])' trace)" = \
		'[["n0","exchange",40],["n1","exchange",60]]' ]
}

@test "--sums: the checksums of the extents of a file" {
	cluster 3
	input 0 1000 200000 3000
	input 1 0 100000 1
	input 2 5 0 0
	run_ parts_of 3 --sums 'sums.{rank}'
	status_is 0
	for i in 0 1 2; do
		same sums.$i <(hpcheck --sum --extents ext.$i in.$i)
	done
	# Records of a fixed size must be whole.
	rm sums.*
	run_ parts_of 3 --sums 'sums.{rank}' -F record:7
	[ "$status" -ne 0 ]
	stderr_has 'the last record is incomplete'
	[ ! -e sums.0 ]
	run_ hpexchange-mpi -C cluster --sums sums
	status_is 2
	stderr_has 'hpexchange-mpi: --sums needs -i and -x'
	run_ hpexchange-mpi -C cluster -i in.0 -x ext.0 --sums f --trace f
	status_is 2
	stderr_is 'hpexchange-mpi: --sums and --trace name the same file: f'
	run_ hpexchange-mpi -C cluster -i in.0 -x ext.0 -o got --sums got.1
	status_is 2
	stderr_is 'hpexchange-mpi: --sums: received records go to got.1'
}

@test "the number of processes must be that of the nodes" {
	cluster 3
	for i in 0 1 2; do input $i 10; done
	run_ parts_of 2
	[ "$status" -ne 0 ]
	stderr_has 'cluster has 3 nodes, but MPI has started 2 processes'
	nothing_left
}

@test "the mpirun of another MPI is an error, also with one node" {
	local other=mpich

	[ $mpi = mpich ] && other=openmpi
	cluster 1
	lines 0 0 10 >in.0
	extents 0
	run_ timeout -k 5 60 mpirun.$other -n 2 hpexchange-mpi -C cluster \
		-i in.0 -x ext.0 -o from0 </dev/null
	[ "$status" -ne 0 ]
	stderr_has 'mpirun has started 2 processes, but none sees the others'
	[ ! -e from0.0 ]
}

@test "nodes with different clusters refuse each other" {
	cluster 2
	for i in 0 1; do input $i 10; extents $i; done
	mkdir other
	sed s/n1/n2/ cluster >other/cluster
	# shellcheck disable=SC2016
	run_ mpirun_ 2 sh -c 'cd $1; cd "$(echo . other | cut -d " " -f $((rank + 1)))"
		exec hpexchange-mpi -C cluster -i "$1/in.$rank" -x "$1/ext.$rank" \
		    -o "$1/from$rank" --timeout 20' sh "$PWD"
	[ "$status" -ne 0 ]
	stderr_has 'another cluster: the nodes are not the same'
	nothing_left
}

@test "a missing input ends all nodes, and each names the node that lacks it" {
	cluster 3
	for i in 0 1 2; do input $i 10 10 10; extents $i; done
	rm in.1
	run_ parts_of 3
	[ "$status" -ne 0 ]
	stderr_has 'hpexchange-mpi: n1: in.1: No such file'
	stderr_has 'hpexchange-mpi: n0: lost node n1: in.1: No such file'
	stderr_has 'hpexchange-mpi: n2: lost node n1: in.1: No such file'
	nothing_left
}

@test "a damaged input stream ends all nodes, and each names the node that read it" {
	cluster 3
	for i in 0 1 2; do
		input $i 1000 1000 1000
		hpsplit cut -L sublists -N $i in.$i >stream.$i
	done
	printf X | dd of=stream.2 bs=1 seek=5000 conv=notrunc status=none
	# shellcheck disable=SC2016
	run_ mpirun_ 3 sh -c 'hpexchange-mpi -C cluster -o from$rank <stream.$rank'
	[ "$status" -ne 0 ]
	stderr_has 'hpexchange-mpi: n2: standard input: '
	stderr_has 'hpexchange-mpi: n0: lost node n2: standard input: '
	nothing_left
}

# flips BYTE: flip.so changes that byte of the first long message of rank 1.
flips() {
	[ -z "${HP_SANITIZER-}" ] || skip 'sanitizers do not bear a preload'
	cat >flip.c <<-END
		#include <mpi.h>
		#include <stdlib.h>
		#include <string.h>
		int MPI_Issend(const void *b, int n, MPI_Datatype t, int to, int tag,
		    MPI_Comm c, MPI_Request *r)
		{
			static int done;
			if (n > 4096 && !done && !strcmp(getenv("rank"), "1")) {
				((char *)b)[$1] ^= 1;
				done = 1;
			}
			return PMPI_Issend(b, n, t, to, tag, c, r);
		}
	END
	"mpicc.$mpi" -w -shared -fPIC -o flip.so flip.c
}

@test "a byte that changes on the network is detected, in the header and in the payload" {
	local byte

	cluster 2
	for i in 0 1; do input $i 1000 1000; done
	for byte in 0 13 24 40 48 9999; do
		flips $byte
		LD_PRELOAD='' run_ parts_of 2
		status_is 0
		rm from*
		# shellcheck disable=SC2016
		run_ mpirun_ 2 env LD_PRELOAD="$PWD/flip.so" hpexchange-mpi -C cluster \
			-i 'in.{rank}' -x 'ext.{rank}' -o 'from{rank}'
		[ "$status" -ne 0 ] || fail "byte $byte"
		stderr_has 'hpexchange-mpi: n0: n1: '
		nothing_left
	done
}

@test "Open MPI sends over TCP without PUT, unless the user sets its flags" {
	[ -z "${HP_SANITIZER-}" ] || skip 'sanitizers do not bear a preload'
	cat >flags.c <<-'END'
		#include <mpi.h>
		#include <stdio.h>
		#include <stdlib.h>
		int MPI_Init_thread(int *n, char ***v, int level, int *got)
		{
			FILE *f = fopen("flags", "w");
			fprintf(f, "%s\n", getenv("OMPI_MCA_btl_tcp_flags"));
			fclose(f);
			return PMPI_Init_thread(n, v, level, got);
		}
	END
	"mpicc.$mpi" -w -shared -fPIC -o flags.so flags.c
	cluster 1
	input 0 10
	extents 0
	for flags in 9 11; do
		run_ mpirun_ 1 env LD_PRELOAD="$PWD/flags.so" hpexchange-mpi \
			-C cluster -i in.0 -x ext.0 -o from
		status_is 0
		[ "$(cat flags)" = $flags ]
		export OMPI_MCA_btl_tcp_flags=11
	done
}

# hanging N [OPTION...]: starts an exchange in the background that waits for the
# reader of from0.0, which never comes; its status goes to status, its messages
# to messages.  All nodes have started when it returns.
hanging() {
	local i

	cluster "$1"
	for ((i = 0; i < $1; i++)); do input $i 1000 1000 1000; done
	mkfifo from0.0
	{
		run_ parts_of "$@"
		printf '%s\n' "$stderr" >messages
		echo "$status" >status
	} 3>&- &
	pid[0]=$!
	for ((i = 0; i < $1; i++)); do
		started $i >/dev/null || fail "rank $i does not run"
	done
	sleep 1
}

@test "a killed node ends all nodes" {
	hanging 3
	kill -9 "$(started 1)"
	wait "${pid[0]}"
	[ "$(cat status)" -ne 0 ]
	nothing_left
}

@test "a node that is stopped for good is named after the timeout" {
	hanging 3 --timeout 3
	SECONDS=0
	stopped=$(started 2)
	kill -STOP "$stopped"
	wait "${pid[0]}"
	kill -CONT "$stopped" 2>/dev/null || :
	[ "$(cat status)" -ne 0 ]
	grep -E '^hpexchange-mpi: n[01]: lost node n2: silent for 3 s$' messages ||
		fail "$(cat messages)"
	! grep -E 'lost node n[01]' messages || fail "$(cat messages)"
	nothing_left
}

@test "a node that is stopped for less than the timeout is not lost" {
	hanging 3 --timeout 6
	stopped=$(started 2)
	kill -STOP "$stopped"
	sleep 2
	kill -CONT "$stopped"
	cat from0.0 >got
	wait "${pid[0]}"
	[ "$(cat status)" -eq 0 ] || fail "$(cat messages)"
	lines 0 0 1000 >want
	same got want
}

@test "a process that never calls MPI is named after the timeout" {
	cluster 2
	for i in 0 1; do input $i 10 10; extents $i; done
	# shellcheck disable=SC2016
	run_ mpirun_ 2 sh -c '[ $rank = 0 ] || exec sleep 60
		exec hpexchange-mpi -C cluster -i in.0 -x ext.0 -o from --timeout 2'
	[ "$status" -ne 0 ]
	stderr_has 'hpexchange-mpi: MPI_Init: not all processes have called it after 2 s'
	nothing_left
}

@test "a full disk ends all nodes, and each names the node" {
	small_disk 1
	cluster 2
	input 0 0 100000
	input 1
	for i in 0 1; do extents $i; done
	# shellcheck disable=SC2016
	run_ mpirun_ 2 sh -c 'exec hpexchange-mpi -C cluster -i in.$rank \
		-x ext.$rank -o "small/from$rank"'
	find small -type f >left
	umount small
	[ "$status" -ne 0 ]
	stderr_has 'hpexchange-mpi: n1: small/from1.0: No space left on device'
	stderr_has 'hpexchange-mpi: n0: lost node n1: small/from1.0: No space left'
	[ ! -s left ]
	nothing_left
}

@test "a reader of standard output that exits ends all nodes" {
	cluster 2
	input 0 0 300000
	input 1
	for i in 0 1; do extents $i; done
	# shellcheck disable=SC2016
	run_ mpirun_ 2 sh -c 'hpexchange-mpi -C cluster -i in.$rank -x ext.$rank |
		if [ $rank = 1 ]; then head -n 1; else cat; fi'
	# MPICH itself writes to standard output, too.
	[ "$(head -n 1 <<<"$output")" = "$(lines 0 1 1)" ]
	stderr_has 'hpexchange-mpi: n0: lost node n1: standard output: Broken pipe'
	[[ $stderr != *hpexchange-mpi:\ n1* ]] || fail "$stderr"
}
