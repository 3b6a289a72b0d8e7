#!/bin/bash
# hpsort and hpmerge beside cp, cat and GNU sort, whole processes, file to file:
# the run with the median wall clock, its processor seconds, its peak memory as
# the system counts it, and its times over those of hpsort.  The floor is what
# no sort can do without (floor.c).  Sorts in memory work in DIR, external ones
# in DISK.
#
#	tests/bench/sort.sh [MILLIONS [RUNS [WORD...]]]
#
# MILLIONS of records of 100 bytes (default 10: 1 GB), and ten times as many
# numbers.  WORD: records lines text urls source words log u64 zipf sorted u32
# i32 merge external; text to log are lines of real text: paths of this machine,
# addresses made of these, lines of its programs and headers (short ones, and
# the same ones often), the words of these, and a log of several hosts.
#
# PEERS is a directory of other sorters, each a program that is called with a
# format, an input and an output (PEERS/tlx line in out), sorts with all
# processors, and exits with 2 on a format that it does not know, which it is
# asked with an empty input first.

set -eu
million=${1:-10} runs=${2:-5}
shift $(($# < 2 ? $# : 2))
words=${*:-records lines text urls source words log u64 zipf sorted u32 i32 \
	merge external}
HPBIN=$(cd "${HPBIN:-$(dirname "$0")/../../build/bin}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
PATH=$HPBIN:$PATH LC_ALL=C
export LC_ALL
dir=$(mktemp -d "${DIR:-/dev/shm}/hpbench.XXXXXX")
disk=$(mktemp -d "${DISK:-/var/tmp}/hpbench.XXXXXX")
trap 'rm -rf "$dir" "$disk"' EXIT
cd "$dir"
threads=--parallel=$(nproc)
[ -z "${PEERS-}" ] || PEERS=$(cd "$OLDPWD" && cd "$PEERS" && pwd)

# measure COMMAND...: "wall cpu MiB" of the run with the median wall clock.
measure() {
	local i

	for ((i = 0; i < runs; i++)); do
		rm -f out
		/usr/bin/time -q -a -o times -f '%e %U %S %M' "$@" >/dev/null
	done
	sort -n times | sed -n $(((runs + 1) / 2))p |
		awk '{ printf "%.2f %.2f %d\n", $1, $2 + $3, $4 / 1024 }'
	rm times
}

# row NAME COMMAND...: and how often the first row's time it is.
row() {
	local name=$1 t

	shift
	t=$(measure "$@")
	# shellcheck disable=SC2086 # three words
	set -- $t
	[ -n "${first-}" ] || first=$1 first_cpu=$2
	awk -v n="$name" -v t="$1" -v c="$2" -v m="$3" -v f="$first" \
		-v g="$first_cpu" 'BEGIN {
		printf "  %-22s %7.2f s %7.2f cpu s %6d MiB  x %.2f, cpu x %.2f\n",
		n, t, c, m, t / f, c / g }'
}

title() {
	first=
	echo "$*"
}

# sorts FORMAT FILE: a copy, hpsort with all threads and with one, the peers.
sorts() {
	local peer

	row hpsort hpsort -F "$1" "$2" -o out
	row 'hpsort --parallel 1' hpsort --parallel 1 -F "$1" "$2" -o out
	row cp cp "$2" out
	for peer in ${PEERS:+"$PEERS"/*}; do
		: >none
		if [ -f "$peer" ] && [ -x "$peer" ] &&
			"$peer" "$1" none out 2>none.err; then
			row "${peer##*/}" "$peer" "$1" "$2" out
		fi
	done
	rm -f none none.err out
}

need=$((million * 100000000))

# fill: `in` becomes as many bytes as are needed, of the lines of `names` with a
# number behind each, another one each time they repeat; shuffled.
fill() {
	local have i

	have=$(stat -c %s names)
	for ((i = 0; i * have < need; i++)); do
		sed "s/\$/ $i/" names
	done | head -c "$need" | shuf >in
	rm names
}

paths() {
	find / -xdev -printf "$1" 2>/dev/null || :
}

# Lines of programs and headers, as they follow each other, again and again.
source_lines() {
	find /usr -xdev -type f \( -name '*.h' -o -name '*.p[lmy]' -o \
		-name '*.sh' \) -exec cat {} + >names 2>/dev/null || :
	[ -s names ] || cat "$here"/* >names
	while cat names; do :; done 2>/dev/null | head -c "$need" || :
}

# of_lines TITLE: in, beside sort(1).
of_lines() {
	title "$1"
	sorts line in
	row 'sort' sort "$threads" in -o out
}

echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg), $(sed -n \
	's/^model name.*: //p' /proc/cpuinfo | head -1)"
for word in $words; do
	case $word in
	records)
		title "$million million records of 100 bytes"
		hpgen "${million}M" in
		sorts gensort in
		"${CC:-cc}" -O2 -pthread -o floor "$here/floor.c"
		row 'floor' ./floor 100 in out
		hpgen -a "${million}M" in
		row 'sort, of lines' sort "$threads" in -o out
		rm floor
		;;
	lines)
		hpgen -a "${million}M" in
		of_lines "the same as ASCII lines"
		;;
	text)
		paths '%p %s\n' >names
		fill
		of_lines "as many bytes of paths, shuffled"
		;;
	urls)
		paths '%P %s %Y\n' | awk '{
			n = split($1, part, "/")
			host = n < 2 ? part[1] : part[2]
			top = n % 3 == 0 ? "net" : "org"
			printf "https://%s.example.%s/%s?size=%d&kind=%s\n",
				host, top, $1, $(NF - 1), $NF }' >names
		fill
		of_lines "as many bytes of addresses, shuffled"
		;;
	source)
		source_lines >in
		rm names
		of_lines "as many bytes of programs and headers"
		;;
	words)
		source_lines | tr -cs "A-Za-z'" '\n' | head -c "$need" >in
		rm names
		of_lines "the words of as many bytes of these"
		;;
	log)
		awk 'BEGIN {
			srand(1)
			for (i = 0; i < 500000; i++) {
				s = int(i / 20)
				printf "2026-11-%02dT%02d:%02d:%02d.%06d " \
					"host%d service%d[%d]: request %d " \
					"took %d ms\n", 1 + i % 28,
					s / 3600 % 24, s / 60 % 60, s % 60,
					1e6 * rand(), 9 * rand(), 30 * rand(),
					32768 * rand(), i, 900 * rand()
			} }' >names
		fill
		of_lines "as many bytes of log, shuffled"
		;;
	u64 | u32 | i32)
		title "$((million * 10)) million $word"
		hpgen -F "$word" "${million}0M" in
		sorts "$word" in
		;;
	zipf | sorted)
		title "$((million * 10)) million u64, $word"
		hpgen -F u64 -d "$word" "${million}0M" in
		sorts u64 in
		;;
	merge)
		title "16 sorted files, $million million lines of 100 bytes"
		hpgen -a "${million}M" in
		split -n l/16 in part.
		rm in
		for f in part.*; do
			hpsort "$f" -o "$f"
		done
		row hpmerge hpmerge part.* -o out
		# shellcheck disable=SC2016
		row cat bash -c 'cat part.* >out'
		row 'sort -m' sort -m part.* -o out
		rm part.*
		;;
	external)
		title "$((million * 4)) million records of 100 bytes, -S 256M, on disk"
		cd "$disk"
		hpgen "$((million * 4))M" in
		row hpsort hpsort -F gensort -S 256M -T . in -o out
		row '  --compress=lz4' hpsort -F gensort -S 256M -T . \
			--compress=lz4 in -o out
		row 'cp, twice' bash -c 'cp in out && cp in out2'
		rm -f out2
		hpsort --stats -F gensort -S 256M -T . in -o out
		hpgen -a "$((million * 4))M" in
		row 'hpsort, of lines' hpsort -S 256M -T . in -o out
		all=$runs runs=1
		row 'sort, of lines, once' sort "$threads" -S 256M -T . in -o out
		runs=$all
		cd "$dir"
		rm -f "$disk"/*
		;;
	esac
	rm -f in out
done
