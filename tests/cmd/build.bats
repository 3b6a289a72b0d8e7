# The Makefile and tests/deps: what somebody sees who builds from the sources.

load common

# make_ WORD...: in the tree, with its objects in ./b.
make_() {
	[[ $PWD != *' '* ]] || skip 'make bears no blanks'
	run_ env -u MAKEFLAGS PATH="$PWD/bin:$PATH" make -C "$TOP" \
		--no-print-directory BUILD="$PWD/b" "$@"
}

# command_ NAME: standard input becomes a program in PATH.
command_() {
	mkdir -p bin
	cat >"bin/$1"
	chmod +x "bin/$1"
}

# as UID: what deps takes the user for; apt-get only prints its arguments.
as() {
	printf '#!/bin/sh\necho %s\n' "$1" | command_ id
	printf '#!/bin/sh\necho "apt-get $*"\n' | command_ apt-get
}

# deps UID CC GOAL...: with that compiler.
deps() {
	as "$1"
	run_ env PATH="$PWD/bin:$PATH" CC="$2" "$TOP/tests/deps" "${@:3}"
}

# no_libbsd: a compiler, bin/no-bsd, on a machine without libbsd-dev.
no_libbsd() {
	command_ no-bsd <<-'END'
		#!/bin/bash
		for word; do
			[ "$word" != /usr/include/bsd ] || word=/nonexistent
			words+=("$word")
		done
		if [[ " $* " == *' -E '* ]]; then
			text=$(cat)
			[[ $text != *bsd/* ]] || exit 1
			exec cc "${words[@]}" <<<"$text"
		fi
		exec cc "${words[@]}"
	END
}

@test "deps does nothing if all packages are installed" {
	deps 0 cc all check lint demo
	status_is 0
	stdout_is ""
	stderr_is ""
}

@test "deps installs the missing packages of the requested goals" {
	deps 0 false all
	status_is 0
	stdout_has "apt-get update"
	stdout_has "apt-get install -y --no-install-recommends"
	stdout_has libjansson-dev
	[[ $output != *bats* && $output != *clang* ]]
}

@test "deps installs MPI, Slurm and lintian only for the words of WITH" {
	as 0
	# A PATH with all commands but these, which deps must then look for in vain.
	mkdir few
	ln -sf /usr/sbin/* /usr/bin/* /bin/* few
	rm -f few/mpi* few/srun few/slurm* few/munge* few/lintian
	sed 's/^PATH=.*//' "$TOP/tests/deps" >deps.sh
	for word in '' deb mpi slurm 'mpi slurm'; do
		run_ env PATH="$PWD/bin:$PWD/few" WITH="$word" sh deps.sh all
		status_is 0
		asked=$(grep -oE 'libopenmpi-dev|lintian|mpich |slurmctld' <<<"$output" |
			sort | tr -d '\n')
		case $word in
		'') [ "$asked" = '' ] ;;
		deb) [ "$asked" = lintian ] ;;
		mpi) [ "$asked" = 'libopenmpi-devmpich ' ] ;;
		slurm) [ "$asked" = slurmctld ] ;;
		*) [ "$asked" = 'libopenmpi-devmpich slurmctld' ] ;;
		esac || fail "WITH='$word'" "$output"
	done
}

@test "deps refuses an unknown word of WITH" {
	as 0
	run_ env PATH="$PWD/bin:$PATH" WITH='mpi sulrm' "$TOP/tests/deps" all
	status_is 2
	stderr_is 'deps: WITH=sulrm: must be words of deb, mpi, simgrid and slurm'
}

@test "make passes WITH to deps and to the suites" {
	make_ -n check deps WITH='mpi slurm'
	status_is 0
	stdout_has "WITH='mpi slurm'"
	mkdir -p with/tests/cmd
	cp "$TOP/tests/cmd/common.bash" with/tests/cmd
	printf '#!/bin/sh\necho "$LACKS"\n' >with/tests/deps
	chmod +x with/tests/deps
	cat >needs-mpi <<-'END'
		bats_require_minimum_version() { :; }
		skip() { echo "skip $*"; exit; }
		BATS_TEST_DIRNAME=$PWD/with/tests/cmd
		. "$BATS_TEST_DIRNAME/common.bash"
		with mpi
	END
	export LACKS='mpich openmpi'
	WITH='' run_ bash needs-mpi
	stdout_is 'skip only with WITH=mpi, which installs mpich openmpi'
	WITH='slurm mpi' run_ bash needs-mpi
	status_is 1
	# shellcheck disable=SC2016
	stderr_is 'missing: mpich openmpi: run `make deps WITH=mpi`'
	WITH='slurm mpi' LACKS='' run_ bash needs-mpi
	status_is 0
	stdout_is ''
}

@test "deps without the right to install prints the command and fails" {
	deps 1000 false all
	status_is 1
	stdout_is ""
	stderr_has "apt-get install -y --no-install-recommends"
	stderr_has libbsd-dev
}

@test "deps accepts a compiler command of several words" {
	deps 1000 'env LC_ALL=C cc' all
	status_is 0
}

@test "all processors compile, unless -j, MAKEFLAGS or several goals say otherwise" {
	# jobs [WORD...]: what make says of its own jobs.
	jobs() {
		env -u MAKEFLAGS -u MAKELEVEL make -C "$TOP" -pn "$@" 2>/dev/null |
			sed -n 's/^MAKEFLAGS = \(.* \)\?\(-j[0-9]*\).*/\2/p'
	}
	[ "$(jobs)" = "-j$(nproc)" ]
	[ "$(jobs deps tests)" = "-j$(nproc)" ]
	[ "$(jobs -j3)" = -j3 ]
	[ -z "$(jobs clean all)" ]
	[ "$(jobs -j1)" = -j1 ]
	[ "$(MAKEFLAGS=-j3 make -C "$TOP" -pn 2>/dev/null | grep -c '^MAKEFLAGS = .*-j3')" = 1 ]
}

@test "even with -j, nothing is built before deps has finished" {
	as 0
	command_ apt-get <<-'END'
		#!/bin/sh
		sleep 0.3
		printf '#!/bin/sh\nexec cc "$@"\n' >"${0%/*}/late-cc"
		chmod +x "${0%/*}/late-cc"
	END
	make_ -s -j 8 CC=late-cc "$PWD/b/lib/base/err.o" "$PWD/b/lib/base/io.o" \
		deps
	status_is 0
	[ -s b/lib/base/err.o ]
	[ -s b/lib/base/io.o ]
}

@test "everything is recompiled only if deps has installed a package" {
	as 0
	make_ "$PWD/b/lib/base/err.o"
	status_is 0
	make_ "$PWD/b/lib/base/err.o" deps
	status_is 0
	[[ $output != *CC* ]] || fail "$output"
	command_ apt-get <<-'END'
		#!/bin/sh
		printf '#!/bin/sh\nexec cc "$@"\n' >"${0%/*}/late-cc"
		chmod +x "${0%/*}/late-cc"
	END
	make_ CC=late-cc deps "$PWD/b/lib/base/err.o"
	status_is 0
	stdout_has 'CC lib/base/err.c'
}

@test "without a header, make says to run make deps, and compiles nothing" {
	no_libbsd
	make_ CC=no-bsd "$PWD/b/cmd/cmd.o"
	status_is 2
	# shellcheck disable=SC2016
	stderr_has 'missing: libbsd-dev: run `make deps`'
	stdout_is ''
	[ ! -e b/cmd/cmd.o ]
}

@test "a function without a declaration is an error, and make says to run make deps" {
	no_libbsd
	mkdir b
	touch b/ready
	make_ CC=no-bsd "$PWD/b/cmd/cmd.o"
	status_is 2
	stderr_has implicit
	# shellcheck disable=SC2016
	stderr_has 'missing: libbsd-dev: run `make deps`'
	[ ! -e b/cmd/cmd.o ]
}

@test "an integer that becomes a pointer is an error" {
	echo 'char *f(void); char *f(void) { return 1; }' >f.c
	make_ -f "$TOP/Makefile" -C "$PWD" b/f.o BUILD=b
	status_is 2
	[ ! -e b/f.o ]
}

@test "make prints a line for each file that it compiles, and the command with V=1" {
	make_ "$PWD/b/lib/base/err.o"
	status_is 0
	stdout_is 'CC lib/base/err.c'
	stderr_is ''
	rm b/lib/base/err.o
	make_ "$PWD/b/lib/base/err.o" V=1
	stdout_has '-Wall'
	[[ $output != *'CC lib/base/err.c'* ]] || fail "$output"
	rm b/lib/base/err.o
	make_ -s "$PWD/b/lib/base/err.o"
	stdout_is ''
}

@test "hpsim is built if SimGrid is installed, unless SIMGRID is empty" {
	make_ -n SIMGRID=
	status_is 0
	[[ $output != *hpsim* ]] || fail "$output"
	make_ -n SIMGRID=yes
	status_is 0
	stdout_has bin/hpsim
}

@test "hpexchange-mpi is built if mpicc is installed, unless MPICC is empty" {
	make_ -n MPICC=
	status_is 0
	stdout_has bin/hpexchange
	[[ $output != *hpexchange-mpi* ]] || fail "$output"
	make_ -n MPICC=my-mpicc
	status_is 0
	stdout_has bin/hpexchange-mpi
}

@test "without the headers of MPI and SimGrid, no program is built with them" {
	for c in cc-without mpicc mpicc.openmpi mpicc.mpich; do
		command_ "$c" <<-'END'
			#!/bin/sh
			exec cc -nostdinc "$@"
		END
	done
	make_ -n CC=cc-without WITH=
	status_is 0
	stdout_has bin/hpexchange
	[[ $output != */hpexchange-mpi* && $output != */hpsim* ]] ||
		fail "builds for what is not there"
	run_ env PATH="$PWD/bin:$PATH" "$TOP/tests/deps" --with mpi
	stdout_has libopenmpi-dev
	stdout_has libmpich-dev
}

# link_of WORD...: the command that links hpsort, which is not run.
link_of() {
	[[ $HPBIN != *' '* ]] || skip 'make bears no blanks'
	run_ env -u MAKEFLAGS make -C "$TOP" -n V=1 BUILD="${HPBIN%/bin}" \
		-W "${HPBIN%/bin}/lib/sort.a" "$HPBIN/hpsort" "$@"
	status_is 0
	output=$(grep -e '-o [^ ]*/hpsort ' <<<"$output")
}

@test "each program has its version in its first 4 KiB, where agents read it" {
	local p version

	for p in "$HPBIN"/hp*; do
		version=$("$p" --version)
		version=${version##* }
		[ "$(head -c 4 "$p")" = $'\x7fELF' ] || continue
		head -c 4096 "$p" | LC_ALL=C grep -aqP \
			"\x08\0\0\0.\0\0\0\x01\0\0\0hptools\0\Q$version\E\0" || fail "$p"
	done
}

@test "LINK=shared links no library statically; LINK=static, the default, does" {
	link_of LINK=shared
	[[ $output == *-ljansson* && $output != *-static* &&
		$output != *-Bstatic* ]] || fail "$output"
	link_of LINK=static
	want=$output
	[[ $output == *-static* || $output == *-Bstatic* ]] || fail "$output"
	link_of
	stdout_is "$want"
	run_ env -u MAKEFLAGS make -C "$TOP" -n LINK=dynamic
	status_is 2
	stderr_has 'LINK is static or shared'
}

@test "LINK=static loads OpenSSL and muparser at run time; LINK=shared links them" {
	local macro library object call name

	while read -r macro library object call; do
		name=$(readelf -d "$(cc -print-file-name="$library.so")" |
			grep -o "$library\.so[.0-9]*")
		make_ -n V=1 "$PWD/b/$object"
		stdout_has "-D$macro='\"$name\"'"
		make_ -n V=1 LINK=shared "$PWD/b/$object"
		[[ $output != *"-D$macro"* ]] || fail "$output"
		make_ -s LINK=shared "$PWD/b/$object"
		status_is 0
		run_ nm -u "b/$object"
		stdout_has "U $call"
		[[ $output != *dlopen* ]] || fail "$output"
	done <<-'EOF'
		MUPARSER libmuparser lib/cost/expr.o mupEval
		OPENSSL libssl lib/link/openssl.o OPENSSL_init_crypto
		OPENSSL libssl lib/link/tls.o SSL_read_ex
	EOF
}
