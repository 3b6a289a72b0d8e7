#!/usr/bin/env bats
# shellcheck shell=bash disable=SC2154
# The exchange by tcp: nodes as processes of this machine, each at a port.

load common
load exchange

# ports: a port for each node of the cluster, and a key.
ports() {
	local i=0 port

	for port in $(hpexchange --free-port="$nodes"); do
		at[i]=$port
		i=$((i + 1))
		sed -i "$i"'s/"dir":"[^"]*"/"port":'"$port/" cluster
	done
	head -c 32 /dev/urandom >key
	chmod 600 key
	tcp=(-t tcp -K key --timeout 60)
}

@test "two nodes exchange their records" {
	cluster 2
	ports
	input 0 1000 2000
	input 1 3000 4000
	all framed "${tcp[@]}"
	arrived
}

@test "OpenSSL is loaded only for tcp" {
	local name

	name=$(grep -aom1 'libssl\.so[.0-9]*' "$HPBIN/hpexchange")
	ldd "$HPBIN/hpexchange" | grep -F "$name" && skip 'linked with OpenSSL'
	cluster 1
	input 0 10
	extents 0
	mkdir lib
	: >"lib/$name"
	export LD_LIBRARY_PATH=$PWD/lib
	run_ hpexchange -C cluster -N 0 -t unix -i in.0 -x ext.0
	status_is 0
	[ "$output" = "$(cat in.0)" ]
	ports
	run_ hpexchange -C cluster -N 0 "${tcp[@]}" -i in.0 -x ext.0
	status_is 2
	stderr_has "hpexchange: TLS: $PWD/lib/$name: "
}

@test "three nodes exchange 30 MB, from a stream and from files" {
	cluster 3
	ports
	for i in 0 1 2; do input $i 200000 200000 100000; done
	all framed "${tcp[@]}"
	arrived
	all whole "${tcp[@]}"
	arrived
	all whole "${tcp[@]}" --threads 2
	arrived
}

@test "a host is given by its name or by its IPv4 or IPv6 address" {
	cluster 3
	ports
	host() {
		sed -i "$1"'s/"node":"[^"]*"/&,"host":"'"$2"'"/' cluster
	}
	! getent hosts localhost >/dev/null || host 1 localhost
	host 2 127.0.0.2
	! grep -q . /proc/net/if_inet6 || host 3 ::1
	for i in 0 1 2; do input $i 10 10 10; done
	all framed "${tcp[@]}"
	arrived
}

@test "the key may come from a descriptor" {
	cluster 1
	ports
	input 0 10
	hpsplit cut -L sublists -N 0 in.0 >stream
	hpsplit cut -L sublists -N 0 --extents in.0 >ext
	run_ bash -c 'hpexchange -C cluster -N 0 -t tcp -K /dev/fd/3 \
		<stream 3< <(cat key)'
	status_is 0
	stdout_is "$(cat in.0)"
	run_ bash -c 'cat key |
		hpexchange -C cluster -N 0 -t tcp -K - -i in.0 -x ext'
	status_is 0
	stdout_is "$(cat in.0)"
	run_ hpexchange -C cluster -N 0 -t tcp -K - <stream
	status_is 2
	stderr_is 'hpexchange: standard input cannot be both key and records'
}

# unfit MESSAGE: the key is refused.
unfit() {
	run_ hpexchange -C cluster -N 0 -t tcp -K key -i in.0 -x /dev/null
	status_is 2
	stderr_is "hpexchange: key: $1"
}

@test "an unsuitable key is refused" {
	cluster 1
	ports
	input 0 1
	for mode in 0644 0640 0604 0660 0601; do
		chmod $mode key
		unfit "other users may use this key (mode $mode); set its mode to 0600"
	done
	chmod 400 key
	run_ hpexchange -C cluster -N 0 -t tcp -K key -i in.0 -x /dev/null
	status_is 0
	chmod 600 key
	head -c 31 /dev/urandom >key
	unfit 'a key of 31 bytes: it must have 32 or more'
	: >key
	unfit 'a key of 0 bytes: it must have 32 or more'
	head -c 4097 /dev/urandom >key
	unfit 'a key of more than 4096 bytes'
	head -c 4096 /dev/urandom >key
	run_ hpexchange -C cluster -N 0 -t tcp -K key -i in.0 -x /dev/null
	status_is 0
	rm key
	unfit 'No such file or directory'
	mkfifo -m 644 key
	(cat in.0 >key) 3>&- &
	unfit 'other users may use this key (mode 0644); set its mode to 0600'
	rm key
	mkdir -m 700 key
	unfit 'Is a directory'
}

@test "the key of another user is refused" {
	[ "$(id -u)" -eq 0 ] || skip 'only root can make one'
	cluster 1
	ports
	input 0 1
	chown 1234 key
	unfit 'the key belongs to another user'
}

@test "by tcp: a missing port or key is an error" {
	cluster 2
	input 0 1 1
	head -c 32 /dev/urandom >key
	chmod 600 key
	run_ hpexchange -C cluster -N 0 -t tcp -K key -i in.0 -x /dev/null
	status_is 2
	stderr_is 'hpexchange: n0: has no port in the cluster'
	for args in '-t tcp' '-K key' '-t unix -K key' '-t ssh -K key'; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange -C cluster -N 0 $args -i in.0 -x /dev/null
		status_is 2
		stderr_has 'usage: hpexchange'
	done
	ports
	start whole 0 "${tcp[@]}"
	listening 0
	run_ hpexchange -C cluster -N 0 "${tcp[@]}" -i in.0 -x /dev/null
	status_is 2
	stderr_is "hpexchange: n0: port ${at[0]}: Address already in use"
	kill "${pid[0]}"
	sed "s/${at[1]}/${at[0]}/" cluster >same
	run_ hpexchange -C same -N 1 "${tcp[@]}" -i in.0 -x /dev/null
	status_is 2
	stderr_is 'hpexchange: n1: has the same host and port as n0 in the cluster'
	sed -i '2s/"node":"n1"/&,"host":"no-such-host.invalid"/' cluster
	run_ hpexchange -C cluster -N 0 "${tcp[@]}" -i in.0 -x /dev/null
	status_is 2
	stderr_has 'hpexchange: n1: no-such-host.invalid: '
}

# listening I: node I waits for others.
listening() {
	local i port

	port=$(printf ':%04X ' "${at[$1]}")
	for ((i = 0; i < 1200; i++)); do
		! grep -q "$port.* 0A " /proc/net/tcp /proc/net/tcp6 || return 0
		sleep 0.05
	done
	fail "node $1 does not listen at ${at[$1]}"
}

@test "a node that never connects is named" {
	cluster 2
	ports
	input 0 1 1
	run_ hpexchange -C cluster -N 0 "${tcp[@]}" --timeout 0.5 -i in.0 \
		-x /dev/null
	status_is 3
	stderr_is 'hpexchange: n1: not connected after 0.5 s: Connection refused'
}

# strange_port I: the cluster theirs, where node I has another port, and the key
# other.
strange_port() {
	local port=${at[$1]}

	until [[ " ${at[*]} " != *" $port "* ]]; do
		port=$(hpexchange --free-port)
	done
	sed "$(($1 + 1))s/${at[$1]}/$port/" cluster >theirs
	head -c 32 /dev/urandom >other
	chmod 600 other
}

@test "two nodes with different keys report this" {
	local i

	cluster 2
	ports
	input 0 10 10
	input 1 10 10
	for i in 0 1; do
		# The other one stays there, as it looks for us elsewhere.
		strange_port $i
		hpexchange -C theirs -N $((1 - i)) -t tcp -K other --timeout 60 \
			-i in.0 -x /dev/null 2>theirs.err 3>&- &
		pid=($!)
		run_ hpexchange -C cluster -N $i "${tcp[@]}" -i in.0 -x /dev/null
		status_is 3
		stderr_is "hpexchange: n$((1 - i)): has another key"
		kill "${pid[0]}"
		ended 0 143
	done
}

@test "a node under another name is not reported as having another key" {
	cluster 2
	ports
	input 0 10 10
	: >empty
	sed 's/"n1"/"other"/' cluster >renamed
	hpexchange -C renamed -N 1 "${tcp[@]}" -i empty -x empty 2>err.1 3>&- &
	pid=($!)
	run_ hpexchange -C cluster -N 0 "${tcp[@]}" -i empty -x empty
	status_is 3
	kill -9 "${pid[0]}" 2>/dev/null || :
	run -1 grep 'another key\|: has no key' err.1 - <<<"$stderr"
}

# first_of_two: node 0 listens, and node 1 is not there yet.
first_of_two() {
	cluster 2
	ports
	input 0 1000 2000
	input 1 3000 4000
	start framed 0 "${tcp[@]}"
	listening 0
}

# With the descriptor 5, to node 0.
knock() {
	exec 5<>"/dev/tcp/127.0.0.1/${at[0]}"
}

@test "connections of strangers are refused with one line each" {
	first_of_two
	# One who goes away, which is nothing to tell of.
	knock && exec 5>&-
	# One who speaks HTTP, one who speaks anything.
	knock
	printf 'GET / HTTP/1.0\r\n\r\n' >&5
	cat <&5 >answer
	knock
	head -c 1000 /dev/zero >&5
	cat <&5 >answer
	# TLS without a key, an older TLS, and a key that is not ours.
	for options in -tls1_3 -tls1_2 \
		"-tls1_3 -psk $(printf '%064d' 0) -psk_identity n1"; do
		# shellcheck disable=SC2086 # words
		run -1 timeout 60 openssl s_client -connect \
			"127.0.0.1:${at[0]}" $options </dev/null
	done
	# A node of another job, which takes our port for that of its node 0.
	strange_port 1
	run_ hpexchange -C theirs -N 1 -t tcp -K other --timeout 60 -i in.1 \
		-x /dev/null
	status_is 3
	stderr_is 'hpexchange: n0: has another key'
	kill -0 "${pid[0]}"
	start framed 1 "${tcp[@]}"
	ended 0 0
	ended 1 0
	# One line each, and nothing else.
	[ "$(wc -l <err.0)" -eq 6 ] || fail "$(cat err.0)"
	[ "$(grep -cE '^hpexchange: refused 127\.0\.0\.1 port [0-9]+: .' \
		err.0)" -eq 6 ] || fail "$(cat err.0)"
	grep -q ': has no key$' err.0 || fail "$(cat err.0)"
	grep -q ': expects another node, or has no key$' err.0 || fail "$(cat err.0)"
	tail -n 1 err.0 | grep -q 'has another key'
	: >err.0
	arrived
}

@test "a thousand strange connections neither block a node nor flood the log" {
	cluster 2
	ports
	input 0 1000 2000
	input 1 3000 4000
	# Of the usual 1024 some may be open already.
	ulimit -Sn "$(ulimit -Hn)"
	start framed 0 "${tcp[@]}"
	listening 0
	# Half of them say something, which is no TLS; none goes away.
	for ((i = 0; i < 1000; i++)); do
		exec {fd}<>"/dev/tcp/127.0.0.1/${at[0]}"
		[ $((i % 2)) -eq 0 ] ||
			{ echo "hello $i" >&"$fd" || :; } 2>/dev/null
	done
	start framed 1 "${tcp[@]}"
	ended 1 0
	ended 0 0
	[ "$(wc -l <err.0)" -lt 100 ] || fail "$(cat err.0)"
	grep -qE '^hpexchange: and [0-9]+ more like this$' err.0 ||
		fail "$(cat err.0)"
	: >err.0
	arrived
}

# begin_tls FD: the first bytes of what TLS begins with, which has 512.
begin_tls() {
	printf '\26\3\1\1\374\1\0\1\370\3\3' >&"$1"
}

@test "a connection that sends byte by byte is closed in time" {
	local i

	cluster 2
	ports
	for i in 0 1; do
		input $i 20000 20000
		extents $i
	done
	held -t tcp -K key --timeout 4
	knock
	begin_tls 5
	# Till nobody listens, or for a minute.
	(
		for ((i = 0; i < 300; i++)); do
			sleep 0.2
			printf '\0' >&5
		done
		touch heard
	) 2>/dev/null 3>&- &
	wait $! || :
	exec 5>&-
	[ ! -e heard ]
	undam
	grep -qE '^hpexchange: refused 127\.0\.0\.1 port [0-9]+: sent no hello$' err.0
	for i in 0 1; do
		want $i >want
		same <(LC_ALL=C sort from$i.[01].got) want
	done
}

@test "hundreds of incomplete hellos block no node" {
	local i fd begun=$SECONDS

	first_of_two
	for ((i = 0; i < 200; i++)); do
		exec {fd}<>"/dev/tcp/127.0.0.1/${at[0]}"
		begin_tls "$fd"
	done
	start framed 1 "${tcp[@]}"
	ended 1 0
	ended 0 0
	# Ten at once, then one a second, with how many were not told of.  It has
	# been called twice meanwhile; which is nothing to tell of.
	[ "$(wc -l <err.0)" -le $((12 + 2 * (SECONDS - begun))) ] ||
		fail "$(cat err.0)"
	grep -q '^hpexchange: too many connections without a hello' err.0
	: >err.0
	arrived
}

@test "by tcp: a slow reader is not taken for a dead node" {
	big
	ports
	slow_reader -t tcp -K key
}

@test "a killed node is named by all other nodes" {
	big
	ports
	held -t tcp -K key --timeout 300
	kill -9 "${pid[1]}"
	# Not for the timeout: nobody listens at its port any more.
	ended 0 3
	ended 2 3
	grep -qE '^hpexchange: n1: [^0-9]*$' err.0
	grep -qE '^hpexchange: n1: [^0-9]*$' err.2
}

@test "a frozen node is named" {
	big
	ports
	held -t tcp -K key --timeout 6
	kill -STOP "${pid[1]}"
	ended 0 3
	ended 2 3
	grep -q '^hpexchange: n1: .*silent' err.0
	grep -q '^hpexchange: n1: .*silent' err.2
	kill -CONT "${pid[1]}"
	ended 1 3
}

@test "a node that dies or stops at any message is named by its peer" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	local fault rc made=0 i

	struck() {
		LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" HP_FAULT=$2 \
			HP_FAULT_MARK=mark whole "$1" "${@:3}"
	}
	# From the key on, all in TLS: before it is there, before and after hello,
	# and within a frame.
	cluster 2
	for i in 0 1; do
		input $i 60000 60000
		extents $i
	done
	for fault in {read:{2,4,6,8,12},write:{1,2,4,6,8}}:-{9,19}; do
		mkdir "$fault"
		cd "$fault"
		ln -s ../in.? ../ext.? .
		cp ../cluster .
		ports
		cd ..
	done
	for fault in *:*; do
		cd "$fault"
		(
			start whole 0 -t tcp -K key --timeout 5
			start struck 1 "$fault" -t tcp -K key --timeout 60
			rc=0
			wait "${pid[0]}" || rc=$?
			kill -9 "${pid[1]}" || :
			echo $rc >status
		) 3>&- &
		cd ..
	done
	wait
	for fault in *:*; do
		# Not where the other one was held up until it had given up.
		[ ! -e "$fault/mark" ] || made=$((made + 1))
		[ "$(cat "$fault/status")" -eq 3 ] || fail "$fault: $(cat "$fault/err.0")"
		tail -n 1 "$fault/err.0" | grep -q '^hpexchange: n1: ' ||
			fail "$fault: $(cat "$fault/err.0")"
	done
	[ $made -ge 10 ] || fail "only $made were struck"
}

@test "the key is not visible to other processes of the machine" {
	big
	ports
	openssl rand -hex 32 >key
	held -t tcp -K key --timeout 60
	for p in "${pid[@]}"; do
		tr '\0' '\n' <"/proc/$p/cmdline" >seen
		grep -qx -- -K seen
		tr '\0' '\n' <"/proc/$p/environ" >>seen
		run -1 grep -F "$(cut -c 1-16 key)" seen
		# Nor does it stay open, for those whom it starts.
		find "/proc/$p/fd" -printf '%l\n' >open
		run -1 grep '/key$' open
	done
}

@test "short reads and writes change nothing" {
	[ -z "${HP_SANITIZER-}" ] || skip "sanitizers do not bear a preload"
	cluster 3
	ports
	for i in 0 1 2; do input $i 3000 100 2000; done
	for i in 0 1 2; do
		hpsplit cut -L sublists -N "$i" "in.$i" >"stream.$i"
		env LD_PRELOAD="$HPBIN/../tests/fault/ioerr.so" \
			HP_FAULT=short HP_FAULT_MARK="$PWD/mark" \
			hpexchange -C cluster -N "$i" "${tcp[@]}" \
			<"stream.$i" >"got.$i" 2>"err.$i" 3>&- &
		pid[i]=$!
	done
	for i in 0 1 2; do ended $i 0; done
	arrived
}

@test "--free-port prints ports that are free to listen on" {
	run_ hpexchange --free-port
	status_is 0
	[[ $output =~ ^[0-9]+$ ]]
	[ "$output" -ge 1024 ]
	run_ hpexchange --free-port=50
	status_is 0
	[ "$(printf '%s\n' "$output" | sort -u | wc -l)" -eq 50 ]
	for args in --free-port=0 --free-port=1001 --free-port=x \
		'--free-port 5' '--free-port -N 0' '--free-port --serve d'; do
		# shellcheck disable=SC2086 # words
		run_ hpexchange $args
		status_is 2
		[ -n "$stderr" ]
	done
	# A reader that has gone ends it as it ends any filter.
	mkfifo p
	run_ bash -c 'exec 3<>p 4>p 3<&-; hpexchange --free-port >&4'
	status_is 141
	stderr_is ''
}
