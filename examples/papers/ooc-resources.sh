#!/bin/bash
# Equation 1 of Cérin, Fkaier, Jemni, "Out-of-core sorting on heterogeneous
# clusters", and the rows of its Table 7 on files, memory and message sizes: what
# hprun uses on the same numbers.  The latter needs strace and GNU time.
#
#	examples/papers/ooc-resources.sh

set -euo pipefail
# shellcheck source=examples/papers/common.bash
. "$(dirname "$0")/common.bash"
n=1973785
perf=8,5,3,1

# shares N: the largest deviation of a planned share from N k/K, in records.
shares() {
	hpsolve -n "$1" -c n -k $perf | jq -s --argjson n "$1" '
		[8, 5, 3, 1] as $k | map(select(.type == "share")) |
		map(.n - $n * $k[.rank] / 17 | fabs) | max * 1000 | round / 1000'
}

cat <<'END'
## OOC: equation 1, and Table 7 on files, memory and messages

Equation 1 asks for n = m lcm(k) K, so that node i gets m lcm(k) k_i records.  The
paper calls this equivalent to n being a multiple of K.  It is not: a multiple of K
suffices for whole shares, and the sizes of Tables 5 and 6 are of this kind only.
For any other n, the remaining records go to the nodes that finish them first.

| n, {8,5,3,1} | n / (lcm K) = n / 2040 | n / K = n / 17 | largest deviation of a share |
|---|---|---|---|
END
for size in 2040 2088960 16711680 $n 16777215 2000000; do
	awk -v n="$size" -v d="$(shares "$size")" 'BEGIN {
		printf "| %d | %.6g | %.6g | %s |\n", n, n / 2040, n / 17, d
	}'
done

for tool in strace /usr/bin/time; do
	command -v "$tool" >/dev/null || {
		echo "$0: $tool is missing (packages strace and time): no files, memory" \
			"and messages" >&2
		exit
	}
done
cat <<END

The machines {8,5,3,1} sort n = $n numbers of 4 bytes, all on this computer, by TCP.
The memory of all nodes together is limited to 4 MiB (\`hprun -S 4M\`), half of the
data.
Files are those that a node creates, on average.  A message is one write to a
socket.  Memory is the peak of a process of any node, and includes what it has
mapped of its input; each program takes about 2 MiB before it reads a record.

| | H-PSS | H-PSRS | H-PSOP | exact |
|---|---|---|---|---|
| files created: paper | max(15,p)+1 = 16 | max(15,p)+1 = 16 | 15 + 4 P' log2 P' = 292 | - |
END
mkdir bin
hprun=$(command -v hprun)
for program in "${hprun%/*}"/hp*; do
	name=${program##*/}
	case $name in
	hprun) cp "$program" bin ;;
	*)
		printf '#!/bin/sh\nexec /usr/bin/time -qao %s -f "%%M %s" %s "$@"\n' \
			"$dir/memory" "$name" "$program" >bin/"$name"
		chmod +x bin/"$name"
		;;
	esac
done
hpgen -F u32 -d lcg46 --seed 3 $n data
for method in pss psrs psop exact; do
	sorted=(-a "$method" -S 4M --speeds "$perf" --transport tcp -F u32
		-o sorted data)
	rm -f calls.*
	strace -ff -y --seccomp-bpf -o calls -s 0 \
		-e trace=openat,write,writev,sendmsg,sendto,sendfile,splice \
		"$hprun" "${sorted[@]}"
	# Files of a node have relative names, or are created without a name.
	grep -E 'openat\([^"]*("[^/".][^"]*".*O_CREAT|.*O_TMPFILE)' calls.* |
		grep -v '= -1' | awk 'END { printf "%.1f\n", NR / 4 }' >>files
	grep -E '(write|writev|sendmsg|sendto)\([0-9]+<(socket|UNIX|TCP)' calls.* |
		sed -n 's/.* = //p' | sort -n | tail -n 1 >>messages
	rm -f memory
	bin/hprun "${sorted[@]}"
	sort -k 2,2 -k 1,1nr memory | awk '!seen[$2]++ && /hp(sort|merge|exchange|split)/ {
		printf "%s%s %.1f", sep, $2, $1 / 1024; sep = ", "
	} END { print "" }' >>peaks
done
line() {
	printf '| %s |' "$1"
	sed 's/.*/ & |/' "$2" | paste -s -d ' ' | sed 's/|  */| /g'
}
line 'files created: ours' files
echo '| message: paper | 32 KiB | 32 KiB | 32 KiB | - |'
line 'message, largest, bytes: ours' messages
echo "| memory: paper | 32 KiB + 6 P' log2 P' | 32 KiB + P'(p-1) | 32 KiB + O(P') | - |"
line 'memory, MiB: ours' peaks
