#!/usr/bin/env bats
# The lab itself: that its nodes are machines, slow as they shall be and broken
# as they shall be, and that nothing of it stays.

load ../cmd/common
load lab

# remains NAME: what there still is of a lab.
remains() {
	ls -d /sys/fs/cgroup/"$1" /sys/fs/cgroup/*/"$1" \
		/run/netns/"$1"-* /tmp/"$1" 2>/dev/null || :
	pgrep -af "sshd.*$1" || :
}

setup_file() {
	lab_up a b:cpu=0.2,cpus=0,mem=48M c:disk=4M,rate=20mbit
	export PATH=$LAB_DIR/bin:$PATH
}

teardown_file() {
	lab_down
	[ -z "$(remains "$LAB")" ]
}

@test "nodes are machines of their own, which reach each other by name" {
	for node in a b c; do
		[ "$(ssh $node uname -n)" = $node ]
		[ "$(lab exec $node uname -n)" = $node ]
		lab exec $node sh -c 'uname -n >name'
	done
	[ "$(lab exec hub ssh a 'cat name; ssh b "cat name; ssh c cat name"')" \
		= "$(printf 'a\nb\nc')" ]
	[ ! -e "$LAB_DIR/home/name" ]
	[ "$(lab exec hub pwd)" = "$(ssh c pwd)" ]
	[ "$(ssh c pwd)" = "$LAB_DIR/home" ]
	[ "$(uname -n)" != hub ]
}

@test "input, output and exit status are passed through" {
	[ "$(printf 'b\na\n' | lab exec a sort)" = "$(printf 'a\nb')" ]
	[ "$(printf 'b\na\n' | ssh a sort)" = "$(printf 'a\nb')" ]
	run_ lab exec b sh -c 'echo x >&2; exit 7'
	status_is 7
	stderr_is x
	run_ ssh b exit 9
	status_is 9
}

# stopped: how often b was, at its share.
stopped() {
	cat /sys/fs/cgroup/{,cpu/}"$LAB/b/cpu.stat" 2>/dev/null |
		awk '$1 == "nr_throttled" { print $2 }'
}

@test "cpu: a node gets at most its share of processor time" {
	[ "$(lab exec b nproc)" = 1 ]
	# It may take longer; and may begin with what was not used before.
	# shellcheck disable=SC2016
	spent='TIMEFORMAT="%R %U %S"; time timeout 0.6 sh -c "while :; do :; done"'
	lab exec b bash -c "$spent" 2>spent || :
	awk '{ print "# seconds:", $0
		exit !($2 + $3 < 0.25 * $1 + 0.05 && $2 + $3 > 0) }' spent
	lab set b cpu=0.04
	lab exec b bash -c "$spent" 2>spent || :
	awk '{ print "# seconds:", $0; exit !($2 + $3 < 0.06 * $1 + 0.03) }' spent
	# Others may need the processors, so time says nothing.
	lab set b cpu=
	before=$(stopped)
	lab exec b bash -c "$spent" 2>spent || :
	[ "$(stopped)" -eq "$before" ]
	lab set b cpu=0.2
}

@test "mem: memory beyond the limit goes to swap, or the process is killed" {
	lab exec b sh -c 'head -c 10M /dev/zero | tail -c 9M | wc -c'
	run_ lab exec b tail -c 90M <(head -c 99M /dev/zero)
	[ "$(awk '/^SwapTotal/ { print $2 }' /proc/meminfo)" != 0 ] ||
		status_is 137
	peak=$(cat /sys/fs/cgroup/memory/"$LAB"/b/memory.max_usage_in_bytes \
		/sys/fs/cgroup/"$LAB"/b/memory.peak 2>/dev/null) || :
	[ "$peak" -gt 16000000 ]
	[ "$peak" -le $((48 << 20)) ]
}

@test "disk: a node has a disk of its own, which fills up" {
	run_ lab exec c sh -c 'head -c 8M /dev/zero >big'
	[ "$status" -ne 0 ]
	stderr_has 'No space left on device'
	lab exec c rm big
	lab exec c sh -c 'head -c 3M /dev/zero >big; rm big'
	lab exec a sh -c 'head -c 8M /dev/zero >big; rm big'
	lab set c disk=16M
	lab exec c sh -c 'head -c 8M /dev/zero >big; rm big'
	lab set c disk=4M
}

# milliseconds COMMAND...
milliseconds() {
	local start=${EPOCHREALTIME/./}

	"$@" >/dev/null
	echo $(((${EPOCHREALTIME/./} - start) / 1000))
}

@test "rate: 2.5 MB at 20 Mbit/s take a second, each way" {
	up=$(lab exec c head -c 2500000 /dev/zero |
		milliseconds ssh c "cat >/dev/null")
	down=$(milliseconds ssh c head -c 2500000 /dev/zero)
	echo "# ms: $up $down"
	[ "$up" -gt 900 ]
	[ "$down" -gt 900 ]
	# Without it, ten times as much takes less than it would with it.
	lab set c rate=
	[ "$(milliseconds ssh c head -c 25000000 /dev/zero)" -lt 9000 ]
}

@test "loss: packets are lost, and TCP repeats them" {
	lab set a loss=100%
	run_ ssh -o ConnectTimeout=1 a true
	status_is 255
	lab set a loss=5%
	[ "$(ssh a head -c 300000 /dev/zero | wc -c)" = 300000 ]
	nsenter --net="/run/netns/$LAB-a" nft list ruleset | grep -q numgen
	lab set a loss=
	ssh a true
}

@test "flip: bytes arrive changed, once" {
	lab flip a
	run_ bash -c 'head -c 100000 /dev/zero | ssh a cat'
	status_is 255
	[ "$(head -c 100000 /dev/zero | ssh a wc -c)" = 100000 ]
}

@test "reset: one connection ends" {
	lab reset a
	run_ bash -c 'head -c 100000 /dev/zero | ssh a cat'
	status_is 255
	[ "$(head -c 100000 /dev/zero | ssh a wc -c)" = 100000 ]
}

@test "cut, mend: a connection continues after the cut" {
	(
		echo one
		until [ -e severed ]; do sleep 0.05; done
		echo two
	) | ssh a cat >got 3>&- &
	until grep -qs one got; do sleep 0.05; done
	lab cut a
	: >severed
	[[ "$(lab status)" =~ a\ +10\.77\.0\.1\ +cut\ +up ]]
	sleep 1.2
	[ "$(cat got)" = one ]
	lab mend a
	wait $!
	[ "$(cat got)" = "$(printf 'one\ntwo')" ]
}

@test "part, join: two nodes are disconnected from each other only" {
	lab part a b
	for from in 'a b' 'b a'; do
		# shellcheck disable=SC2086 # words
		set -- $from
		run_ lab exec $1 ssh -o ConnectTimeout=1 $2 true
		status_is 255
		lab exec $1 ssh c true
		lab exec hub ssh $1 true
	done
	lab join a b
	[ "$(lab exec a ssh b 'ssh a uname -n')" = a ]
}

@test "freeze, thaw: the processes of a node stop, and continue" {
	lab exec b sh -c 'while :; do echo; sleep 0.05; done' >got 3>&- &
	until [ -s got ]; do sleep 0.05; done
	lab freeze b
	[[ "$(lab status)" =~ b\ +10\.77\.0\.2\ +up\ +frozen ]]
	size=$(stat -c %s got)
	sleep 0.3
	[ "$(stat -c %s got)" = "$size" ]
	run_ timeout 0.5 ssh b true
	status_is 124
	lab thaw b
	until [ "$(stat -c %s got)" -gt "$size" ]; do sleep 0.05; done
	kill $!
}

@test "kill, boot: all processes of the node end, and its files remain" {
	lab exec a sh -c 'echo kept >file; sleep 100 & sleep 100' 3>&- &
	ssh a sleep 100 3>&- &
	until [ "$(lab pids a | xargs ps -o comm= -p | grep -cx sleep)" -ge 3 ]
	do sleep 0.05; done
	lab kill a
	wait
	run_ lab status
	[[ $output =~ a\ +10\.77\.0\.1\ +up\ +dead\ +0 ]]
	run_ lab exec a true
	status_is 2
	stderr_is 'lab: a: is dead'
	run_ ssh a true
	status_is 255
	lab boot a
	[ "$(ssh a cat file)" = kept ]
}

@test "two labs do not see each other" {
	ssh a touch here
	(
		export LAB=${LAB}x LAB_DIR=${LAB_DIR}x
		lab up a
		[ "$("$LAB_DIR/bin/ssh" a ls)" = '' ]
		lab down
		[ -z "$(remains "$LAB")" ]
	)
	[ "$(ssh a ls here)" = here ]
}

@test "down removes all remains of a lab" {
	(
		export LAB=${LAB}y LAB_DIR=${LAB_DIR}y
		lab up a b:disk=1M
		lab freeze a
		lab exec b sleep 100 3>&- &
		rm -rf "$LAB_DIR/nodes/a" "$LAB_DIR/hosts"
		lab down
		wait $!
		[ -z "$(remains "$LAB")" ]
		[ ! -e "$LAB_DIR" ]
		lab down
	) || [ $? -eq 137 ]
}

@test "a lab that cannot be made leaves one message and no files" {
	export LAB=${LAB}z LAB_DIR=${LAB_DIR}z
	for spec in '' a:speed=1 a:rate=fast a:cpu=0.001 hub A 'a a' \
		a:mem=much; do
		# shellcheck disable=SC2086 # words
		run_ lab up $spec
		status_is 2
		stderr_has 'lab: '
		[ -z "$(remains "$LAB")" ]
		[ ! -e "$LAB_DIR" ]
	done
	mkdir bin
	printf '#!/bin/sh\necho 1000\n' >bin/id
	printf '#!/bin/sh\nexit 1\n' >bin/unshare
	chmod +x bin/*
	PATH=$PWD/bin:$PATH run_ lab up a
	status_is 2
	stderr_is 'lab: must be root'
	rm bin/id
	PATH=$PWD/bin:$PATH run_ lab up a
	status_is 2
	stderr_is 'lab: no right to make namespaces'
	LAB_CGROUP=$PWD run_ lab up a
	status_is 2
	stderr_is 'lab: no control groups'
}

@test "wrong usage is refused" {
	run_ lab --help
	status_is 0
	stdout_has 'lab up SPEC...'
	for args in 'fly' 'cut' 'cut z' 'cut hub' 'part a' 'part a z' 'part a a' \
		'part a hub' 'exec a' 'exec z true' \
		'set a speed=1' 'flip'; do
		# shellcheck disable=SC2086 # words
		run_ lab $args
		status_is 2
		stderr_has 'lab: '
	done
}
