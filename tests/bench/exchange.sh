#!/bin/bash
# The exchange beside cat of the same bytes: N nodes with MIB in all, each pair
# the same, from files to files, and through pipes; by unix sockets, and with
# all bytes encrypted by tcp.
#
#	tests/bench/exchange.sh [N [MIB]]

set -eu
nodes=${1:-4} mib=${2:-1024}
HPBIN=$(cd "${HPBIN:-$(dirname "$0")/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH
dir=$(mktemp -d "${TMPDIR:-/var/tmp}/hpbench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# Parts of whole megabytes, as records of one mebibyte.
part=$((mib / nodes / nodes))
read -ra port <<<"$(hpexchange --free-port="$nodes" | tr '\n' ' ')"
(umask 077 && head -c 32 /dev/urandom >key)
for ((i = 0; i < nodes; i++)); do
	mkdir "d$i"
	printf '{"type":"node","node":"n%d","dir":"d%d","port":%d}\n' \
		"$i" "$i" "${port[i]}"
	head -c $((part * nodes << 20)) /dev/urandom >"in.$i"
	for ((j = 0; j < nodes; j++)); do
		printf '{"type":"extent","sublist":%d,"rank":%d,"offset":%d,' \
			"$j" "$i" $((j * part << 20))
		printf '"bytes":%d,"records":%d}\n' $((part << 20)) "$part"
	done >"ext.$i"
done >cluster

seconds() {
	local start=${EPOCHREALTIME/./}

	"$@"
	echo "$(((${EPOCHREALTIME/./} - start) / 1000))"
}

copy() {
	local i

	for ((i = 0; i < nodes; i++)); do
		cat "in.$i" >"out.$i" &
	done
	wait
	rm out.*
}

pipes() {
	local i

	for ((i = 0; i < nodes; i++)); do
		# shellcheck disable=SC2002 # two pipes are what is measured
		cat "in.$i" | cat | cat >/dev/null &
	done
	wait
}

# files OPTION...
files() {
	local i

	for ((i = 0; i < nodes; i++)); do
		hpexchange -C cluster -N "$i" -i "in.$i" -x "ext.$i" \
			-o "out.$i" "$@" &
	done
	wait
	rm out.*
}

# stdout OPTION...
stdout() {
	local i

	for ((i = 0; i < nodes; i++)); do
		hpexchange -C cluster -N "$i" -i "in.$i" -x "ext.$i" "$@" |
			cat >/dev/null &
	done
	wait
}

# The median of five, in milliseconds.
median() {
	for _ in 1 2 3 4 5; do seconds "$@"; done | sort -n | sed -n 3p
}

# row WHAT PEER MS FUNCTION: the exchange both ways, and what it is of PEER.
row() {
	local unix tcp

	unix=$(median "$4" -t unix)
	tcp=$(median "$4" -t tcp -K key)
	printf '%-8s %s %d, unix %d, ratio %d.%02d; tcp %d, ratio %d.%02d\n' \
		"$1" "$2" "$3" "$unix" $((unix / $3)) $((unix * 100 / $3 % 100)) \
		"$tcp" $((tcp / $3)) $((tcp * 100 / $3 % 100))
}

printf '%d nodes, %d MiB: milliseconds, median of 5\n' "$nodes" \
	$((part * nodes * nodes))
row files cat "$(median copy)" files
row pipes 'cat | cat | cat' "$(median pipes)" stdout
