# What the tests of hprun share: faults, and proofs that nothing is left.
# shellcheck shell=bash disable=SC2154

setup() {
	begin
	mkdir tmp
	TMPDIR=$PWD/tmp
	HP_MARK=$BATS_TEST_TMPDIR
	export TMPDIR
}

# instead PROGRAM: the script on standard input takes the place of a program,
# which it finds as "$real".
instead() {
	[ -d bin ] || {
		mkdir bin
		ln -s "$HPBIN"/* bin/
		cp --remove-destination "$HPBIN/hprun" bin/
	}
	rm "bin/$1"
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

# lines N: as many lines, of few and of many kinds, some equal.
lines() {
	seq "$1" | awk -v OFS='\t' '{ print $1 * 7919 % 1009, $1 * 31 % 7, $1 % 3 "x" }'
}

# hosts NAME...: ./far is as ssh to hosts of these names, on each of which the
# login begins in a directory of its own; the cluster has a node on each.  It is
# itself the shell of the login, of which there are many.
hosts() {
	local host

	cat >far <<-'EOF'
		#!/bin/sh
		[ ! -e "${0%/*}/dead $1" ] || exit 255
		cd "${0%/*}/home/$1" || exit 255
		HOME=$PWD
		export HOME
		shift
		line=$*
		set --
		eval "$line"
	EOF
	chmod +x far
	for host; do
		mkdir -p "home/$host/work; \"x' y"
	done
	jq -nc --arg home "$PWD/home" --arg work "work; \"x' y" '
		$ARGS.positional | to_entries[] | .value as $host |
		{type: "node", node: "on \($host)", $host,
		dir: "\($home)/\($host)/\($work)", speed: (.key + 1)}' \
		--args -- "$@" >cluster
}

# clean: nothing is left on any host.
clean() {
	local left

	nothing_left
	left=$(find home -mindepth 3)
	[ -z "$left" ] || fail 'left on a host:' "$left"
}
