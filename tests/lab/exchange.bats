#!/usr/bin/env bats
# The exchange between the machines of the lab: what it bears, and what ends
# it.  The faults of tests/lab/faults are at random; these are chosen.

load ../cmd/common
load lab

names=(a b c)

setup_file() {
	lab_up a b c x
}

teardown_file() {
	lab_down
}

# extents_of RANK BYTES RECORDS: a file of that node which has so much for each.
extents_of() {
	local to

	for to in 0 1 2; do
		printf '{"type":"extent","sublist":%d,"rank":%d,' $to "$1"
		printf '"offset":%d,"bytes":%d,"records":%d}\n' \
			$((to * $2)) "$2" "$3"
	done
}

# Each test has the nodes to itself, with nothing in their homes but the key,
# and 2000 records of each node for each other.
setup() {
	local i name

	[ -z "$NO_LAB" ] || skip "$NO_LAB"
	begin
	for i in 0 1 2; do
		name=${names[i]}
		printf '{"type":"node","node":"%s","host":"%s","dir":".",' \
			"$name" "$name"
		printf '"port":7000}\n'
		extents_of $i 200000 2000 >ext.$i
		hpgen -b $((i * 6000)) 6000 >in.$i
		find "$LAB_DIR/nodes/$name/home" -mindepth 1 -delete
		(umask 077 && printf '%040d' 1 >"$LAB_DIR/nodes/$name/home/key")
	done >cluster
}

teardown() {
	[ ${#pid[@]} -eq 0 ] || kill -9 "${pid[@]}" 2>/dev/null || :
	wait 2>/dev/null || :
}

# start RANK [OPTION...]: a node, in the background.
link=(-t tcp -K key)
start() {
	local rank=$1

	shift
	lab exec "${names[rank]}" hpexchange -C "$PWD/cluster" -N "$rank" \
		"${link[@]}" -i "$PWD/in.$rank" -x "$PWD/ext.$rank" "$@" \
		>"got.$rank" 2>"err.$rank" &
	pid[rank]=$!
}

# ended RANK STATUS
ended() {
	local rc=0

	wait "${pid[$1]}" || rc=$?
	[ "$rc" -eq "$2" ] || fail "node $1: status $rc, expected $2" \
		"$(cat "err.$1")"
}

# arrived: every node has what the others have for it, and that only.
arrived() {
	local i s

	for i in 0 1 2; do
		for s in 0 1 2; do
			tail -c +$((i * 200000 + 1)) in.$s | head -c 200000
		done | hpsort -F gensort >want
		hpsort -F gensort got.$i >got
		same got want
	done
}

# from_x COMMAND...: what another machine of the network does.
from_x() {
	timeout 60 "$TOP/tests/lab/lab" exec x "$@" 3>&- || :
}

# listens NODE: waits until it does.
listens() {
	until [ -n "$(lab exec "$1" cat /proc/net/tcp /proc/net/tcp6 |
		awk '$2 ~ /:1B58$/ && $4 == "0A"')" ]; do
		sleep 0.05
	done
}

@test "each foreign connection is refused with one line, and the run continues" {
	local begun=$SECONDS

	start 0 --timeout 60
	start 1 --timeout 60
	listens a
	# Who comes and goes, who talks of something else, and a lot of it.
	from_x bash -c ': >/dev/tcp/a/7000'
	from_x bash -c 'echo GET / HTTP/1.0 >/dev/tcp/a/7000'
	from_x bash -c 'head -c 100000 /dev/urandom >/dev/tcp/a/7000' \
		2>/dev/null
	# Who begins to speak TLS.
	from_x bash -c 'printf "\26\3\1\0\5\1\0\0\1\0" >/dev/tcp/a/7000'
	# Many who say nothing and stay.
	lab exec x bash -c 'for i in {1..100}; do
		exec {fd}<>/dev/tcp/a/7000
	done; sleep 100' &
	pid[9]=$!
	sleep 0.3
	start 2 --timeout 60
	for i in 0 1 2; do ended $i 0; done
	arrived
	grep -q '^hpexchange: refused .*: ' err.0
	# Ten at once, then one a second, with how many were not told of.
	[ "$(wc -l <err.0)" -le $((12 + 2 * (SECONDS - begun))) ]
	[ -z "$(grep -av -e '^hpexchange: refused .*: ' -e '^hpexchange: too many ' \
		-e '^hpexchange: and [0-9]* more like this$' err.0)" ]
	[ ! -s err.1 ]
}

@test "a process that claims to be a node without its key is refused" {
	(umask 077 && printf '%040d' 2 >"$LAB_DIR/nodes/x/home/key")
	start 0 --timeout 60
	start 1 --timeout 60
	listens a
	listens b
	from_x hpexchange -C "$PWD/cluster" -N 2 -t tcp -K key --timeout 10 \
		-i "$PWD/in.2" -x "$PWD/ext.2" >got.x 2>err.x
	grep -q '^hpexchange: .: .*key' err.x
	# Nothing but what was its own.
	head -c 600000 in.2 | tail -c 200000 | cmp -n "$(stat -c %s got.x)" got.x -
	start 2 --timeout 60
	for i in 0 1 2; do ended $i 0; done
	arrived
	grep -qx 'hpexchange: refused [^ ]*10\.77\.0\.4 port [0-9]*: .*key' err.0
	[ "$(cat err.0 err.1 | wc -l)" -le 4 ]
}

@test "a node with another key gets no records, and a message says so" {
	start 0 --timeout 60 -o from
	start 1 --timeout 60 -o from
	listens a
	listens b
	(umask 077 && printf '%040d' 2 >"$LAB_DIR/nodes/c/home/key")
	start 2 --timeout 60 -o from
	for i in 0 1 2; do
		rc=0
		wait "${pid[$i]}" || rc=$?
		[[ $rc =~ ^[23]$ ]]
		grep -q '^hpexchange: .: .*key' err.$i || fail "$(cat err.$i)"
	done
	[ -z "$(find "$LAB_DIR"/nodes/*/home -name 'from*')" ]
}

# sent NODE...: the bytes that they have sent since they are up.
sent() {
	local name

	for name; do
		lab exec "$name" cat /proc/net/dev
	done | awk '/eth0:/ { n += $10 } END { printf "%.0f", n }'
}

# flood [FUNCTION]: 100 MB from each node for each other, in 3.2 s at least;
# meanwhile the function.  How many bytes were sent for it is in $flood.
flood() {
	local i before

	before=$(sent a b c)
	for i in 0 1 2; do
		start $i --timeout 10 -i "$PWD/big" -x "$PWD/big.$i"
	done
	${1:-:}
	for i in 0 1 2; do ended $i 0; done
	flood=$(($(sent a b c) - before))
	for i in 0 1 2; do
		[ "$(stat -c %s got.$i)" = 300000000 ]
	done
}

# opened NODE: how many connections it has opened since it is up.
opened() {
	lab exec "$1" awk '$1 == "Tcp:" && $6 ~ /[0-9]/ { print $6 }' \
		/proc/net/snmp
}

# until_b COMMAND...: waits until it succeeds, or b has ended.
until_b() {
	until "$@" || ! kill -0 "${pid[1]}" 2>/dev/null; do
		sleep 0.05
	done
}

calls_again() {
	[ $(($(opened b) - before)) -ge 4 ]
}

goes_on() {
	[ $(($(sent b) - before)) -gt 1000000 ]
}

# The cable of b is out until it has called each of the others anew, and once
# more; then, how many calls does it take?
outage() {
	local before

	sleep 0.7
	lab cut b
	before=$(opened b)
	until_b calls_again
	before=$(sent b)
	lab mend b
	calls=$(opened b)
	until_b goes_on
	calls=$(($(opened b) - calls))
}

@test "after a cut of the link the exchange reconnects, and repeats few bytes" {
	local name i calls

	for name in a b c; do lab set $name rate=500mbit; done
	head -c 300000000 /dev/urandom >big
	for i in 0 1 2; do extents_of $i 100000000 200 >big.$i; done
	flood
	whole=$flood
	flood outage
	echo "# again after $calls calls; $flood bytes instead of $whole"
	# Of two nodes, and each may come just too late.
	[ "$calls" -le 4 ]
	# To b and from it, 4 MiB a connection at most, which is 2.8 %; and some
	# packets are.
	[ "$flood" -lt $((whole * 105 / 100)) ]
	for name in a b c; do lab set $name rate=; done
}

# calls NODE: how often the others logged in there, as was noted.
calls() {
	grep -c "^$1\$" calls
}

@test "by ssh, a slow host does not get one login after the other" {
	local i begun

	head -c 30000000 /dev/urandom >big
	for i in 0 1 2; do extents_of $i 10000000 100 >big.$i; done
	cat >"$LAB_DIR/bin/noted" <<-EOF
		#!/bin/sh
		echo "\$1" >>'$PWD/calls'
		exec ssh -T "\$@"
	EOF
	chmod +x "$LAB_DIR/bin/noted"
	# A login to c takes about 5 s, or as long as it takes with 0.03 of a
	# processor, on a machine that is fast.
	begun=$EPOCHREALTIME
	lab exec a ssh -T c true
	lab set c cpu="$(awk -v t="$EPOCHREALTIME" -v begun="$begun" \
		'BEGIN { t = (t - begun) / 5; print t > 0.03 ? t : 0.03 }')"
	link=(-t ssh --rsh noted)
	for i in 0 1 2; do
		start $i --timeout 30 -i "$PWD/big" -x "$PWD/big.$i"
	done
	for i in 0 1 2; do ended $i 0; done
	lab set c cpu=
	echo "# logins: $(calls a) $(calls b) $(calls c)"
	for i in 0 1 2; do
		[ "$(stat -c %s got.$i)" = 30000000 ]
	done
	[ "$(calls c)" -le 12 ]
}
