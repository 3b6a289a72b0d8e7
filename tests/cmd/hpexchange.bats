#!/usr/bin/env bats
# shellcheck shell=bash disable=SC2154,SC2094

load common
load exchange

@test "one node keeps its records" {
	cluster 1
	input 0 1000
	all framed --timeout 60
	arrived
}

@test "two nodes exchange their records" {
	cluster 2
	input 0 1000 2000
	input 1 3000 4000
	all framed --timeout 60
	arrived
}

@test "few files may be open" {
	cluster 3
	input 0 1000 2000 3000
	input 1 3000 4000 5000
	input 2 3000 4000 5000
	for way in framed whole; do
		(
			ulimit -n 48
			all $way --timeout 60
		)
		arrived
	done
}

@test "--most limits what a node sends" {
	cluster 2
	input 0 1000 2000
	input 1 3000 4000
	bytes=$(lines 1 0 3000 | wc -c)
	for way in framed whole; do
		all $way --timeout 60 --most "$bytes"
		arrived
		start $way 0 --timeout 60 --most $((bytes - 1))
		start $way 1 --timeout 60
		ended 0 2
		grep -qx "hpexchange: n1: sends more than $((bytes - 1)) bytes" err.0
		ended 1 3
	done
	run_ hpexchange -C cluster -N 0 --most 0
	status_is 2
	stderr_has "number '0': must be 1 or more"
}

@test "three nodes: one sends no records, one gets none" {
	cluster 3
	input 0 5000 0 100000
	input 1
	input 2 100 0 10
	all framed --timeout 60
	arrived
	[ ! -s got.1 ]
}

@test "five nodes: one has all records" {
	cluster 5
	input 0 40000 30000 20000 10000 5000
	for i in 1 2 3 4; do input $i; done
	all framed --timeout 60
	arrived
}

@test "forty nodes may start at the same time" {
	nodes=40
	printf '%099d\n' $(seq $nodes) >in
	for ((i = 0; i < nodes; i++)); do
		mkdir d$i
		printf '{"type":"node","node":"n%d","dir":"d%d"}\n' $i $i
		for ((j = 0; j < nodes; j++)); do
			printf '{"type":"extent","sublist":%d,"rank":%d,' $j $i
			printf '"offset":%d,"bytes":100,"records":1}\n' $((j * 100))
		done >ext.$i
	done >cluster
	for ((i = 0; i < nodes; i++)); do
		hpexchange -C cluster -N $i -i in -x ext.$i --timeout 60 \
			>got.$i 2>err.$i 3>&- &
		pid[i]=$!
	done
	for ((i = 0; i < nodes; i++)); do
		ended $i 0
		quiet $i
		[ "$(sort -u got.$i)" = "$(sed -n $((i + 1))p in)" ]
		[ "$(wc -l <got.$i)" -eq $nodes ]
	done
}

@test "an exchange without records succeeds" {
	cluster 3
	for i in 0 1 2; do input $i; done
	all framed --timeout 60
	arrived
	for i in 0 1 2; do start whole $i -o from$i --timeout 60; done
	for i in 0 1 2; do
		ended $i 0
		for s in 0 1 2; do
			[ -e from$i.$s ]
			[ ! -s from$i.$s ]
		done
	done
}

@test "records of random sizes between random nodes keep their order" {
	cluster 4
	RANDOM=$((10#$(date +%N) % 32768))
	echo "# RANDOM=$RANDOM" >&3
	for i in 0 1 2 3; do
		input $i $((RANDOM % 9000)) $((RANDOM % 90)) 0 $((RANDOM % 9))
		LC_ALL=C sort -R --random-source=<(yes $RANDOM) in.$i -o in.$i
	done
	all framed --timeout 60
	arrived
}

@test "records longer than a frame are not mixed with others" {
	cluster 3
	for i in 0 1 2; do
		for ((k = 0; k < 3; k++)); do
			for d in a b c; do
				printf '%s of %d: %d ' $d $i $k
				head -c $((1 << 20 | k << 20)) /dev/zero |
					tr '\0' "$i"
				printf '\n'
			done
		done >in.$i
		lines $i 1 1000 >>in.$i
	done
	all framed --timeout 60
	arrived
}

@test "-x sends extents of a file, and -o writes a file for each source" {
	cluster 3
	input 0 1000 2000 3000
	input 1 0 100000 1
	input 2 5 0 0
	for i in 0 1 2; do start whole $i -o from$i. --timeout 60; done
	for i in 0 1 2; do ended $i 0; done
	for i in 0 1 2; do
		for s in 0 1 2; do
			grep "^${letters:i:1}" in.$s >want || :
			same "from$i..$s" want
		done
	done
}

@test "--sums: the checksums of the extents of a file" {
	cluster 3
	input 0 1000 200000 3000
	input 1 0 100000 1
	input 2 5 0 0
	for i in 0 1 2; do
		start whole $i -o from$i. --timeout 60 --sums sums.$i
	done
	for i in 0 1 2; do ended $i 0; done
	for i in 0 1 2; do
		same sums.$i <(hpcheck --sum --extents ext.$i in.$i)
	done
	# Records of a fixed size must be whole.
	for i in 0 1 2; do
		start whole $i -o from$i. --timeout 60 --sums sums.$i -F record:7
	done
	for i in 0 1 2; do ended $i 2; done
	grep -h 'the last record is incomplete' err.0
}

@test "-x sends extents of a file, and standard output gets the records" {
	cluster 3
	input 0 1000 2000 3000
	input 1 0 100000 1
	input 2 5 0 0
	all whole --timeout 60
	arrived
}

@test "framed input is sent, and -o writes a file for each source" {
	cluster 2
	input 0 10 20
	input 1 30 40
	start framed 0 -o p --timeout 60
	start framed 1 -o q --timeout 60
	ended 0 0
	same p.1 <(lines 1 0 30)
	same q.0 <(lines 0 1 20)
	same q.1 <(lines 1 1 40)
}

@test "readers that read one source after the other do not block" {
	cluster 3
	for i in 0 1 2; do
		input $i 150000 150000 150000
		mkfifo from$i.0 from$i.1 from$i.2
	done
	for i in 0 1 2; do
		start whole $i -o from$i --timeout 60
		# Each begins with another source, and none reads ahead.
		for s in $i $(((i + 1) % 3)) $(((i + 2) % 3)); do
			cat from$i.$s
		done >all.$i 3>&- &
	done
	for i in 0 1 2; do ended $i 0; done
	wait
	for i in 0 1 2; do
		want $i >want
		LC_ALL=C sort all.$i >got
		same got want
	done
}

@test "a merge may read while the records still arrive" {
	cluster 3
	for i in 0 1 2; do
		input $i 50000 20000 30000
		LC_ALL=C sort in.$i -o in.$i
		mkfifo from$i.0 from$i.1 from$i.2
	done
	for i in 0 1 2; do
		start whole $i -o from$i --timeout 60
		hpmerge -o all.$i from$i.0 from$i.1 from$i.2 3>&- &
	done
	for i in 0 1 2; do ended $i 0; done
	wait
	for i in 0 1 2; do
		want $i >want
		same all.$i want
	done
}

@test "-N accepts the name of a node" {
	cluster 1
	input 0 10
	run_ bash -c 'hpsplit cut -L sublists -N 0 in.0 |
		hpexchange -C cluster -N n0'
	status_is 0
	stdout_is "$(cat in.0)"
}

@test "by unix sockets: a slow reader is not taken for a dead node" {
	big
	slow_reader
}

@test "--threads 0 and 2 give the same records" {
	local i

	big
	dam from{0..2}.{0..2}
	start whole 0 -o from0 --timeout 60 --threads 0
	start whole 1 -o from1 --timeout 60 --threads 2
	start whole 2 -o from2 --timeout 60
	flooded
	# shellcheck disable=SC2012 # numbers
	[ "$(ls "/proc/${pid[0]}/task" | wc -l)" -eq 1 ]
	# The sanitizer of threads has one of its own.
	# shellcheck disable=SC2012 # numbers
	[ "${HP_SANITIZER-}" = thread ] ||
		[ "$(ls "/proc/${pid[1]}/task" | wc -l)" -eq 2 ]
	kill "${pid[@]}"
	for i in 0 1 2; do ended $i 143; done
	for n in 1 3 two; do
		run_ hpexchange -C cluster -N 0 --threads $n
		status_is 2
		stderr_has "threads '$n': must be 0 or 2"
	done
	for n in 0 2; do
		all framed --timeout 60 --threads $n
		arrived
		all whole --timeout 60 --threads $n
		arrived
	done
}

@test "a killed node is named by all others, which leave no output" {
	big
	dam from0.{0..2} from1.{0..2} from2.0
	for i in 0 1 2; do start whole $i -o from$i --timeout 60; done
	flooded
	kill -9 "${pid[1]}"
	ended 0 3
	ended 2 3
	grep -q '^hpexchange: n1: ' err.0
	grep -q '^hpexchange: n1: ' err.2
	[ ! -e from2.1 ]
	[ ! -e from2.2 ]
	ended 1 137
	empty_dir d0
	empty_dir d2
}

@test "a node that stays frozen is named by all others" {
	big
	held --timeout 4
	kill -STOP "${pid[1]}"
	ended 0 3
	ended 2 3
	grep -q '^hpexchange: n1: silent for 4 s$' err.0
	grep -q '^hpexchange: n1: silent for 4 s$' err.2
	kill -CONT "${pid[1]}"
	ended 1 3
}

@test "the exchange survives a short stop of one node and a longer stop of all" {
	big
	held --timeout 4
	kill -STOP "${pid[1]}"
	sleep 0.5
	kill -CONT "${pid[1]}"
	sleep 0.2
	kill -STOP "${pid[@]}"
	sleep 8
	kill -CONT "${pid[@]}"
	sleep 0.2
	undam
}

@test "a node that never connects is named" {
	cluster 3
	for i in 0 1 2; do input $i 1 1 1; done
	# Who waits for longer hears it from the other.
	start framed 1 --timeout 60
	at_work 1
	start framed 0 --timeout 3
	ended 0 3
	ended 1 3
	grep -q '^hpexchange: n2: not connected after 3 s$' err.0
	grep -q '^hpexchange: n2: not connected after 3 s$' err.1
}

@test "nodes wait for others that start late" {
	cluster 3
	for i in 0 1 2; do input $i 10 10 10; done
	rmdir d2
	start framed 0 --timeout 60
	sleep 0.3
	start framed 1 --timeout 60
	sleep 0.3
	mkdir d2
	start framed 2 --timeout 60
	for i in 0 1 2; do ended $i 0; done
	arrived
}

@test "nodes that do not agree on the cluster refuse each other" {
	cluster 3
	for i in 0 1 2; do input $i 1 1 1; done
	head -n 2 cluster >two
	start framed 0 --timeout 60
	run_ hpexchange -C two -N 1 --timeout 60 -i two -x /dev/null
	# Who is refused first gives up, and may be gone for the other.
	[ "$status" -eq 2 ] || [ "$status" -eq 3 ]
	stderr_has 'another cluster: the nodes are not the same'
	rc=0
	wait "${pid[0]}" || rc=$?
	[ $rc -eq 2 ] || [ $rc -eq 3 ]
	grep -q 'another cluster: the nodes are not the same' err.0
}

@test "all nodes print why a node gave up, even if they connect later" {
	cluster 2
	input 0 10 10
	input 1 10 10
	full() {
		hpsplit cut -L sublists -N 1 in.1 |
			hpexchange -C cluster -N 1 --timeout 60 \
				>/dev/full 2>err.1
	}
	# Who waits for it comes some hundredths of a second later; if he is held
	# up for longer than it stays, then not each time.
	for _ in 1 2 3; do
		start framed 0 --timeout 20
		at_work 0
		start full 1
		ended 1 2
		ended 0 3
		[ "$(cat err.1)" = \
			'hpexchange: standard output: No space left on device' ]
		grep -q ': not connected after' err.0 || break
	done
	[ "$(cat err.0)" = \
		'hpexchange: n1: standard output: No space left on device' ]
}

@test "a reader of the output that exits ends the node without a message" {
	cluster 1
	input 0 300000
	run_ bash -c 'hpsplit cut -L sublists -N 0 in.0 |
		hpexchange -C cluster -N 0 | head -n 1; echo "${PIPESTATUS[1]}"'
	status_is 0
	stdout_is "$(printf 'a of 0: 00000001\n141')"
	stderr_is ''
}

# faulty FAULT I [OPTION...]: a node whose system calls fail, or do less than
# was asked.
faulty() {
	local fault=$1 i=$2

	shift 2
	hpsplit cut -L sublists -N "$i" "in.$i" >"stream.$i"
	exec env LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" \
		HP_FAULT="$fault" HP_FAULT_MARK="$PWD/mark" \
		hpexchange -C cluster -N "$i" "$@" \
		<"stream.$i" >"got.$i" 2>"err.$i"
}

@test "short reads and writes change nothing" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	cluster 3
	for i in 0 1 2; do input $i 3000 100 2000; done
	for i in 0 1 2; do
		faulty short $i --timeout 60 3>&- &
		pid[i]=$!
	done
	for i in 0 1 2; do ended $i 0; done
	arrived
}

# failing FAULT: node 0 of two has it, and node 1 knows it, if they have met.
failing() {
	local rc=0 other=0 way=$1

	rm -rf mark out.*
	faulty "$way" 0 --timeout 60 -o out 3>&- &
	pid[0]=$!
	start framed 1 --timeout 60
	wait "${pid[0]}" || rc=$?
	# Without some memory, of jansson's say, or after another try at a
	# connection, all may go well.
	if [ $rc -eq 0 ]; then
		ended 1 0
		same <(cat out.0 out.1) want
		[ -e mark ] || return 0
		[ "${way%%:*}" != linkat ]
		return
	fi
	[ -e mark ]
	[ $rc -eq 2 ] || [ $rc -eq 3 ]
	grep -q '^hpexchange: ' err.0
	[ -z "$(find . -name 'out.*')" ]
	# Who waits for the first sign of it gets one from the next process.
	hpsplit cut -L sublists -N 0 in.0 |
		hpexchange -C cluster -N 0 --timeout 60 >got.0 2>err.next 3>&- &
	pid[2]=$!
	wait "${pid[1]}" || other=$?
	# Who had got all before may not notice; and by the next one's word it is
	# for good if it knew the one before.
	case $other in
	0 | 3) ;;
	2) grep -q 'another process runs, or ran, as this node' err.1 ;;
	*) fail "status $other" "$(cat err.1)" ;;
	esac
	kill -9 "${pid[2]}" 2>/dev/null || :
	wait "${pid[2]}" || :
	pid=()
}

@test "a failing system call ends the node, and the other nodes say so" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	cluster 2
	input 0 30000 30000
	input 1 30000 30000
	want 0 >want
	for call in read:5 write:28 linkat:5 malloc:12; do
		for n in 1 2 4 8 16; do
			failing ${call%:*}:$n:${call#*:}
			[ -e mark ] || break
		done
		[ "$call$n" != ${call}1 ] || fail "no ${call%:*} was ever made"
	done
}

# A frame that is shorter than there was room for, which was found at the begin of
# the ring, would also have fit at its end.
@test "the last frame is sent even if the window is full and the frame is short" {
	cluster 2
	seq 1000000 | head -c $((31 * 131072 + 24536)) >in
	printf '{"type":"extent","sublist":1,"rank":0,"offset":0,"bytes":%d,"records":1}\n' \
		"$(stat -c %s in)" >ext
	: >none
	mkfifo from.0
	(sleep 0.5; cat) <from.0 >got &
	hpexchange -C cluster -N 0 -i in -x ext >/dev/null &
	hpexchange -C cluster -N 1 -i none -x none -o from
	wait
	same got in
}

# damaged EXPECTED: hpexchange of node 0 refuses the file `stream` with this message.
damaged() {
	run_ hpexchange -C cluster -N 0 <stream
	status_is 2
	stderr_has "hpexchange: standard input: $1"
	empty_dir d0
}

@test "a damaged stream is refused" {
	cluster 1
	input 0 1000
	hpsplit cut -L sublists -N 0 in.0 >good
	size=$(stat -c %s good)
	cp good stream
	printf X | dd of=stream bs=1 seek=500 conv=notrunc status=none
	damaged 'frame 0: checksum differs'
	for n in 0 15 16 40 70 5000 $((size - 72)) $((size - 1)); do
		head -c $n good >stream
		damaged 'cut short'
	done
	cat good good >stream
	damaged 'has data after its end frame'
	cat in.0 >stream
	damaged 'not a framed stream'
	cp good stream
	printf '\1' | dd of=stream bs=1 seek=8 conv=notrunc status=none
	damaged 'framed stream of version 1'
	cp good stream
	printf '\1' | dd of=stream bs=1 seek=30 conv=notrunc status=none
	damaged 'frame 0: the head is damaged'
}

@test "a stream or extents of another node are refused" {
	cluster 2
	input 0 10 10
	hpsplit cut -L sublists -N 1 in.0 >stream
	damaged 'frame 0: was cut on another node'
	hpsplit cut -L sublists -N 1 --extents in.0 >ext
	run_ hpexchange -C cluster -N 0 -i in.0 -x ext
	status_is 2
	stderr_has 'ext: line 1: the extent is of node 1 for sublist 0'
	hpsplit cut -L sublists -N 0 --extents in.0 | sed '2s/"sublist":1/"sublist":2/; G' >ext
	run_ hpexchange -C cluster -N 0 -i in.0 -x ext
	status_is 2
	stderr_has 'ext: line 3: the extent is of node 0 for sublist 2, but this is node 0 of 2'
}

@test "extents that the file does not have are refused" {
	cluster 1
	input 0 10
	x='{"type":"extent","sublist":0,"rank":0,"offset":%s,"bytes":%s,'
	x+='"records":%s}\n'
	bad() {
		# shellcheck disable=SC2059 # the format is a variable
		printf "$x" "${@:2}" >ext
		run_ hpexchange -C cluster -N 0 -i in.0 -x ext
		status_is 2
		stderr_has "$1"
		empty_dir d0
	}
	bad 'ends at byte 201 of a file of' 1 200 1
	bad 'ends at byte' 9007199254740992 9007199254740992 1
	bad 'cannot be 0 records' 0 10 0
	bad 'more records than bytes' 0 1 2
	run_ hpexchange -C cluster -N 0 -i d0 -x /dev/null
	status_is 2
	stderr_has 'd0: not a regular file'
}

@test "extents may be empty, and need not cover the file" {
	cluster 1
	printf 'one\ntwo\nthree\n' >in
	x='{"type":"extent","sublist":0,"rank":0,"offset":%s,"bytes":%s,'
	x+='"records":%s}\n'
	# shellcheck disable=SC2059 # the format is a variable
	printf "$x" 14 0 0 8 6 1 0 4 1 3 0 0 >ext
	run_ hpexchange -C cluster -N 0 -i in -x ext
	status_is 0
	stdout_is "$(printf 'three\none')"
}

@test "the socket is private; a second node in its directory or a long path is refused" {
	long=$(printf '%0100d/%0100d/%0100d' 1 2 3)
	mkdir -p "$long"
	printf '{"type":"node","node":"n%d","dir":"%s%d"}\n' \
		0 "$PWD/$long" 0 1 "$PWD/$long" 1 >cluster
	mkdir "${long}0"
	hpexchange -C cluster -N 0 --timeout 60 -i cluster -x /dev/null \
		2>err.0 3>&- &
	pid[0]=$!
	at_work 0 "${long}0"
	[ "$(stat -c %a "${long}0/exchange.sock")" = 600 ]
	run_ hpexchange -C cluster -N 0 -i cluster -x /dev/null
	status_is 2
	stderr_has 'another hpexchange is running there'
	[ -S "${long}0/exchange.sock" ]
	# What a killed one leaves is no hindrance.
	kill -9 "${pid[0]}"
	ended 0 137
	[ -S "${long}0/exchange.sock" ]
	mkdir "${long}1"
	hpexchange -C cluster -N 1 --timeout 60 -i cluster -x /dev/null 3>&- &
	pid[1]=$!
	run_ hpexchange -C cluster -N 0 -i cluster -x /dev/null --timeout 60
	status_is 0
	empty_dir "${long}0"
	empty_dir "${long}1"
}

@test "a file that is no socket is not removed" {
	cluster 1
	echo precious >d0/exchange.sock
	run_ hpexchange -C cluster -N 0 -i cluster -x /dev/null
	status_is 2
	stderr_has 'exchange.sock: not a socket'
	[ "$(cat d0/exchange.sock)" = precious ]
}

@test "two outputs in one file are refused" {
	local words

	cluster 1
	for words in '--report f --sums ./f' '--report f --trace ./f' '--sums f --trace ./f'; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange -C cluster -N 0 -i cluster -x /dev/null $words
		status_is 2
		set -- $words
		stderr_is "hpexchange: $1 and $3 name the same file: ./f"
		[ ! -e f ]
	done
	# Nor an output in the place of an input, or of received records.
	cp cluster before
	for words in '--trace cluster -o got' '--report cluster -o got' '--sums got.0 -o got' \
		'--trace ./got.12 -o got' '--sums -'; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange -C cluster -N 0 -i in -x /dev/null $words
		status_is 2
		case $words in
		*cluster*) stderr_has 'cluster is an input' ;;
		*) stderr_has 'received records go to' ;;
		esac
	done
	same cluster before
	run_ hpexchange -C cluster -N 0 -i cluster -x /dev/null -o kept/got --resume ./kept
	status_is 2
	stderr_is 'hpexchange: -o kept/got: the directory of --resume is removed at the end'
}

@test "an output may be beside the received records, but not in the place of the key" {
	cluster 1
	head -c 32 /dev/zero >key
	cp key before
	run_ hpexchange -C cluster -N 0 -i in -x /dev/null -o got -t tcp -K key --trace ./key
	status_is 2
	stderr_is 'hpexchange: --trace: ./key is an input'
	same key before
	: >in
	run_ hpexchange -C cluster -N 0 -i in -x /dev/null -o got --trace got.trace
	status_is 0
	[ -s got.trace ]
}

@test "--trace appends a step" {
	cluster 2
	input 0 10 20
	input 1 30 40
	echo '{"type":"step"}' >trace
	all framed --timeout 60 --trace trace
	[ "$(wc -l <trace)" -eq 3 ]
	[ "$(jq -c 'select(.rank == 1) |
		[.node, .step, .records, .bytes, .end_s >= .start_s,
		.start_s > 1e9]' trace)" = \
		"[\"n1\",\"exchange\",60,$(want 1 | wc -c),true,true]" ]
}

@test "--serve connects a login to the node that works in the directory" {
	cluster 2
	run_ hpexchange --serve d0 --timeout 0.2 </dev/null
	status_is 3
	stderr_is 'hpexchange: d0: not connected after 0.2 s'
	# Who called is told in the words of a node: verdict 6.
	hpexchange --serve d0 --timeout 0.2 2>&- </dev/null >answer || :
	[ "$(head -c 8 answer)" = hpexchng ]
	[ "$(od -An -tu4 -j 12 -N 4 answer | tr -d ' ')" = 6 ]
	run_ hpexchange --serve nowhere --timeout 0.2 </dev/null
	status_is 3
	# Who has hung up wants no words.
	run_ bash -c ': | hpexchange --serve d0 --timeout 60'
	status_is 0
	stderr_is ''
	hpexchange -C cluster -N 0 -i cluster -x /dev/null --timeout 60 \
		2>err.0 3>&- &
	pid[0]=$!
	printf 'hpexchng\1\0\0\0\0\0\0\0%32s' '' >hello
	# Who goes away is not waited for; who stays has an answer once the
	# node is there.
	mkfifo caller
	exec 9<>caller
	cat hello >&9
	answer=$(hpexchange --serve d0 --timeout 60 <caller 9>&- | head -c 8)
	exec 9>&-
	[ "$answer" = hpexchng ]
	# The answer comes after our end of file: half of a connection closes.
	run_ bash -c 'cat hello | hpexchange --serve d0 --timeout 60 | head -c 8'
	status_is 0
	stdout_is hpexchng
	kill "${pid[0]}"
	ended 0 143
}

@test "--help and --version print the usage and the version" {
	run_ hpexchange --help
	status_is 0
	stdout_has 'usage: hpexchange'
	run_ hpexchange --version
	status_is 0
	stdout_has 'hpexchange (hptools)'
}

@test "a missing or an extra argument is an error with the usage" {
	cluster 1
	for args in '' '-C cluster' '-N 0' '-C cluster -N 0 extra' \
		'-C cluster -N 0 -i in' '-C cluster -N 0 -x in' '-q' \
		'--serve d0 -N 0' '--serve d0 -t ssh'; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange $args
		status_is 2
		stderr_has 'hpexchange: '
		stderr_has 'usage: hpexchange'
	done
}

@test "options that need or exclude each other are refused" {
	cluster 1
	while IFS=: read -r args what; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange $args
		status_is 2
		stderr_has "hpexchange: $what"$'\nusage: '
	done <<-'EOF'
		-C cluster:-C and -N are needed
		-C cluster -N 0 -i in:-i and -x must be given together
		-C cluster -N 0 -t tcp:-t tcp needs a key: use -K
		-C cluster -N 0 -K key:-K needs -t tcp
		-C cluster -N 0 --resume r:--resume needs -i, -x and -o
		-C cluster -N 0 --sums s:--sums needs -i and -x
		-C cluster -N 0 -F u8:-F and -z are for --sums
		-C cluster -N 0 -z:-F and -z are for --sums
		--serve d0 -N 0:--serve and --free-port exclude all other options
	EOF
	for own in '--serve d0' '--free-port=1'; do
		for args in '-C cluster' '-N 0' '-i in' '-x x' '-o out' \
			'--resume d' '--trace t' '--report r' '-t ssh' '-K key' \
			'--sums s' '--threads 0' '--serve d1 --free-port=2'; do
			# shellcheck disable=SC2086 # words
			run_ hpexchange $own $args </dev/null
			status_is 2
			stderr_has '--serve and --free-port exclude all other options'
		done
	done
}

@test "a rank outside the cluster or a bad timeout is refused" {
	cluster 1
	for args in '-N 1' '-N x' '-N 0 --timeout 0' \
		'-N 0 --timeout x' '-N 0 --timeout 1e9'; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange -C cluster $args </dev/null
		status_is 2
		[ -n "$stderr" ]
	done
	run_ hpexchange -C cluster -N 1 </dev/null
	stderr_is 'hpexchange: rank 1: must be 0 to 0'
}

@test "a cluster without directories is refused" {
	echo '{"type":"node","node":"n0"}' >cluster
	run_ hpexchange -C cluster -N 0
	status_is 2
	stderr_is \
		'hpexchange: n0: has no dir in the cluster'
	echo '{"type":"node","node":"n0","dir":"nowhere"}' >cluster
	run_ hpexchange -C cluster -N 0
	status_is 2
	stderr_has 'nowhere: No such file or directory'
}
