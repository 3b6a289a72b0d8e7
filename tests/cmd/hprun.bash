# What the tests of hprun share: faults, and proofs that nothing is left.
# shellcheck shell=bash disable=SC2154

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir tmp
	TMPDIR=$PWD/tmp
	HP_MARK=$BATS_TEST_TMPDIR
	export TMPDIR
}

# instead PROGRAM: the script on standard input takes the place of a program,
# which it finds as "$real".
instead() {
	local p

	mkdir -p bin
	for p in "$HPBIN"/*; do
		[ -e "bin/${p##*/}" ] || ln -s "$p" bin/
	done
	rm "bin/$1" bin/hprun
	cp "$HPBIN/hprun" bin/
	{
		printf '#!/bin/bash\nreal=%q\n' "$HPBIN/$1"
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
	PATH=$PWD/bin:$PATH
}

# The processes that hprun started: its environment is theirs.
left_running() {
	local environ

	# shellcheck disable=SC2013 # one word a line
	for environ in $(grep -lzsx "HP_RUN=$HP_MARK" /proc/[0-9]*/environ); do
		tr '\0' ' ' <"${environ%environ}cmdline" || true
	done 2>/dev/null
	return 0
}

hprun() {
	HP_RUN=$HP_MARK command hprun "$@"
}

# nothing_left: soon, neither a process nor a file nor an output.
nothing_left() {
	local left

	for _ in {1..50}; do
		left=$(left_running; find tmp out -mindepth 0 ! -path tmp \
			2>/dev/null; find . -name '.hprun*')
		[ -n "$left" ] || return 0
		sleep 0.1
	done
	fail "left behind:" "$left"
}
