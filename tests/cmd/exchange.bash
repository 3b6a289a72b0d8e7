# What the tests of hpexchange share.  The nodes of a test are n0, n1, ... in
# directories d0, d1, ...; what belongs to node 0 are the lines that begin with
# a, to node 1 those with b, and so on.
# shellcheck shell=bash disable=SC2094,SC2154

letters=abcdefghijklmn

teardown() {
	[ ${#pid[@]} -eq 0 ] || kill -9 "${pid[@]}" 2>/dev/null || :
}

# cluster N: the nodes, and the sublists that cut their records.
cluster() {
	local i key

	nodes=$1
	for ((i = 0; i < nodes; i++)); do
		mkdir -p "d$i"
		printf '{"type":"node","node":"n%d","dir":"%s/d%d"}\n' \
			"$i" "$PWD" "$i" >&3
		key=$(printf '%s' "${letters:i+1:1}" | od -An -tx1 | tr -d ' ')
		printf '{"type":"sublist","sublist":%d,"rank":%d,"node":"n%d"' \
			"$i" "$i" "$i"
		[ $((i + 1)) -eq "$nodes" ] || printf \
			',"until":{"key":"%s","rank":0,"index":0}' "$key"
		printf '}\n'
	done 3>cluster >sublists
}

# lines SOURCE DEST COUNT: lines of one node for another.
lines() {
	[ "$3" -eq 0 ] || seq -f "${letters:$2:1} of $1: %08.0f" 1 "$3"
}

# input SOURCE COUNT...: in.SOURCE, with COUNT lines for each node in turn.
input() {
	local source=$1 dest=0 count

	shift
	for count; do
		lines "$source" "$dest" "$count"
		dest=$((dest + 1))
	done >"in.$source"
}

# want DEST: what belongs there, of all inputs.
want() {
	cat in.* | grep -a "^${letters:$1:1}" | LC_ALL=C sort
}

# framed I [OPTION...]: a node on the framed stream of in.I, records to got.I.
framed() {
	local i=$1

	shift
	hpsplit cut -L sublists -N "$i" "in.$i" |
		hpexchange -C cluster -N "$i" "$@" >"got.$i" 2>"err.$i"
}

# extents I: writes the extents of in.I, which must be sorted, to ext.I, unless
# ext.I exists.
extents() {
	[ -e "ext.$1" ] ||
		hpsplit cut -L sublists -N "$1" --extents "in.$1" >"ext.$1"
}

# whole I [OPTION...]: the same from extents of the file.
whole() {
	local i=$1

	shift
	extents "$i"
	exec hpexchange -C cluster -N "$i" -i "in.$i" -x "ext.$i" "$@" \
		>"got.$i" 2>"err.$i"
}

# start FUNCTION I [OPTION...]: framed, whole or the like, in the background, as
# ${pid[I]}.
start() {
	"$@" 3>&- &
	pid[$2]=$!
}

# ended I STATUS: waits for the node, whose number may then be another's.
ended() {
	local rc=0

	wait "${pid[$1]}" || rc=$?
	unset "pid[$1]"
	[ "$rc" -eq "$2" ] || fail "node $1: status $rc, expected $2" \
		"$(cat "err.$1")"
}

# at_work I [DIR]: the node, in the background, waits there for others.
at_work() {
	until [ -S "${2-d$1}/exchange.sock" ]; do
		kill -0 "${pid[$1]}" || fail "node $1 has ended: $(cat err.*)" ||
			return
		sleep 0.02
	done
}

# all FUNCTION [OPTION...]: runs all nodes at the same time with this function,
# and checks that each ends with status 0.
all() {
	local i

	for ((i = 0; i < nodes; i++)); do
		start "$1" "$i" "${@:2}"
	done
	for ((i = 0; i < nodes; i++)); do
		ended "$i" 0
	done
}

# arrived: each node has the records that belong to it, and those of each
# source in the order that they had there.
arrived() {
	local i s

	for ((i = 0; i < nodes; i++)); do
		want "$i" >want
		LC_ALL=C sort "got.$i" >got
		same got want
		for ((s = 0; s < nodes; s++)); do
			grep -a "^${letters:i:1} of $s:" "in.$s" >want || :
			grep -a "^. of $s:" "got.$i" >got || :
			same got want
		done
		quiet "$i"
		empty_dir "d$i"
	done
}

# quiet I: checks that node I has printed no message.  One message is allowed:
# that another node was silent and connected again.  This can happen to any node
# on a busy machine.
quiet() {
	! grep -v ': was silent; connected again after ' "err.$1" ||
		fail "$(cat "err.$1")"
}

# dam FIFO...: makes FIFOs and keeps them open, but does not read from them.
# When a FIFO is full, the node that writes to it blocks, and so do the nodes
# that have more records for that node.
declare -gA dams
dam() {
	local path fd

	for path; do
		mkfifo "$path"
		exec {fd}<>"$path"
		dams[$path]=$fd
	done
}

# undam: reads all FIFOs made by dam, and checks that all nodes end with status
# 0.  What a node wrote to FIFO is then in FIFO.got.
undam() {
	local i path fd readers=() cats=()

	# Open the new readers before closing the descriptors of dam, so that
	# each FIFO has a reader at any time.  The new ones are not open for
	# writing, since otherwise a FIFO would never end.
	for path in "${!dams[@]}"; do
		exec {fd}<"$path"
		readers+=("$fd")
	done
	for fd in "${dams[@]}"; do exec {fd}>&-; done
	i=0
	for path in "${!dams[@]}"; do
		cat <&"${readers[i]}" >"$path.got" 3>&- &
		cats+=($!)
		i=$((i + 1))
	done
	for fd in "${readers[@]}"; do exec {fd}<&-; done
	for ((i = 0; i < nodes; i++)); do ended "$i" 0; done
	wait "${cats[@]}"
}

# slow_reader [OPTION...]: runs three nodes.  The output of node 0 is not read
# for longer than the timeout, and then it is read.  No node may fail because of
# that.
slow_reader() {
	dam got.0
	start whole 0 --timeout 4 "$@"
	start whole 1 --timeout 4 "$@"
	start whole 2 --timeout 4 "$@"
	sleep 8
	undam
	mv got.0.got got.0
	for i in 0 1 2; do
		want $i >want
		same <(LC_ALL=C sort got.$i) want
	done
}

# flooded: waits until some data is in every FIFO made by dam.  If there is a
# FIFO for each pair of nodes, then all nodes are connected to each other.
flooded() {
	local i fd dry

	for ((i = 0; i < 1200; i++)); do
		all_there || return
		dry=
		for fd in "${dams[@]}"; do
			read -r -t 0 -u "$fd" || dry=yes
		done
		[ -n "$dry" ] || return 0
		sleep 0.1
	done
	fail 'the nodes do not come together'
}

all_there() {
	local p

	for p in "${pid[@]}"; do
		kill -0 "$p" || fail 'a node has ended' "$(cat err.*)" || return
	done
}

# big: three nodes with more than fits between them.  It is made once, and the
# nodes have nothing to do before they look for each other.
big() {
	local i

	cluster 3
	if [ ! -e "$BATS_FILE_TMPDIR/ext.2" ]; then
		for i in 0 1 2; do
			input $i 200000 200000 200000
			extents $i
		done
		mv in.? ext.? "$BATS_FILE_TMPDIR"
	fi
	ln -s "$BATS_FILE_TMPDIR"/{in,ext}.? .
}

# held [OPTION...]: all nodes, whose output nobody takes, once they know each other.
held() {
	local i s

	for ((i = 0; i < nodes; i++)); do
		for ((s = 0; s < nodes; s++)); do dam "from$i.$s"; done
		start whole "$i" -o "from$i" "$@"
	done
	flooded
}
