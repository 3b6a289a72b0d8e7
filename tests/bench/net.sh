#!/bin/bash
# The exchange over a network, beside others that move the same bytes from
# every node to every other, in one run:
#
#	tests/bench/net.sh [MIB]
#
# Four nodes of MIB (64) for each other node.  First over loopback without
# limit, beside MPI_Alltoallv of Open MPI over tcp, which gets its bytes from
# memory; then over links of 1 Gbit/s of the lab (tests/lab), beside iperf3.
# At last what the plan of a sort foresees for hosts of the lab with 1.7
# processors together and disks in memory, beside what it takes there.

set -eu
mib=${1:-64} nodes=4 rounds=3
here=$(cd "$(dirname "$0")" && pwd)
HPBIN=$(cd "${HPBIN:-$here/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH:/usr/sbin
dir=$(mktemp -d "/dev/shm/hpnet.XXXXXX")
export PATH LC_ALL=C LAB=hpn$$ LAB_DIR=$dir/lab
trap '"$here/../lab/lab" down; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir"
names=(a b c d)

lab() {
	"$here/../lab/lab" "$@"
}

# Every node has as many records of one mebibyte for each, itself too.
head -c $((mib * nodes << 20)) /dev/urandom >in
(umask 077 && head -c 32 /dev/urandom >key)
mapfile -t ports < <(hpexchange --free-port=$nodes)
for ((i = 0; i < nodes; i++)); do
	mkdir "d$i"
	printf '{"type":"node","node":"%s","dir":"d%d","port":%d}\n' \
		"${names[i]}" "$i" "${ports[i]}"
	for ((j = 0; j < nodes; j++)); do
		printf '{"type":"extent","sublist":%d,"rank":%d,"offset":%d,' \
			"$j" "$i" $((j * mib << 20))
		printf '"bytes":%d,"records":%d}\n' $((mib << 20)) "$mib"
	done >"ext.$i"
done >one
jq -c '.host = .node' one >four

# milliseconds COMMAND...: that it takes.
milliseconds() {
	local start=${EPOCHREALTIME/./}

	"$@" >/dev/null
	echo $(((${EPOCHREALTIME/./} - start) / 1000))
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# row NAME MS MIB: what a node sent in that time.
row() {
	awk -v name="$1" -v ms="$2" -v mib="$3" 'BEGIN {
		printf "%-32s %8d ms %8.0f MB/s %8.2f Gbit/s a node\n", name,
			ms, mib * 1.048576 / ms * 1000,
			mib * 8.388608 / ms
	}'
}

# exchange OPTION...: all nodes on this machine.
exchange() {
	local i

	for ((i = 0; i < nodes; i++)); do
		hpexchange -C one -N "$i" -i in -x "ext.$i" "$@" \
			>/dev/null &
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
	local i

	mpicc -O2 -o alltoallv "$here/alltoallv.c"
	for ((i = 0; i < rounds; i++)); do
		alltoallv >>ms.mpi
		milliseconds exchange -t unix >>ms.unix
		milliseconds exchange -t tcp -K key >>ms.tcp
	done
	echo "Loopback, $nodes nodes, $mib MiB from each for each;" \
		"median of $rounds"
	row 'MPI_Alltoallv, tcp' "$(median <ms.mpi)" $((mib * nodes))
	row 'hpexchange -t unix' "$(median <ms.unix)" $((mib * nodes))
	row 'hpexchange -t tcp' "$(median <ms.tcp)" $((mib * nodes))
}

# iperf: a stream from every node to every other at once, for 3 s; prints the
# mean of what the nodes sent, in milliseconds for MIB to each other node.
iperf() {
	local i j

	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			[ $i -eq $j ] || lab exec "${names[j]}" \
				iperf3 -s -1 -p 52$i$j >/dev/null &
		done
	done
	sleep 0.5
	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			[ $i -eq $j ] || lab exec "${names[i]}" iperf3 -t 3 \
				-c "${names[j]}" -p 52$i$j -J >"iperf.$i$j" &
		done
	done
	wait
	jq -s --argjson nodes $nodes --argjson mib "$mib" '
		(map(.end.sum_received.bits_per_second) | add) / $nodes
		| ($nodes - 1) * $mib * 8388608 / . * 1000 | floor' iperf.*
}

# there OPTION...: each node on a machine of the lab.
there() {
	local i

	for ((i = 0; i < nodes; i++)); do
		lab exec "${names[i]}" hpexchange -C "$dir/four" -N "$i" \
			-i "$dir/in" -x "$dir/ext.$i" "$@" >/dev/null &
	done
	wait
}

over_links() {
	local i specs=()

	for ((i = 0; i < nodes; i++)); do
		specs+=("${names[i]}:rate=1gbit")
	done
	rm -f ms.*
	lab up "${specs[@]}"
	for ((i = 0; i < nodes; i++)); do
		lab exec "${names[i]}" mkdir "d$i"
	done
	for ((i = 0; i < rounds; i++)); do
		iperf >>ms.iperf
		milliseconds there -t tcp -K "$dir/key" >>ms.tcp
		milliseconds there -t ssh >>ms.ssh
	done
	echo "Links of 1 Gbit/s, $mib MiB from each for each other;" \
		"median of $rounds"
	row iperf3 "$(median <ms.iperf)" $((mib * (nodes - 1)))
	row 'hpexchange -t tcp' "$(median <ms.tcp)" $((mib * (nodes - 1)))
	row 'hpexchange -t ssh' "$(median <ms.ssh)" $((mib * (nodes - 1)))
}

over_hosts() {
	HP_DEMO_RECORDS=${HP_DEMO_RECORDS:-15000000} HP_DEMO_DISK=6G "$here/../lab/demo"
}

# without COMMAND: says that it is not there, if so.
without() {
	! command -v "$1" >/dev/null || return
	echo "net.sh: no $1: not measured beside it"
}

without mpicc || over_loopback
if why=$(lab check 2>&1); then
	without iperf3 || over_links
	lab down
	over_hosts
else
	echo "net.sh: no links: $why"
fi
