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

# soon COMMAND...: repeats the command until it succeeds.  The time limit is
# long, so that even on a slow machine only a command that never succeeds
# reaches it.
soon() {
	local end=$((SECONDS + 150))

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "not to be waited for: $*" || return
		sleep 0.05
	done
}

# nothing_left: soon, neither a process nor a file nor an output.
nothing_left() {
	local left

	soon nothing_is_left || fail "left behind:" "$left"
}

nothing_is_left() {
	left=$(left_running; find tmp out -mindepth 0 ! -path tmp 2>/dev/null
		find . -name '.hprun*')
	[ -z "$left" ]
}

# none_running: nothing that hprun started.
none_running() {
	[ -z "$(left_running)" ]
}

# there_are N FILE...: as many of them.
there_are() {
	local n=$1 file

	shift
	for file; do
		[ ! -e "$file" ] || n=$((n - 1))
	done
	[ "$n" = 0 ]
}

# more_than N FILE: whether the file exists and has more than N lines.
more_than() {
	[ "$(cat -- "$2" 2>/dev/null | wc -l)" -gt "$1" ]
}

# take_away DIRECTORY...: whatever is still put into them.
take_away() {
	until rm -rf -- "$@"; do :; done 2>/dev/null
}

# lines N: as many lines, of few and of many kinds, some equal.
lines() {
	seq "$1" | awk -v OFS='\t' '{ print $1 * 7919 % 1009, $1 * 31 % 7, $1 % 3 "x" }'
}

# hosts NAME...: makes hosts on this machine.  Host NAME is the directory
# home/NAME, and the cluster has a node on each host.  The script ./far takes
# the place of ssh: it runs a command in the directory of a host.  It runs the
# command itself, without another shell, because there are many logins.  It is
# found by PATH, because the directory of the test may have blanks in its name.
# It tests whether the host is dead again after cd: from then on, ./strike can
# find the process by its current directory.
hosts() {
	local host

	cat >far <<-'EOF'
		#!/bin/sh
		# A dead host takes nobody in: what kills all that is on it would
		# else kill this login, which is not on it.
		[ ! -e "${0%/*}/dead $1" ] || exit 255
		cd "${0%/*}/home/$1" || exit 255
		[ ! -e "${0%/*}/dead $1" ] || exit 255
		HOME=$PWD
		export HOME
		shift
		line=$*
		set --
		eval "$line"
	EOF
	chmod +x far
	PATH=$PWD:$PATH
	for host; do
		mkdir -p "home/$host/work; \"x' y"
	done
	jq -nc --arg home "$PWD/home" --arg work "work; \"x' y" '
		$ARGS.positional | to_entries[] | .value as $host |
		{type: "node", node: "on \($host)", $host,
		dir: "\($home)/\($host)/\($work)", speed: (.key + 1)}' \
		--args -- "$@" >cluster
}

# ends_hosts: makes the script ./strike.  `./strike HOST...` marks these hosts
# as dead, and kills all processes whose current directory is on them.
ends_hosts() {
	cat >strike <<-'EOF'
		#!/bin/bash
		there=()
		for host; do
			: >"${0%/*}/dead $host"
			there+=(-o -lname "${0%/*}/home/$host"
				-o -lname "${0%/*}/home/$host/*")
		done
		# Who strikes from there goes on.  All at once, before anybody hears
		# of one of them; then what one of them had just begun.
		cd / || exit
		while pids=$(find /proc/[0-9]*/cwd -maxdepth 0 \
			"(" "${there[@]:1}" ")" 2>/dev/null | cut -d / -f 3)
			[ -n "$pids" ]
		do
			kill -KILL $pids
		done 2>/dev/null
		true # some ended by themselves
	EOF
	chmod +x strike
}

# clean: nothing is left on any host.
clean() {
	nothing_left
	soon hosts_are_clean || fail 'left on a host:' "$(find home -mindepth 3)"
}

hosts_are_clean() {
	[ -z "$(find home -mindepth 3 2>&1)" ]
}

# unknown NAME...: a cluster of nodes of this machine, without speeds.
unknown() {
	jq -nc '$ARGS.positional[] | {type: "node", node: .}' --args -- "$@" >cluster
}

# forget_speeds: no line of the cluster has a speed.
forget_speeds() {
	jq -c 'del(.speed)' cluster >without
	mv without cluster
}

# batches STEP TRACE: how many batches were sent or sorted, and by how many nodes.
# How many each node gets depends on how fast it is.
batches() {
	jq -s -r --arg step "$1" 'map(select(.step == $step).node) |
		"\(length) \(unique | length)"' "$2"
}

# are_many STEP TRACE NODES: each of the nodes has a batch, and one has several.
are_many() {
	local n nodes

	read -r n nodes < <(batches "$1" "$2")
	if [ "$nodes" != "$3" ] || [ "$n" -le "$3" ]; then
		fail "$n batches of $nodes nodes:" "$(cat "$2")"
	fi
}
