#!/bin/bash
# Where the time of hpsort goes, in memory, for records of 100 bytes and for
# lines of text (paths): by what it is for, and by function.
#
#	tests/bench/profile.sh [MILLIONS [WORD...]]
#
# MILLIONS of records of 100 bytes (default 10: 1 GB), or as many bytes of
# lines.  WORD: records text.  Shares are of the time of all processors.  It
# takes perf(1), and says so where that is not to be had.

set -eu
million=${1:-10}
shift $(($# < 1 ? $# : 1))
words=${*:-records text}
HPBIN=$(cd "${HPBIN:-$(dirname "$0")/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH LC_ALL=C
export LC_ALL
dir=$(mktemp -d "${DIR:-/dev/shm}/hpprofile.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"
if ! perf record -q -g -o data true >/dev/null 2>&1; then
	echo "profile.sh: no profile: perf is not here, or may not be used" >&2
	exit 0
fi

# What a sample is for: the first line that fits.  Before the colon, whether
# any function on the stack counts, or only the innermost one.
purposes='
any: vfs_write|ksys_pwrite: write the output
any: madvise_populate|faultin_page: map the input
any: exit_mmap|sys_munmap|do_exit: unmap it
any: exc_page_fault: first touch of memory
any: schedule|futex|sys_: other system calls
top: ^emit|gather|^copy$: gather the records
top: sort|radix|divide_|pivot|entries|load|expand|input_record|view_|next_keys|memcmp: sort buckets in the cache
top: read_|flush|tree_|walk_|spread|memr?chr|memmove|put_|pile_|split_: read and distribute
'

# profile TITLE ARGUMENT...
profile() {
	echo "$1"
	shift
	/usr/bin/time -f '  %e s, %U s user, %S s system, %M KiB' -o time \
		hpsort "$@" -o out
	cat time
	rm -f out
	perf record -q -g -F 2000 -o data hpsort "$@" -o out 2>/dev/null
	rm -f out
	perf script -i data -F ip,sym 2>/dev/null |
		awk -v purposes="$purposes" '
		BEGIN {
			n = split(purposes, line, "\n")
			for (i = 1; i <= n; i++)
				if (split(line[i], part, ": ") == 3) {
					any[++k] = part[1] == "any"
					what[k] = part[2]
					name[k] = part[3]
				}
			name[k + 1] = "other"
			RS = ""
			FS = "\n"
		}
		{
			top = $1
			sub(/^[ \t]*[0-9a-f]+ /, "", top)
			for (i = 1; i <= k; i++)
				if ((any[i] ? $0 : top) ~ what[i])
					break
			purpose[name[i]]++
			function_[top]++
		}
		END {
			for (p in purpose)
				printf "a %5.1f %%  %s\n",
					100 * purpose[p] / NR, p
			for (f in function_)
				printf "b %5.1f %%  %s\n",
					100 * function_[f] / NR, f
		}' | sort -k1,1 -k2,2nr >table
	sed -n 's/^a / /p' table
	echo "  by function:"
	sed -n 's/^b / /p' table | head -12
	rm -f data table
}

echo "$(nproc) processors, $(sed -n 's/^model name.*: //p' /proc/cpuinfo |
	head -1)"
for word in $words; do
	case $word in
	records)
		hpgen "${million}M" in
		profile "$million million records of 100 bytes" -F gensort in
		;;
	text)
		find / -xdev -printf '%p %s\n' 2>/dev/null >names || :
		need=$((million * 100000000)) have=$(stat -c %s names)
		for ((i = 0; i * have < need; i++)); do
			sed "s/\$/ $i/" names
		done | head -c "$need" | shuf >in
		rm names
		profile "as many bytes of paths, shuffled" in
		;;
	*)
		echo "profile.sh: $word is not records or text" >&2
		exit 2
		;;
	esac
	rm -f in
done
