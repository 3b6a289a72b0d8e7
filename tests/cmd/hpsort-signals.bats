# hpsort interrupted in each of its phases: it dies of the signal without a
# word, leaves nothing, and what is under the name of the output stays.

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers have memory of their own"
	mkdir d t
	echo old >d/out
	mkfifo input stopped hold
	cat >program <<-'END'
		#!/bin/sh
		# Packs nothing; says so and stops where HOLD wants it.
		exec 2>/dev/null
		stop() {
			echo >stopped
			read -r _ <hold
		}
		case $HOLD$1 in
		pack | unpack-d) stop ;;
		output-d)
			head -c 500000
			stop
			;;
		esac
		exec cat
	END
	chmod +x program
}

teardown() {
	[ -z "${pid-}" ] || kill -KILL -- "-$pid" 2>/dev/null || :
}

# start HOLD OPERAND...: hpsort in a group of processes of its own, as a shell
# with job control starts it.  Of its programs some may say late that they stop:
# a pipe without a reader would end them.
start() {
	exec 9<>stopped
	set -m
	HOLD=$1 env --default-signal=INT,HUP,TERM hpsort -S 8M -T t -o d/out \
		--compress-program=./program "${@:2}" 2>err 3>&- 9>&- &
	pid=$!
	set +m
}

# left [PID]: processes of the group, or this one of them, that do not end.
left() {
	local alive end=$((SECONDS + 150))

	while [ "$SECONDS" -lt "$end" ]; do
		alive=$(ps -eo pgid=,pid=,stat=,args= | awk -v g="$pid" \
			-v p="${1-}" '$1 == g && (p == "" || $2 == p) &&
			$3 !~ /^Z/')
		[ -n "$alive" ] || return 0
		sleep 0.05
	done
	echo "$alive"
}

# dies SIGNAL [alone]: the group gets it, as by Ctrl-C, or hpsort alone.
dies() {
	local rc=0 alive

	if [ "${2-}" = alone ]; then
		kill -s "$1" "$pid"
	else
		kill -s "$1" -- "-$pid"
	fi
	alive=$(left "$pid")
	[ -z "$alive" ] || fail "not dead: $alive"
	wait "$pid" || rc=$?
	[ "$rc" -eq $((128 + $(kill -l "$1"))) ] || fail "status $rc" "$(cat err)"
	[ ! -s err ] || fail "it says: $(cat err)"
	# Programs that stopped go on, and find that nobody is there.
	exec 8<>hold
	seq 100 >&8
	alive=$(left)
	exec 8>&- 9>&-
	[ -z "$alive" ] || fail "left: $alive"
	pid=
	[ "$(cat d/out)" = old ] && [ "$(ls -A d)" = out ]
	empty_dir t
}

# written: bytes of the output, which has no name yet, or one of its own.
written() {
	local fd

	for fd in "/proc/$pid/fd"/*; do
		case $(readlink "$fd") in
		"$PWD"/d/*) stat -L -c %s "$fd" ;;
		esac
	done | awk '{ n += $1 } END { print n + 0 }'
}

# in_phases SIGNAL [alone]
in_phases() {
	local end

	[ -e f ] || hpgen -a 200000 f
	# It reads.
	start none input
	exec 7>input
	head -n 9 f >&7
	dies "$@"
	exec 7>&-
	# The first run is written.
	start pack f
	read -r _ <&9
	dies "$@"
	# The runs are merged,
	start unpack f
	read -r _ <&9
	dies "$@"
	# to the output.
	start output f
	read -r _ <&9
	end=$((SECONDS + 150))
	until [ "$(written)" -gt 0 ] || [ "$SECONDS" -ge "$end" ]; do
		sleep 0.05
	done
	[ "$(written)" -gt 0 ]
	dies "$@"
}

@test "Ctrl-C in each phase: the whole group gets SIGINT" {
	in_phases INT
}

@test "the terminal is closed in each phase: the whole group gets SIGHUP" {
	in_phases HUP
}

@test "SIGTERM to hpsort alone in each phase: its programs end by themselves" {
	in_phases TERM alone
}

@test "a signal that is ignored stays so: nohup, and & without job control" {
	hpgen -a 200000 f
	sort f >expected
	exec 9<>stopped
	(
		trap '' INT HUP
		HOLD=pack exec hpsort -S 8M -T t -o d/out \
			--compress-program=./program f 2>err 3>&- 9>&-
	) &
	pid=$!
	read -r _ <&9
	kill -INT "$pid"
	kill -HUP "$pid"
	exec 8<>hold
	seq 100 >&8
	wait "$pid"
	pid=
	exec 8>&- 9>&-
	same d/out expected
}
