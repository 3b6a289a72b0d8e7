#!/usr/bin/env bats
# Links that are cut while hprun's nodes exchange, in the lab: the right host
# goes, or none.

load ../cmd/common
load lab

TIMEOUT=10
# From what breaks to the message, beyond the timeout; on an idle machine it is
# below 5 seconds.
: "${GRACE:=20}"

setup_file() {
	# The exchange takes some seconds.
	lab_up {a,b,c,d}:rate=4mbit
}

teardown_file() {
	lab_down
}

setup() {
	local i=3 name

	[ -z "$NO_LAB" ] || skip "$NO_LAB"
	[ -z "${HP_SANITIZER-}" ] || skip 'too slow for the time it has'
	begin
	hub=$LAB_DIR/nodes/hub/home
	# d has the smallest share.
	for name in a b c d; do
		printf '{"type":"node","node":"%s","host":"%s","dir":"%s","speed":%d}\n' \
			$name $name "$LAB_DIR/home" $((i-- + 3))
	done >"$hub/cluster"
	hpgen -F gensort 60000 "$hub/input"
	rm -f "$hub/sorted"
}

teardown() {
	[ -z "$NO_LAB" ] || return 0
	[ -z "${pid-}" ] || kill -9 "$pid" 2>/dev/null || :
	wait 2>/dev/null || :
	for name in a c d; do lab join b $name; done
	lab thaw b
}

# exchanging WAY: a run is in its exchange.
exchanging() {
	lab exec hub hprun -a exact -C cluster -F gensort --transport "$1" \
		--timeout $TIMEOUT -o sorted input 2>err &
	pid=$!
	# Each hpexchange begins with an empty report.
	for name in a b c d; do
		until compgen -G "$LAB_DIR/nodes/$name/home/hprun.*/report" \
			>/dev/null; do
			kill -0 $pid || fail "it has ended: $(cat err)"
			sleep 0.02
		done
	done
	sleep 0.3
	struck=$(date +%s%N)
}

# told MESSAGE: it comes in time, and the result is right without the node.
told() {
	local ms

	until grep -q "^hprun: .*; its share" err; do
		kill -0 $pid || fail "it has ended: $(cat err)"
		sleep 0.1
	done
	ms=$((($(date +%s%N) - struck) / 1000000))
	echo "# told after $ms ms" >&3
	[ $ms -le $(((TIMEOUT + GRACE) * 1000)) ] || fail "after $ms ms"
	[ "$(grep -c '; its share' err)" = 1 ]
	grep "$1; its share goes to the others\$" err || fail "$(cat err)"
	right
}

# right: the run ends well.
right() {
	local rc=0

	wait $pid || rc=$?
	pid=
	[ $rc = 0 ] || fail "status $rc" "$(cat err)"
	[ "$(hpcheck -F gensort "$hub/sorted" | jq -c '[.records, .sorted]')" = \
		'[60000,true]' ]
}

nobody_goes() {
	! grep '; its share' err || fail "$(cat err)"
}

@test "one link is cut: one of its ends is dropped, by tcp and by ssh" {
	for way in tcp ssh; do
		exchanging $way
		lab part b d
		told 'hprun: d: no link to b (.*)'
		lab join b d
	done
}

@test "a node that reaches only the launcher is dropped" {
	local cuts=()

	exchanging tcp
	# At once: who decides waits 12 s for each link, and then not for the others.
	for name in a c d; do
		lab part b $name &
		cuts+=($!)
	done
	wait "${cuts[@]}"
	told 'hprun: b: no link to . and 2 others (.*)'
}

@test "a freeze shorter than the timeout costs nobody, by tcp and by ssh" {
	for way in tcp ssh; do
		exchanging $way
		lab freeze b
		sleep 1.8
		lab thaw b
		right
		nobody_goes
	done
}

@test "a link that is cut for less than the timeout costs nobody" {
	exchanging tcp
	lab part b d
	sleep 3
	lab join b d
	right
	nobody_goes
}
