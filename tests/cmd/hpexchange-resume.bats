#!/usr/bin/env bats
# What becomes of an exchange when one of its processes is killed, and another
# one takes its place.
# shellcheck shell=bash disable=SC2154,SC2094

load common
load exchange
load secure

# many NODES MB: all nodes have one file of random bytes, of which each gets an
# equal share; it takes long enough to be struck meanwhile.
many() {
	local i j share=$(($2 * 1048576 / $1)) records

	cluster "$1"
	head -c $((share * $1)) /dev/urandom >blob
	for ((j = 0; j < $1; j++)); do
		tail -c +$((j * share + 1)) blob | head -c $share >want.$j
		records=$(grep -ac '' want.$j)
		for ((i = 0; i < $1; i++)); do
			printf '{"type":"extent","sublist":%d,"rank":%d,' $j $i
			printf '"offset":%d,"bytes":%d,"records":%d}\n' \
				$((j * share)) $share "$records"
		done
	done >extents
	for ((i = 0; i < $1; i++)); do
		grep "\"rank\":$i," extents >ext.$i
	done
}

# keep I [OPTION...]: a node that may be killed.
keep() {
	local i=$1

	shift
	exec hpexchange -C cluster -N "$i" -i blob -x "ext.$i" -o "from$i" \
		--resume "keep$i" --sums "sums$i" --timeout 60 "$@" 2>>"err.$i"
}

# began I J: a frame from J is stored, and in the ledger behind the hello.
began() {
	until [ "$(stat -c %s "keep$1/ledger.$2" 2>/dev/null || echo 0)" -gt \
		104 ]; do
		kill -0 "${pid[$1]}" 2>/dev/null || fail "node $1 has ended: $(cat err.*)"
		sleep 0.01
	done
}

# came I J: the end of what comes from J is there.
came() {
	until [ "$(tail -c 72 "keep$1/ledger.$2" | od -An -tu4 -N4)" -eq 2 ]; do
		kill -0 "${pid[$1]}" || return
		sleep 0.01
	done 2>/dev/null
}

# killed I: it is.
killed() {
	kill -9 "${pid[$1]}"
	ended "$1" 137
}

# finished: all end well, have what is theirs, and nothing is left.
finished() {
	local i s

	for ((i = 0; i < nodes; i++)); do
		ended "$i" 0
	done
	for ((i = 0; i < nodes; i++)); do
		for ((s = 0; s < nodes; s++)); do
			same "from$i.$s" "want.$i"
		done
		# The sums are those of a pass over the file.
		[ "$(cat "sums$i")" = "$(hpcheck --sum --extents "ext.$i" blob)" ] ||
			fail "$(cat "sums$i")"
		[ ! -e "keep$i" ] || fail "left: $(ls "keep$i")"
		rm -f "d$i/exchange.sock"
		empty_dir "d$i"
	done
}

# again: how many bytes were sent again, in all.
again() {
	cat err.* | awk '/: closed the connection; .* bytes are sent again$/ {
		n += $(NF - 4)
	}
		END { print n + 0 }'
}

# survives [OPTION...]: one of four is killed in the middle, twice: before the
# last one comes nobody ends.
survives() {
	many 4 48
	start keep 0 "$@"
	start keep 1 "$@"
	began 1 0
	killed 1
	start keep 1 "$@"
	start keep 2 "$@"
	began 1 2
	killed 1
	start keep 1 "$@"
	start keep 3 "$@"
	finished
	echo "# $(again) bytes were sent again"
	# At most what was under way to it and not acknowledged, each time.
	[ "$(again)" -le $((3 * 4 * 1048576)) ]
}

@test "a killed node continues, by unix sockets" {
	survives
}

@test "a killed node continues, with one thread" {
	survives --threads 0
}

@test "a killed node continues, by tcp" {
	tcp_ports() {
		local ports i=0 port

		ports=$(hpexchange --free-port=4)
		for port in $ports; do
			i=$((i + 1))
			sed -i "$i s/}/,\"port\":$port}/" cluster
		done
	}
	(umask 077 && head -c 32 /dev/urandom >key)
	eval "$(declare -f cluster | sed '1s/cluster/plain_cluster/')"
	cluster() { plain_cluster "$@"; tcp_ports; }
	survives -t tcp -K key
}

@test "a killed node continues, by real ssh" {
	eval "$(declare -f cluster | sed '1s/cluster/plain_cluster/')"
	cluster() {
		plain_cluster "$@"
		sed -i 's/"node":"n\([0-9]*\)"/&,"host":"host\1"/' cluster
	}
	secure
	# A login is much work for a busy machine.
	survives -t ssh --rsh "ssh -T" --timeout 200
}

@test "a killed node with --resume continues among nodes without it" {
	cluster 3
	for i in 0 1 2; do input $i 200000 200000 200000; done
	hpsplit cut -L sublists -N 1 --extents in.1 >ext.1
	start framed 0 --timeout 60
	exec_keep() {
		exec hpexchange -C cluster -N 1 -i in.1 -x ext.1 -o from \
			--resume keep1 --timeout 60 2>>err.1
	}
	start exec_keep 1
	began 1 0
	killed 1
	start exec_keep 1
	# Before this one comes it cannot have ended.
	start framed 2 --timeout 60
	for i in 0 1 2; do ended $i 0; done
	for i in 0 2; do
		want $i >want
		LC_ALL=C sort got.$i >got
		same got want
	done
	for i in 0 1 2; do
		grep "^b of $i" in.$i >want
		same from.$i want
	done
}

@test "nodes killed at random times lose no record" {
	RANDOM=$((10#$(date +%N) % 32768))
	echo "# RANDOM=$RANDOM"
	many 3 6
	# Who is killed at the end waits so long for those who are done already.
	brief() { keep "$@" --timeout 10; }
	for ((round = 0; round < 15; round++)); do
		rm -f from* err.*
		pid=()
		for i in 0 1 2; do start brief $i; done
		for _ in 1 2 3; do
			sleep 0.0$((RANDOM % 50 + 10))
			i=$((RANDOM % 3))
			[ -n "${over[$i]-}" ] && continue
			kill -9 "${pid[$i]}" 2>/dev/null || :
			rc=0
			wait "${pid[$i]}" || rc=$?
			# All but the end of the process, and of the directory.
			if [ -e from$i.2 ] && [ ! -e keep$i/done ]; then
				rc=0
				rm -rf keep$i
			fi
			case $rc in
			0) over[i]=yes ;;
			137) start brief $i ;;
			*) fail "status $rc: $(cat err.*)" ;;
			esac
		done
		for i in 0 1 2; do
			[ -n "${over[$i]-}" ] || ended $i 0
			for s in 0 1 2; do same from$i.$s want.$i; done
			[ ! -e keep$i ]
		done
		over=()
	done
}

@test "the next process renames remaining outputs without its peers" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	many 2 2
	broken() {
		HP_FAULT=rename:2:5 \
			LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" keep "$@"
	}
	start keep 0
	start broken 1
	ended 0 0
	ended 1 2
	[ -e from1.0 ]
	[ ! -e from1.1 ]
	[ -e keep1/part.1 ]
	start keep 1 --trace trace
	ended 1 0
	same from1.0 want.1
	same from1.1 want.1
	[ ! -e keep1 ]
	[ "$(jq -c '[.records, .bytes]' trace)" = \
		"[$((2 * $(grep -ac '' want.1))),2097152]" ]
}

@test "a process killed while it removes its directory continues without its peers" {
	local n

	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	struck() {
		HP_FAULT=unlinkat:$n:-9 \
			LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" keep "$@"
	}
	many 2 1
	start keep 0
	start keep 1
	ended 0 0
	ended 1 0
	mv sums1 sums.want
	rm from*
	for ((n = 1; ; n++)); do
		start keep 0
		start struck 1 --trace trace
		ended 0 0
		wait "${pid[1]}" || :
		[ -e keep1 ] || break
		# Files that were no part of its directory are removed before.
		[ -e from1.1 ] || fail "killed before the outputs had their names"
		start keep 1 --trace trace
		ended 1 0
		same from1.0 want.1
		same from1.1 want.1
		[ ! -e keep1 ]
		same sums1 sums.want
		[ "$(wc -l <trace)" = 1 ]
		rm from* trace sums1
	done
	[ "$n" -gt 5 ]
}

@test "a process that failed to write the trace continues without its peers" {
	many 2 1
	start keep 0
	start keep 1 --trace /dev/full
	ended 0 0
	ended 1 2
	[ -e keep1/done ]
	start keep 1 --trace trace
	ended 1 0
	same from1.0 want.1
	same from1.1 want.1
	[ ! -e keep0 ]
	[ ! -e keep1 ]
	[ "$(jq -c '[.records, .bytes]' trace)" = \
		"[$((2 * $(grep -ac '' want.1))),1048576]" ]
}

# half: the directory of node 1, which was killed in the middle; that the third
# node is not there yet holds it there.
half() {
	many 3 48
	start keep 0
	start keep 1
	began 1 0
	killed 1
}

@test "a directory of another exchange, or in use, is refused" {
	half
	refused() {
		run_ hpexchange -C cluster -N 1 -i blob -x ext.1 -o from1 \
			--resume keep1 "$@"
		status_is 2
		stderr_has "$why"
	}
	why='keep1: belongs to an exchange with other nodes or input'
	sed 's/n0/n7/' cluster >other
	refused -C other
	refused -N 0 -x ext.0
	head -n 1 ext.1 >less
	refused -x less
	cp blob same
	refused -i same
	touch -d yesterday blob
	refused
	touch -d @0 blob
	kill -9 "${pid[0]}"
	wait
	why='keep1: not empty, and no exchange was kept there'
	echo garbage >keep1/job
	refused
	rm keep1/job
	refused
	[ -s keep1/part.0 ]
	rm -r keep0 keep1
	many 2 1
	start keep 1
	until [ -e keep1/job ]; do sleep 0.01; done
	mkdir other.d
	sed "s|\"dir\":\"$PWD/d1\"|\"dir\":\"other.d\"|" cluster >other
	why='keep1: another hpexchange is running there'
	refused -C other
	start keep 0
	finished
}

@test "nodes that start from the beginning refuse a node that resumes" {
	half
	kill -9 "${pid[0]}"
	ended 0 137
	rm -r keep0
	start keep 1
	start keep 0
	for i in 0 1; do
		rc=0
		wait "${pid[$i]}" || rc=$?
		[[ $rc =~ ^[23]$ ]]
	done
	grep -q 'another process runs, or ran, as this node' err.0
	[ ! -e from0.0 ]
	[ ! -e from1.0 ]
}

@test "a truncated or damaged resume log costs time, but no records" {
	cut() {
		truncate -s "$2" "$1"
	}
	zero() {
		dd if=/dev/zero of="$1" bs=1 count=100 seek="$2" conv=notrunc \
			status=none
	}
	for how in cut zero; do
		pid=()
		rm -rf keep* from* err.*
		half
		# In the first head behind the hello; then in any.
		$how keep1/ledger.0 $((104 + RANDOM % 9 * 48))
		start keep 1
		start keep 2
		finished
	done
}

@test "a damaged part is reported, and no output gets its name" {
	half
	# As if it had rotted, or the machine had lost its power.
	dd if=/dev/zero bs=1000 count=1 seek=7 of=keep1/part.0 conv=notrunc \
		status=none
	start keep 1
	ended 1 2
	ended 0 3
	grep -q '^hpexchange: keep1/ledger.0: frame 0: checksum differs$' err.1
	[ ! -e from1.0 ]
	[ ! -e from0.0 ]
}

@test "a node that does not return is named after the timeout" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	many 2 24
	# By itself where it writes to the ledger, whatever the test gets to see.
	struck() {
		HP_FAULT=pwrite:9:-9 \
			LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" keep "$@"
	}
	start keep 0 --timeout 6
	start struck 1
	ended 1 137
	[ "$(stat -c %s keep1/ledger.0)" -gt 104 ]
	ended 0 3
	grep -q '^hpexchange: n1: .* and did not come back for 6 s' err.0
	[ ! -e from0.0 ]
	# With all at work again, they go on.
	start keep 0
	start keep 1
	finished
}

@test "all nodes are killed, and all continue" {
	many 4 48
	for i in 0 1 2; do start keep $i; done
	began 1 0
	kill -9 "${pid[@]}"
	for i in 0 1 2; do ended $i 137; done
	for i in 0 1 2 3; do start keep $i; done
	finished
}

@test "finished nodes tell a restarted node that all is stored" {
	many 3 6
	keep_short() { keep "$@" --timeout 8; }
	start keep_short 0
	start keep_short 1
	came 0 1
	came 1 0
	# What node 1 tells is for node 0 to find later, when node 1 is not there.
	kill -STOP "${pid[0]}"
	start keep_short 2
	came 2 1
	# It has a place of 128 bytes for each node.
	until [ "$(stat -c %s keep2/sent 2>/dev/null || echo 0)" -gt 128 ]; do
		sleep 0.01
	done
	killed 1
	kill -CONT "${pid[0]}"
	for i in 0 2; do
		ended $i 0
		grep -q 'n1: may not know that all is stored' err.$i
		for s in 0 1 2; do same from$i.$s want.$i; done
		[ -e keep$i/done ]
	done
	[ ! -e from1.0 ]
	for i in 0 1 2; do start keep $i; done
	finished
}

@test "--resume: missing or unsuitable options are refused" {
	many 1 1
	for args in '-i blob -x ext.0' '-o from' ''; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange -C cluster -N 0 --resume keep0 $args
		status_is 2
		stderr_has 'usage: hpexchange'
	done
	mkfifo from0.0
	run_ hpexchange -C cluster -N 0 --resume keep0 -i blob -x ext.0 -o from0
	status_is 2
	stderr_is 'hpexchange: from0.0: not a regular file'
	rm from0.0
	# An output that was there keeps its mode, and a link stays one.
	echo old >real
	chmod 640 real
	ln -s real from0.0
	rm -r keep0
	start keep 0
	ended 0 0
	same real want.0
	[ -L from0.0 ]
	[ "$(stat -c %a real)" = 640 ]
}
