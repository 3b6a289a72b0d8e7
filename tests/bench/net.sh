#!/bin/bash
# The exchange over a network, beside others that move the same bytes from
# every node to every other, in one run:
#
#	tests/bench/net.sh [MIB [PART...]]
#
# Four nodes of MIB for each other node.  The parts, all without PART: loopback,
# without limit, beside MPI_Alltoallv of Open MPI over tcp (128 MiB); links, of
# MBIT (1000) of the lab (tests/lab), beside iperf3 (256 MiB: with what a node
# keeps a GiB for each, and less is hardly worth four machines); hosts, of the
# lab.
#
# MPI goes from memory to memory, and its time is that of the call.  hpexchange
# goes from a file in memory to /dev/null, all verified, and its time is that of
# the processes from their start to their end: what of it passes where there is
# nothing to send is told beside it.  So is the time of iperf3, which sends as
# many bytes; the share of the link counts the heads of packets, 66 bytes for
# each 1448, and nothing else.  Each source has an output of its own, as for a
# merge: to one standard output a node takes one extent after the other, and the
# other senders wait, up to half of the time over a link.  Four nodes by tcp at
# 1 Gbit/s take most of two processors, and by ssh more than there is: what the
# exchange itself makes of a link is seen with an MBIT of 250.
# Of the hosts: what plans foresee of a sort, beside what comes (hosts.sh).

set -eu
given=${1:-} nodes=4 rounds=3
: "${MBIT:=1000}"
shift $(($# > 0))
[ $# -gt 0 ] || set -- loopback links hosts
here=$(cd "$(dirname "$0")" && pwd)
HPBIN=$(cd "${HPBIN:-$here/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH:/usr/sbin
dir=$(mktemp -d "/dev/shm/hpnet.XXXXXX")
export PATH LC_ALL=C LAB=hpn$$ LAB_DIR=$dir/lab
trap '"$here/../lab/lab" down; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir"
names=(a b c d)
for ((i = 0; i < nodes; i++)); do
	ln -s /dev/null "to.$i"
	: >"nothing.$i"
done

lab() {
	"$here/../lab/lab" "$@"
}

(umask 077 && head -c 32 /dev/urandom >key)
mapfile -t ports < <(hpexchange --free-port=$nodes)
for ((i = 0; i < nodes; i++)); do
	mkdir "d$i"
	printf '{"type":"node","node":"%s","dir":"d%d","port":%d}\n' \
		"${names[i]}" "$i" "${ports[i]}"
done >one
jq -c '.host = .node' one >four

# input MIB: every node has as many records of one mebibyte for each, itself
# too.
input() {
	local i j

	mib=$1
	head -c $((mib * nodes << 20)) /dev/urandom >in
	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			printf '{"type":"extent","sublist":%d,"rank":%d,' \
				"$j" "$i"
			printf '"offset":%d,"bytes":%d,"records":%d}\n' \
				$((j * mib << 20)) $((mib << 20)) "$mib"
		done >"ext.$i"
	done
}

# milliseconds COMMAND...: that it takes.
milliseconds() {
	local start=${EPOCHREALTIME/./}

	"$@" >/dev/null
	echo $(((${EPOCHREALTIME/./} - start) / 1000))
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# row NAME MS MIB PEERS: what a node sent in that time, and how fast that is
# where the peer, which took PEERS milliseconds, is 1.
row() {
	awk -v name="$1" -v ms="$2" -v mib="$3" -v peers="$4" 'BEGIN {
		printf "%-20s %6d ms %6.0f MB/s %6.2f Gbit/s a node %6.2f\n",
			name, ms, mib * 1.048576 / ms * 1000,
			mib * 8.388608 / ms, peers / ms
	}'
}

# exchange EXTENTS OPTION...: all nodes on this machine.
exchange() {
	local i extents=$1

	shift
	for ((i = 0; i < nodes; i++)); do
		hpexchange -C one -N "$i" -i in -x "$extents.$i" -o to "$@" &
	done
	wait
}

# alltoallv: its milliseconds, those of the processes' start not counted.
alltoallv() {
	timeout -k 5 60 mpirun --allow-run-as-root --oversubscribe --mca btl tcp,self \
		--mca btl_tcp_if_include lo -n $nodes ./alltoallv "$mib" |
		awk '{ printf "%.0f\n", 1000 * $1 }'
}

over_loopback() {
	local i t peer

	input "${given:-128}"
	mpicc -O2 -o alltoallv "$here/alltoallv.c"
	for ((i = 0; i < rounds; i++)); do
		alltoallv >>ms.mpi
		for t in unix 'tcp -K key'; do
			# shellcheck disable=SC2086 # words
			milliseconds exchange ext -t $t >>"ms.${t%% *}"
			# shellcheck disable=SC2086
			milliseconds exchange nothing -t $t >>"ms0.${t%% *}"
		done
	done
	echo "Loopback, $nodes nodes, $mib MiB from each for each;" \
		"median of $rounds"
	peer=$(median <ms.mpi)
	row 'MPI_Alltoallv, tcp' "$peer" $((mib * nodes)) "$peer"
	for t in unix tcp; do
		row "hpexchange -t $t" "$(median <ms.$t)" $((mib * nodes)) \
			"$peer"
		echo "  of which with nothing to send: $(median <ms0.$t) ms"
	done
}

# servers: of iperf3, one for each stream from a node to another.
servers() {
	local i j

	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			[ $i -eq $j ] || lab exec "${names[j]}" \
				iperf3 -s -1 -p 52$i$j >/dev/null &
		done
	done
	sleep 0.5
}

# iperf: a stream from every node to every other at once.
iperf() {
	local i j

	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			[ $i -eq $j ] || lab exec "${names[i]}" iperf3 \
				-n "${mib}M" -c "${names[j]}" -p 52$i$j &
		done
	done
	wait
}

# there EXTENTS OPTION...: each node on a machine of the lab.
there() {
	local i extents=$1

	shift
	for ((i = 0; i < nodes; i++)); do
		lab exec "${names[i]}" hpexchange -C "$dir/four" -N "$i" \
			-i "$dir/in" -x "$dir/$extents.$i" -o "$dir/to" "$@" &
	done
	wait
}

# share MS: how much of the link a node has used in that time.
share() {
	awk -v ms="$1" -v mib=$((mib * (nodes - 1))) -v mbit="$MBIT" 'BEGIN {
		sent = mib * 8388.608 * 1514 / 1448
		printf "  of the link: %.0f %%\n", 100 * sent / ms / mbit
	}'
}

over_links() {
	local i t peer specs=()

	input "${given:-256}"
	for ((i = 0; i < nodes; i++)); do
		specs+=("${names[i]}:rate=${MBIT}mbit")
	done
	rm -f ms.* ms0.*
	lab up "${specs[@]}"
	for ((i = 0; i < nodes; i++)); do
		lab exec "${names[i]}" mkdir "d$i"
	done
	for ((i = 0; i < rounds; i++)); do
		servers
		milliseconds iperf >>ms.iperf
		for t in "tcp -K $dir/key" ssh; do
			# shellcheck disable=SC2086 # words
			milliseconds there ext -t $t >>"ms.${t%% *}"
			# shellcheck disable=SC2086
			milliseconds there nothing -t $t >>"ms0.${t%% *}"
		done
	done
	echo "Links of $MBIT Mbit/s, $mib MiB from each for each" \
		"other; median of $rounds"
	peer=$(median <ms.iperf)
	row iperf3 "$peer" $((mib * (nodes - 1))) "$peer"
	share "$peer"
	for t in tcp ssh; do
		row "hpexchange -t $t" "$(median <ms.$t)" \
			$((mib * (nodes - 1))) "$peer"
		share "$(median <ms.$t)"
		echo "  of which with nothing to send: $(median <ms0.$t) ms"
	done
	lab down
}

# without COMMAND: says that it is not there, or that there can be no lab.
without() {
	local why="not there"

	if [ "$1" = lab ]; then
		! why=$(lab check 2>&1) || return
	else
		! command -v "$1" >/dev/null || return
	fi
	echo "net.sh: $part: no $1: $why"
}

for part; do
	case $part in
	loopback) without mpicc || over_loopback ;;
	links) without lab || without iperf3 || over_links ;;
	hosts) without lab || "$here/hosts.sh" ;;
	*)
		echo "net.sh: part '$part': must be loopback, links or hosts" >&2
		exit 2
		;;
	esac
done
