#!/bin/bash
# hpsort and hpmerge beside cp, cat and GNU sort, whole processes, file to file:
# the run with the median wall clock, the least and the most, processor
# seconds, the peak of memory as the system counts it, and how often hpsort's
# times it took; all programs take turns.  The floor is what
# no sort can do without (floor.c).  Sorts in memory work in DIR, external ones
# in DISK.
#
#	tests/bench/sort.sh [MILLIONS [RUNS [WORD...]]]
#
# MILLIONS of records of 100 bytes (default 10: 1 GB), and ten times as many
# numbers.  WORD: records lines text urls source words log u64 zipf sorted u32
# i32 merge external few; text to log are lines of real text: paths of this
# machine, addresses made of these, lines of its programs and headers (short
# ones, and the same ones often), the words of these, and a log of several hosts.
#
# PEERS is a directory of other sorters, each a program that is called with a
# format, an input and an output (PEERS/tlx line in out), sorts with all
# processors, and exits with 2 on a format that it does not know, which it is
# asked with an empty input first.
#
# Below the rows are the goals: what is asked for 10 million records, 5 runs and
# 2 processors, what it was here, and whether that is reached.

set -eu
million=${1:-10} runs=${2:-5}
shift $(($# < 2 ? $# : 2))
words=${*:-records lines text urls source words log u64 zipf sorted u32 i32 \
	merge external few}
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

# row NAME COMMAND...: is measured by `rows`.
names=() commands=()
row() {
	local command

	names+=("$1")
	shift
	printf -v command '%q ' "$@"
	commands+=("$command")
}

# rows: all that were named, in turn, since no machine is as fast all the time,
# and none while the disk is at work for another; then the run of each with the
# median wall clock and how often the first one's times it took.
rows() {
	local i k

	for ((i = 0; i < runs; i++)); do
		for k in "${!commands[@]}"; do
			rm -f out out2
			sync
			eval "/usr/bin/time -q -a -o times.$k -f '%e %U %S %M'" \
				"${commands[k]}" >/dev/null || {
				echo "${names[k]}: status $?" >&2
				exit 2
			}
		done
	done
	for k in "${!names[@]}"; do
		print_row "${names[k]}" "times.$k"
		rm "times.$k"
	done
	rm -f out out2
	names=() commands=()
}

# print_row NAME TIMES; its median and peak are kept for the goals.
declare -A took peak
print_row() {
	local least most median

	least=$(sort -n "$2" | head -n 1 | cut -d' ' -f1)
	most=$(sort -n "$2" | tail -n 1 | cut -d' ' -f1)
	median=$(sort -n "$2" | sed -n $(((runs + 1) / 2))p)
	[ -n "$first" ] || first=$median
	took[$1]=${median%% *} peak[$1]=${median##* }
	awk -v name="$1" -v range="$least to $most" '{
		printf "  %-20s %6.2f s (%s), user %.2f, system %.2f, " \
			"%d MiB: x %.2f, cpu x %.2f\n", name, $1, range, $2, $3,
			$4 / 1024, $1 / $5, ($2 + $3) / ($6 + $7) }' \
		<<<"$median $first"
}

title() {
	first=
	took=() peak=()
	echo "$*"
}

# goal TEXT FIGURE least|most LIMIT
reached=0 goals=0
goal() {
	local verdict

	verdict=$(awk -v figure="$2" -v bound="$3" -v limit="$4" 'BEGIN {
		print((bound == "least" ? figure >= limit : figure <= limit) \
			? "reached" : "MISSED") }')
	printf '  goal: %s at %s %s: %s, %s\n' "$1" "$3" "$4" "$2" "$verdict"
	goals=$((goals + 1))
	[ "$verdict" = MISSED ] || reached=$((reached + 1))
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", a / (b ? b : 0.01) }'
}

# faster PROGRAM LIMIT NAME...: than the fastest of these rows.
faster() {
	local best name program=$1 limit=$2

	shift 2
	best=$(for name; do
		echo "${took[$name]} $name"
	done | sort -n | head -n 1)
	if [ -n "$best" ]; then
		goal "${best#* } / $program" "$(ratio "${best%% *}" \
			"${took[$program]}")" least "$limit"
	else
		echo "  goal: a peer / $program at least $limit: not measured"
	fi
}

# slower PROGRAM LIMIT NAME
slower() {
	goal "$1 / $3" "$(ratio "${took[$1]}" "${took[$3]}")" most "$2"
}

# lean LIMIT: hpsort's peak of memory, of the input's size; and what one thread
# does, of what all do.
lean() {
	goal 'peak / input' "$(ratio $((peak[hpsort] * 1024)) \
		"$(stat -c %s in)")" most "$1"
	goal 'hpsort / hpsort --parallel 1' "$(ratio "${took[hpsort]}" \
		"${took[hpsort --parallel 1]}")" least 0.6
}

# within MIB NAME
within() {
	goal "peak of $2 in MiB" "$(ratio "${peak[$2]}" 1024)" most "$1"
}

# sorts FORMAT FILE: a copy, hpsort with all threads and with one, the peers.
sorts() {
	local peer

	row hpsort hpsort -F "$1" "$2" -o out
	row 'hpsort --parallel 1' hpsort --parallel 1 -F "$1" "$2" -o out
	row cp cp "$2" out
	peers=()
	for peer in ${PEERS:+"$PEERS"/*}; do
		: >none
		if [ -f "$peer" ] && [ -x "$peer" ] &&
			"$peer" "$1" none out 2>none.err; then
			peers+=("${peer##*/}")
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

# of_lines TITLE LIMIT [PEERS]: in; the goals beside sort(1), and the peers.
of_lines() {
	title "$1"
	sorts line in
	row 'sort' sort "$threads" in -o out
	rows
	faster hpsort "$2" sort
	[ -z "${3-}" ] || faster hpsort "$3" "${peers[@]}"
	lean 1.3
}

# of_numbers FORMAT: in.
of_numbers() {
	sorts "$1" in
	rows
	faster hpsort 1 "${peers[@]}"
	lean 1.1
}

echo "$(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg), $(sed -n \
	's/^model name.*: //p' /proc/cpuinfo | head -1), $(awk \
	'/^MemTotal/ { printf "%d MiB", $2 / 1024 }' /proc/meminfo)"
for word in $words; do
	case $word in
	records)
		title "$million million records of 100 bytes"
		hpgen "${million}M" in
		sorts gensort in
		"${CC:-cc}" -O2 -pthread -o floor "$here/floor.c"
		row 'floor' ./floor 100 in out
		rows
		hpgen -a "${million}M" in
		row 'sort, of lines' sort "$threads" in -o out
		rows
		slower hpsort 1.5 floor
		faster hpsort 9 'sort, of lines'
		lean 1.4
		rm floor
		;;
	lines)
		hpgen -a "${million}M" in
		of_lines "the same as ASCII lines" 5
		;;
	text)
		paths '%p %s\n' >names
		fill
		of_lines "as many bytes of paths, shuffled" 4.5 1.5
		;;
	urls)
		paths '%P %s %Y\n' | awk '{
			n = split($1, part, "/")
			host = n < 2 ? part[1] : part[2]
			top = n % 3 == 0 ? "net" : "org"
			printf "https://%s.example.%s/%s?size=%d&kind=%s\n",
				host, top, $1, $(NF - 1), $NF }' >names
		fill
		of_lines "as many bytes of addresses, shuffled" 4.5 1.5
		;;
	source)
		source_lines >in
		rm names
		of_lines "as many bytes of programs and headers" 4.5 1.5
		;;
	words)
		source_lines | tr -cs "A-Za-z'" '\n' | head -c "$need" >in
		rm names
		of_lines "the words of as many bytes of these" 4.5 1.5
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
		of_lines "as many bytes of log, shuffled" 4.5 1.5
		;;
	u64 | u32 | i32)
		title "$((million * 10)) million $word"
		hpgen -F "$word" "${million}0M" in
		of_numbers "$word"
		;;
	zipf | sorted)
		title "$((million * 10)) million u64, $word"
		hpgen -F u64 -d "$word" "${million}0M" in
		of_numbers u64
		[ "$word" = zipf ] || slower hpsort 1.5 cp
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
		rows
		faster hpmerge 4.5 'sort -m'
		slower hpmerge 1.35 cat
		rm part.*
		;;
	external)
		title "$((million * 4)) million records of 100 bytes, -S 256M, on disk"
		cd "$disk"
		hpgen "$((million * 4))M" in
		sync in
		row hpsort hpsort -F gensort -S 256M -T . in -o out
		row '  --compress=lz4' hpsort -F gensort -S 256M -T . \
			--compress=lz4 in -o out
		row 'cp, twice' bash -c 'cp in out && cp in out2'
		rows
		hpsort --stats -F gensort -S 256M -T . in -o out
		hpgen -a "$((million * 4))M" in
		sync in
		row 'hpsort, of lines' hpsort -S 256M -T . in -o out
		rows
		all=$runs runs=1
		row 'sort, of lines, once' sort "$threads" -S 256M -T . in -o out
		rows
		runs=$all
		slower hpsort 2 'cp, twice'
		faster hpsort 5 'sort, of lines, once'
		within 256 hpsort
		within 256 'hpsort, of lines'
		cd "$dir"
		rm -f "$disk"/*
		;;
	few)
		title "100 lines, 300 times"
		hpgen -a 100 in
		for name in hpsort sort; do
			row "$name" bash -c "for i in {1..300}; do
				$name in -o out
			done"
		done
		rows
		faster hpsort 1 sort
		;;
	esac
	rm -f in out
done
echo "$reached of $goals goals reached"
