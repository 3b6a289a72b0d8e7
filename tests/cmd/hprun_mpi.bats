#!/usr/bin/env bats
# hprun --transport mpi on this machine.  lab/mpi.bats and lab/hprun_slurm.bats
# have hosts.
# shellcheck shell=bash disable=SC2154
load common
load hprun

setup() {
	with mpi
	[ -z "${HP_SANITIZER-}" ] || skip 'sanitizers change what MPI does'
	begin
	mkdir tmp
	TMPDIR=$PWD/tmp
	HP_MARK=$BATS_TEST_TMPDIR
	export HP_MARK TMPDIR OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	use openmpi
}

# use MPI: its mpirun, and the hpexchange-mpi that was built with it.
use() {
	[ -d bin ] || {
		mkdir bin
		ln -s "$HPBIN"/* bin/
		cp --remove-destination "$HPBIN/hprun" bin/
		PATH=$PWD/bin:$PATH
	}
	mpi=$1
	rm -f bin/hpexchange-mpi
	ln -s "${HPBIN%/bin}/tests/mpi/$1/hpexchange-mpi" bin/
	# Not a link: MPICH looks for its parts beside the program.
	printf '#!/bin/sh\nexec mpirun.%s "$@"\n' "$1" >bin/mpirun
	chmod +x bin/mpirun
}

# fails RANK: the process of this rank fails before it starts MPI.
fails() {
	instead hpexchange-mpi <<-END
		case \$* in
		*/node.$1/*)
			echo 'no network' >&2
			exit 3
			;;
		esac
		exec "${HPBIN%/bin}/tests/mpi/$mpi/hpexchange-mpi" "\$@"
	END
}

@test "every method sorts by Open MPI and by MPICH" {
	lines 3000 >in
	for mpi in openmpi mpich; do
		use $mpi
		while read -r a words; do
			# shellcheck disable=SC2086 # words
			run_ hprun -j 3 --transport mpi --trace trace -a $a \
				$words -o out in
			status_is 0
			stderr_is ''
			# shellcheck disable=SC2086
			sort $words in >want
			same out want
			# One step of the launcher moves all records.
			[ "$(jq -c 'select(.step == "exchange") |
				[.node, .records]' trace)" = '["launcher",3000]' ]
			rm out trace
		done <<-'EOF'
			exact -s -k 2,2n
			psrs -u -k 1,1nr
			pss
			psop
		EOF
	done
	nothing_left
}

@test "the commands of --dry-run sort by MPI" {
	lines 300 >in
	hprun -j 3 --transport mpi --dry-run -o out in >script
	sh script
	sort in | cmp - out
}

@test "hpexchange-mpi computes the checksums, so hpcheck does not read the records again" {
	lines 3000 >in
	# shellcheck disable=SC2016
	instead hpcheck <<<'echo "$*" >>"$HP_MARK/checks"; exec "$real" "$@"'
	run_ hprun -j 3 --transport mpi -o out in
	status_is 0
	sort in | cmp - out
	[ -s "$HP_MARK/checks" ]
	! grep -F -- '--extents extents' "$HP_MARK/checks" ||
		fail "$(cat "$HP_MARK/checks")"
}

@test "an exchange that fails by MPI is repeated by another transport" {
	lines 3000 >in
	sort in >want
	for mpi in openmpi mpich; do
		use $mpi
		fails 1
		run_ hprun -j 3 --transport mpi -o out in
		status_is 0
		stderr_has 'launcher: no network'
		stderr_has \
			'hprun: the exchange by mpi failed; it is repeated by unix'
		same out want
		rm out
	done
	nothing_left
}

@test "a resumed run does not try MPI again if it failed" {
	lines 3000 >in
	fails 2
	instead hpmerge <<<'exit 2'
	run_ hprun -j 3 --transport mpi --keep kept -o out in
	status_is 2
	stderr_has 'it is repeated by unix'
	ln -sf "$HPBIN/hpmerge" bin/
	run_ hprun -j 3 --transport mpi --resume kept -o out in
	status_is 0
	stderr_is ''
	sort in | cmp - out
}

@test "a resumed run does not repeat a finished exchange by MPI" {
	lines 3000 >in
	instead hpmerge <<<'exit 2'
	run_ hprun -j 3 --transport mpi --keep kept -o out in
	status_is 2
	ln -sf "$HPBIN/hpmerge" bin/
	fails 0
	run_ hprun -j 3 --transport mpi --resume kept -o out in
	status_is 0
	stderr_is ''
	sort in | cmp - out
}

@test "without mpirun, the run does not begin" {
	lines 30 >in
	rm bin/mpirun
	run_ env PATH="$PWD/bin" "$PWD/bin/hprun" -j 3 --transport mpi -o out in
	status_is 2
	stderr_has 'mpirun: not found; it starts the exchange (--transport mpi)'
	[ ! -e out ]
}
