# What the suites that use MPI share: openmpi or mpich, in $mpi.  Loaded after
# common and exchange.
# shellcheck shell=bash disable=SC2154

# Each of the suites hpexchange-mpi-*.bats is the same file.
mpi=${BATS_TEST_FILENAME##*-}
mpi=${mpi%.bats}

setup() {
	with mpi
	[ "${HP_SANITIZER-}" != thread ] || skip 'MPI is not made for TSan'
	PATH=${HPBIN%/bin}/tests/mpi/$mpi:$PATH
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	# MPI itself does not free all of its memory.
	export ASAN_OPTIONS=detect_leaks=0
	begin
	# rank.sh COMMAND...: with $rank; notes the process of the rank.
	cat >rank.sh <<-'END'
		rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
		export rank
		echo $$ >pid.new.$rank
		mv pid.new.$rank pid.$rank
		exec "$@"
	END
}

# mpirun_ N COMMAND...: as N processes.  No test waits longer than 120 s.
mpirun_() {
	local n=$1

	shift
	case $mpi in
	openmpi) set -- mpirun.openmpi --oversubscribe -n "$n" sh rank.sh "$@" ;;
	mpich) set -- mpirun.mpich -n "$n" sh rank.sh "$@" ;;
	esac
	timeout -k 5 120 "$@" </dev/null
}

# parts_of N [OPTION...]: all nodes on the extents of in.N, to the files from.N.*.
parts_of() {
	local i

	for ((i = 0; i < $1; i++)); do extents "$i"; done
	mpirun_ "$1" hpexchange-mpi -C cluster -i 'in.{rank}' -x 'ext.{rank}' \
		-o 'from{rank}' --timeout 60 "${@:2}"
}

# started RANK: waits until the process of that rank runs hpexchange-mpi, and
# prints its number.
started() {
	local tries=0

	until [ -e "pid.$1" ] &&
		[ "$(cat "/proc/$(cat "pid.$1")/comm")" = hpexchange-mpi ]; do
		[ $((tries += 1)) -lt 600 ] || return
		sleep 0.05
	done
	cat "pid.$1"
}

# nothing_left: no output has appeared, and all processes end.
nothing_left() {
	local i tries=0

	[ -z "$(find . -type f -name 'from*')" ] || fail "$(ls)"
	for i in pid.*; do
		while kill -0 "$(cat "$i")" 2>/dev/null; do
			[ $((tries += 1)) -lt 100 ] || fail "$i still runs"
			sleep 0.05
		done
	done
}
